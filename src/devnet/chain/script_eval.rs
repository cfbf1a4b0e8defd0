//! The full node's script interpreter, as far as wallets need it: P2PKH, P2SH multisig, time locks.

use crate::calendar::UtcTime;
use crate::ledger::hash160;
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::ecdsa::{Signature, VerifyingKey};

/// Most public keys of one multisig check (full node: `MAX_MULTISIG_PUBKEYS`).
const MAX_MULTISIG_PUBKEYS: usize = 20;
/// Most signatures of one multisig check (full node: `MAX_MULTISIG_SIGNATURES`).
const MAX_MULTISIG_SIGNATURES: usize = 15;

const OP_PUSHDATA1: u8 = 0x4c;
const OP_0: u8 = 0x50;
const OP_16: u8 = 0x60;
const OP_GREATERTHAN_TIMESTAMP: u8 = 0x6f;
const OP_DUP: u8 = 0x76;
const OP_EQUAL: u8 = 0x87;
const OP_EQUALVERIFY: u8 = 0x88;
const OP_HASH160: u8 = 0xa9;
const OP_CHECKSIG: u8 = 0xac;
const OP_CHECKMULTISIG: u8 = 0xae;

/// What a script can ask about the transaction that spends.
#[derive(Clone, Copy, Debug)]
pub struct ScriptContext {
    /// What its signatures are over.
    pub sighash: [u8; 32],
    /// Unix seconds.
    pub timestamp: u32,
}

/// Why a script refuses to be spent; the variants are the full node's exceptions, `Display` is their text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    #[error("{0}")]
    OutOfData(String),
    #[error("{0}")]
    InvalidScript(String),
    #[error("{0}")]
    InvalidStackData(String),
    #[error("{0}")]
    MissingStackItems(String),
    #[error("Failed to verify if elements are equal")]
    EqualVerifyFailed,
    #[error("The output is locked until {0}")]
    TimeLocked(String),
    /// The log of the whole evaluation.
    #[error("{0}")]
    FinalStackInvalid(String),
    #[error("{0}")]
    Other(&'static str),
    /// Values of a kind that the operation does not expect: a full node trips over these and answers with
    /// status 500.
    #[error("Processing Failed")]
    Unanswered,
}

/// Whether `input_data` may spend an output under `output_script`.
///
/// # Errors
/// [`ScriptError`]: an operation fails, or something else than a single 1 is left on the stack.
pub fn evaluate_script(
    input_data: &[u8],
    output_script: &[u8],
    context: &ScriptContext,
) -> Result<(), ScriptError> {
    let mut run = Run { context, log: Vec::new() };
    if is_p2sh(output_script) {
        // First that the redeem script is the one paid, then that the signatures satisfy it.
        let redeem = last_operation(input_data)?;
        run.execute(&[&input_data[redeem..], output_script].concat())?;
        run.execute(&with_redeem_script_open(input_data)?)
    } else {
        run.execute(&[input_data, output_script].concat())
    }
}

/// Signature checks that `script` makes at most.
pub(super) fn count_sigops(script: &[u8]) -> Result<usize, ScriptError> {
    let mut count = 0;
    let mut position = 0;
    let mut previous = None;
    while position < script.len() {
        let (operation, next) = read(script, position)?;
        count += match (&operation, previous) {
            (Operation::Code(OP_CHECKSIG), _) => 1,
            (Operation::Code(OP_CHECKMULTISIG), Some(Operation::Number(n))) => usize::from(n),
            (Operation::Code(OP_CHECKMULTISIG), _) => MAX_MULTISIG_PUBKEYS,
            _ => 0,
        };
        previous = Some(operation);
        position = next;
    }
    Ok(count)
}

