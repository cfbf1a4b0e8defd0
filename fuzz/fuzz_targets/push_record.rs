//! Whatever stands in the place of a push record, it is read as it was written or not at all.
#![no_main]

use headless_wallet::store::PushRecord;
use headless_wallet_fuzz::with_check;
use libfuzzer_sys::fuzz_target;

const KEY: [u8; 32] = [7; 32];

fuzz_target!(|bytes: &[u8]| {
    let _refused_without_panic = PushRecord::decode(KEY, bytes);
    let record = with_check(&KEY, bytes);
    if let Ok(read) = PushRecord::decode(KEY, &record) {
        assert_eq!(read.encode(), record);
    }
    let any = PushRecord { key: KEY, request: [8; 32], time: 7, transaction: bytes.to_vec(), is_open: true };
    assert_eq!(PushRecord::decode(KEY, &any.encode()), Ok(any));
});
