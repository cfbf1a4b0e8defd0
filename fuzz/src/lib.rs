//! What several targets do with the bytes that they get.

/// Bytes with the right check value behind them, as in `src/store/encode.rs`: the fuzzer would never guess
/// it.
pub fn with_check(context: &[u8], bytes: &[u8]) -> Vec<u8> {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let check = context.iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, step);
    [bytes, &check.to_be_bytes()].concat()
}

/// Bytes in two parts: the first two bytes say how long the first part is.
pub fn in_two(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, bytes)) = bytes.split_first_chunk() else { return (&[], bytes) };
    bytes.split_at(usize::from(u16::from_be_bytes(*length)).min(bytes.len()))
}