/// Signature checks that an input makes at most.
pub(super) fn count_input_sigops(input_data: &[u8], output_script: &[u8]) -> Result<usize, ScriptError> {
    if is_p2sh(output_script) {
        count_sigops(&with_redeem_script_open(input_data)?)
    } else {
        count_sigops(input_data)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation<'a> {
    Push(&'a [u8]),
    Number(u8),
    Code(u8),
}

/// The operation at `position`, and where the next one starts.
fn read(script: &[u8], position: usize) -> Result<(Operation<'_>, usize), ScriptError> {
    let code = byte(script, position)?;
    Ok(match code {
        1..=75 => {
            let data = bytes(script, position + 1, code.into())?;
            (Operation::Push(data), position + 1 + data.len())
        }
        OP_PUSHDATA1 => {
            let length = byte(script, position + 1)?;
            let data = bytes(script, position + 2, length.into())?;
            (Operation::Push(data), position + 2 + data.len())
        }
        OP_0..=OP_16 => (Operation::Number(code - OP_0), position + 1),
        _ if name(code).is_some() => (Operation::Code(code), position + 1),
        _ => {
            return Err(ScriptError::InvalidScript(format!(
                "Invalid Opcode ({code}) at position {position} in {}",
                python_bytes(script)
            )));
        }
    })
}

fn byte(script: &[u8], position: usize) -> Result<u8, ScriptError> {
    script.get(position).copied().ok_or_else(|| {
        ScriptError::OutOfData(format!(
            "trying to read a byte at {position} outside of data, available {}",
            script.len()
        ))
    })
}

fn bytes(script: &[u8], position: usize, length: usize) -> Result<&[u8], ScriptError> {
    let available = script.len();
    let out_of_data = |text| Err(ScriptError::OutOfData(text));
    if length == 0 || length > available {
        return out_of_data(format!("length ({length}) should be from 0 up to data length"));
    }
    if position >= available {
        return out_of_data("position should be inside data".to_owned());
    }
    match script.get(position..position + length) {
        Some(data) => Ok(data),
        None => out_of_data(format!(
            "trying to read {length} bytes starting at {position}, available {available}"
        )),
    }
}

const fn name(code: u8) -> Option<&'static str> {
    Some(match code {
        OP_GREATERTHAN_TIMESTAMP => "OP_GREATERTHAN_TIMESTAMP",
        OP_DUP => "OP_DUP",
        OP_EQUAL => "OP_EQUAL",
        OP_EQUALVERIFY => "OP_EQUALVERIFY",
        OP_HASH160 => "OP_HASH160",
        OP_CHECKSIG => "OP_CHECKSIG",
        OP_CHECKMULTISIG => "OP_CHECKMULTISIG",
        _ => return None,
    })
}

/// Whether a script pays a script hash, perhaps after a time. Like the node's pattern this takes the pushes
/// in either spelling and one line feed at the end.
pub(super) fn is_p2sh(script: &[u8]) -> bool {
    let exact = |mut script: &[u8]| {
        let push = |script: &mut &[u8], length: u8| {
            let rest = match *script {
                [n, rest @ ..] if *n == length => rest,
                [OP_PUSHDATA1, n, rest @ ..] if *n == length => rest,
                _ => return false,
            };
            let Some(rest) = rest.get(usize::from(length)..) else { return false };
            *script = rest;
            true
        };
        if push(&mut script, 4) {
            let [OP_GREATERTHAN_TIMESTAMP, rest @ ..] = script else { return false };
            script = rest;
        }
        let [OP_HASH160, rest @ ..] = script else { return false };
        script = rest;
        push(&mut script, 20) && script == [OP_EQUAL]
    };
    exact(script) || script.split_last().is_some_and(|(last, rest)| *last == b'\n' && exact(rest))
}

/// Where the last operation of `script` starts.
fn last_operation(script: &[u8]) -> Result<usize, ScriptError> {
    let mut position = 0;
    let mut last = 0;
    while position < script.len() {
        last = position;
        position = read(script, position)?.1;
    }
    Ok(last)
}

/// `input_data` with the content of its last push, the redeem script, in place of that push.
fn with_redeem_script_open(input_data: &[u8]) -> Result<Vec<u8>, ScriptError> {
    let mut position = 0;
    let mut last = 0;
    let mut redeem = None;
    while position < input_data.len() {
        last = position;
        if matches!(input_data[position], 1..=75 | OP_PUSHDATA1) {
            let (operation, next) = read(input_data, position)?;
            if let Operation::Push(data) = operation {
                redeem = Some(data);
            }
            position = next;
        } else {
            position += 1;
        }
    }
    redeem.map(|script| [&input_data[..last], script].concat()).ok_or(ScriptError::Unanswered)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Bytes(Vec<u8>),
    Number(u8),
}

impl Item {
    fn bytes(self) -> Result<Vec<u8>, ScriptError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Number(_) => Err(ScriptError::Unanswered),
        }
    }
}

struct Run<'a> {
    context: &'a ScriptContext,
    log: Vec<String>,
}

impl Run<'_> {
    fn execute(&mut self, script: &[u8]) -> Result<(), ScriptError> {
        let mut stack = Vec::new();
        let mut position = 0;
        while position < script.len() {
            let (operation, next) = read(script, position)?;
            match operation {
                Operation::Push(data) => stack.push(Item::Bytes(data.to_vec())),
                Operation::Number(n) => stack.push(Item::Number(n)),
                Operation::Code(code) => self.operate(code, &mut stack)?,
            }
            position = next;
        }
        let complaint = match stack.as_slice() {
            [Item::Number(1)] => return Ok(()),
            [] => "Empty Stack left",
            [_] => "Stack left with False value",
            _ => "Stack left with more than one value",
        };
        self.log.push(complaint.to_owned());
        Err(ScriptError::FinalStackInvalid(self.log.join("\n")))
    }

    fn operate(&mut self, code: u8, stack: &mut Vec<Item>) -> Result<(), ScriptError> {
        let name = name(code).expect("only known operations are read");
        self.log.push(format!("Executing function opcode {name} ({code:#x})"));
        match code {
            OP_CHECKMULTISIG => return self.check_multisig(stack),
            OP_EQUAL | OP_EQUALVERIFY | OP_CHECKSIG if stack.len() < 2 => {
                return Err(ScriptError::MissingStackItems(format!(
                    "{name}: need 2 elements on stack, currently {}",
                    stack.len()
                )));
            }
            _ => {}
        }
        let Some(top) = stack.pop() else {
            return Err(ScriptError::MissingStackItems(format!("{name}: empty stack")));
        };
        match code {
            OP_DUP => stack.extend([top.clone(), top]),
            OP_HASH160 => stack.push(Item::Bytes(hash160(&top.bytes()?).to_vec())),
            OP_GREATERTHAN_TIMESTAMP => {
                let lock: [u8; 4] = top.bytes()?.try_into().map_err(|_| ScriptError::Unanswered)?;
                let lock = u32::from_be_bytes(lock);
                if self.context.timestamp <= lock {
                    return Err(ScriptError::TimeLocked(us_date_time(lock)));
                }
            }
            _ => {
                let below = stack.pop().expect("two items were counted").bytes()?;
                let top = top.bytes()?;
                match code {
                    OP_CHECKSIG => {
                        let valid = self.check_signature(&below, &top)?;
                        stack.push(Item::Number(valid.into()));
                    }
                    OP_EQUALVERIFY if below == top => {}
                    OP_EQUALVERIFY => return Err(ScriptError::EqualVerifyFailed),
                    _ => {
                        if below != top {
                            let (top, below) = (hex::encode(top.as_slice()), hex::encode(below.as_slice()));
                            self.log.push(format!("OP_EQUAL: failed. elements: {top} {below}"));
                        }
                        stack.push(Item::Number((below == top).into()));
                    }
                }
            }
        }
        Ok(())
    }

    fn check_signature(&mut self, signature: &[u8], public_key: &[u8]) -> Result<bool, ScriptError> {
        if public_key.len() != 33 || !matches!(public_key[0], 2 | 3) {
            return Err(ScriptError::Other("OP_CHECKSIG: pubkey is not a compressed public key"));
        }
        let key = VerifyingKey::from_sec1_bytes(public_key)
            .map_err(|_| ScriptError::Other("OP_CHECKSIG: pubkey is not a public key"))?;
        // The node takes both values of s, the library only the low one.
        let valid = Signature::from_der(signature)
            .is_ok_and(|s| key.verify_prehash(&self.context.sighash, &s.normalize_s()).is_ok());
        if !valid {
            self.log.push("OP_CHECKSIG: failed".to_owned());
        }
        Ok(valid)
    }

    fn check_multisig(&mut self, stack: &mut Vec<Item>) -> Result<(), ScriptError> {
        let missing = |what: &str| Err(ScriptError::MissingStackItems(format!("OP_CHECKMULTISIG: {what}")));
        let invalid = |what: String| Err(ScriptError::InvalidStackData(format!("OP_CHECKMULTISIG: {what}")));
        let keys = match stack.pop() {
            None => return missing("empty stack"),
            Some(Item::Bytes(_)) => return invalid("pubkey count should be an integer".to_owned()),
            Some(Item::Number(n)) => usize::from(n),
        };
        if keys > MAX_MULTISIG_PUBKEYS {
            return invalid(format!("pubkey count ({keys}) exceeded the limit ({MAX_MULTISIG_PUBKEYS})"));
        }
        if stack.len() < keys {
            return missing("not enough public keys on the stack");
        }
        let public_keys = stack.split_off(stack.len() - keys);
        let signatures = match stack.pop() {
            None => return missing("less elements than should on the stack"),
            Some(Item::Bytes(_)) => return invalid("signatures count should be an integer".to_owned()),
            Some(Item::Number(n)) => usize::from(n),
        };
        if signatures > MAX_MULTISIG_SIGNATURES {
            return invalid(format!(
                "signature count ({signatures}) exceeded the limit ({MAX_MULTISIG_SIGNATURES})"
            ));
        }
        if stack.len() < signatures {
            return missing("not enough signatures on the stack");
        }
        let signatures = stack.split_off(stack.len() - signatures);
        // From the last of both: each signature takes the next key that it fits.
        let mut keys = public_keys.into_iter().rev();
        for signature in signatures.into_iter().rev() {
            let signature = signature.bytes()?;
            let mut fits = false;
            while !fits {
                let Some(key) = keys.next() else {
                    stack.push(Item::Number(0));
                    return Ok(());
                };
                fits = self.check_signature(&signature, &key.bytes()?)?;
            }
        }
        stack.push(Item::Number(1));
        Ok(())
    }
}

// Values as the full node, a Python program, prints them in its refusals.

/// Unix time as the node writes it, in UTC: `11/21/2026 09:33:58 AM`.
pub fn us_date_time(unix: u32) -> String {
    let UtcTime { year, month, day, hour, minute, second } = UtcTime::from_unix(unix.into());
    let half = if hour < 12 { "AM" } else { "PM" };
    format!("{month:02}/{day:02}/{year:04} {:02}:{minute:02}:{second:02} {half}", (hour + 11) % 12 + 1)
}

/// Bytes as Python prints them.
pub fn python_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\'' if quote == '\'' => text.push_str("\\'"),
            0x20..=0x7e => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push(quote);
    text
}

/// A big-endian number in decimal digits.
pub fn decimal(number: &[u8]) -> String {
    let mut limbs: Vec<u8> = number.to_vec();
    let mut groups = Vec::new();
    while limbs.iter().any(|&limb| limb != 0) {
        let mut remainder: u64 = 0;
        for limb in &mut limbs {
            let value = remainder << 8 | u64::from(*limb);
            *limb = u8::try_from(value / 1_000_000_000).expect("the remainder is below the divisor");
            remainder = value % 1_000_000_000;
        }
        groups.push(remainder);
    }
    let Some(first) = groups.pop() else { return "0".to_owned() };
    groups.iter().rev().fold(first.to_string(), |text, group| format!("{text}{group:09}"))
}

/// What a hash must be below for `weight`, in decimal digits: 2^(256 − weight) − 1 in double precision.
pub fn target(weight: f64) -> String {
    let target = (256.0 - weight).exp2() - 1.0;
    if target < 1.0 {
        return "0".to_owned();
    }
    let bits = target.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).expect("eleven bits") - 1_075;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    if exponent <= 0 {
        return (mantissa >> -exponent).to_string();
    }
    // The mantissa in big-endian bytes, shifted by whole bytes and then by the bits that are left.
    let shift = exponent.unsigned_abs();
    let mut number = (u128::from(mantissa) << (shift % 8)).to_be_bytes().to_vec();
    number.extend(std::iter::repeat_n(0, (shift / 8) as usize));
    decimal(&number)
}

#[cfg(test)]
mod tests {

    #[test]
    fn dates_and_bytes_are_written_as_the_node_writes_them() {
        assert_eq!(super::us_date_time(0), "01/01/1970 12:00:00 AM");
        assert_eq!(super::us_date_time(951_782_399), "02/28/2000 11:59:59 PM");
        assert_eq!(super::us_date_time(951_782_400), "02/29/2000 12:00:00 AM");
        assert_eq!(super::us_date_time(1_795_251_265), "11/21/2026 08:54:25 AM");
        assert_eq!(super::us_date_time(u32::MAX), "02/07/2106 06:28:15 AM");
        assert_eq!(super::python_bytes(b"a'\x00\n\\"), r#"b"a'\x00\n\\""#);
    }

    #[test]
    fn large_numbers_are_written_out() {
        assert_eq!(super::decimal(&[0, 0]), "0");
        assert_eq!(super::decimal(&[1, 0]), "256");
        assert_eq!(super::decimal(&[0xff; 16]), u128::MAX.to_string());
        // The numbers of a recorded refusal.
        assert_eq!(
            super::target(1.0),
            "57896044618658097711785492504343953926634992332820282019728792003956564819968"
        );
        assert_eq!(super::target(300.0), "0");
        assert_eq!(super::target(246.0), "1023");
        assert_eq!(super::target(200.0), "72057594037927936");
    }
}
