//! ECDSA over secp256k1: RFC 6979, low S, DER, no hash-type byte.

use super::Signature as Signed;
use super::bip32::parse_private_key;
use crate::ledger::{Address, AddressKind, InputData, Network, RedeemScript, Script, hash160, sha256d};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ecdsa::hazmat::sign_prehashed_rfc6979;
use k256::Secp256k1;
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use k256::elliptic_curve::group::GroupEncoding;
use sha2::Sha256;

const DER_SEQUENCE: u8 = 0x30;
const DER_INTEGER: u8 = 0x02;
const MESSAGE_MAGIC: &[u8] = b"Hathor Signed Message:\n";
/// In bytes of UTF-8: it fits an HTTP body of 100 KiB even if JSON escapes each byte as `\u00xx`.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024;
/// First byte of a signed message's signature, for recovery id 0 and a compressed public key.
const MESSAGE_HEADER: u8 = 31;

/// In DER.
pub fn sign_digest(private_key: &[u8; 32], digest: &[u8; 32]) -> Result<Vec<u8>, SignatureError> {
    Ok(signature_by(&signing_key(private_key)?, digest, b"").to_der())
}

/// `signature` is in DER; high S is accepted, as by the node. `public_key` has 33 bytes.
pub fn verify_digest(public_key: &[u8], digest: &[u8; 32], signature: &[u8]) -> bool {
    // The node accepts only compressed keys.
    if public_key.len() != 33 {
        return false;
    }
    let (Ok(key), Some(signature)) = (VerifyingKey::from_sec1_bytes(public_key), of_der(signature)) else {
        return false;
    };
    key.verify_prehash(digest, &signature.normalize_s()).is_ok()
}

/// Whether a message is short enough to be signed.
///
/// # Errors
/// What it must be, as the end of a sentence that begins with its name.
pub fn message_fits(message: &str) -> Result<(), String> {
    match message.len() {
        0..=MAX_MESSAGE_BYTES => Ok(()),
        length => Err(format!(
            "must have at most {MAX_MESSAGE_BYTES} bytes in UTF-8, and has {length}: sign its hash instead"
        )),
    }
}

/// A 65-byte compact recoverable signature in base64.
pub fn sign_message(private_key: &[u8; 32], message: &str) -> Result<String, SignatureError> {
    Ok(message_signature(&signing_key(private_key)?, message))
}

/// `signature` is in base64, `key_hash` that of the signing key.
pub fn verify_message(key_hash: &[u8; 20], message: &str, signature: &str) -> bool {
    message_signer(message, signature).is_some_and(|key| hash160(&key) == *key_hash)
}

/// Whether `signature` (base64) is of `message` by the key of `address`, which is of `network`, or of any
/// network.
///
/// # Errors
/// No key can have signed for the address: what it must be, as the end of a sentence that begins with its
/// name.
pub fn is_signed(
    address: &str,
    network: Option<Network>,
    message: &str,
    signature: &str,
) -> Result<bool, String> {
    let address = match network {
        Some(network) => Address::parse(address, network),
        None => Address::parse_any(address),
    };
    let address = address.map_err(|error| error.must_be(network))?;
    match address.kind() {
        AddressKind::P2pkh => Ok(verify_message(&address.hash(), message, signature)),
        AddressKind::P2sh => {
            Err("must be of one key (P2PKH): nobody signs messages for a multisig address".to_owned())
        }
    }
}

/// Differs for each `salt` (RFC 6979, 3.6: additional data).
pub(super) fn signature_by(key: &SigningKey, digest: &[u8; 32], salt: &[u8]) -> Signed {
    let (signature, recovery) =
        sign_prehashed_rfc6979::<Secp256k1, Sha256>(key.as_nonzero_scalar(), digest, salt);
    Signed::new(public_key(key.verifying_key()), signature.to_bytes().into(), recovery.to_byte())
}

pub(super) fn der_of(compact: &[u8; 64]) -> Vec<u8> {
    let (r, s) = compact.split_at(32);
    let mut der = vec![DER_SEQUENCE, 0];
    push_integer(&mut der, r);
    push_integer(&mut der, s);
    // At most 72: a length of one byte.
    der[1] = der.len() as u8 - 2;
    der
}

/// `None` unless this is exactly its DER.
fn of_der(der: &[u8]) -> Option<Signature> {
    let (r, rest) = der.get(4..)?.split_at_checked(usize::from(*der.get(3)?))?;
    let compact: [u8; 64] = [scalar(r)?, scalar(rest.get(2..)?)?].concat().try_into().ok()?;
    let signature = Signature::from_slice(&compact).ok()?;
    // This checks headers, lengths and signs: a signature has only one encoding.
    (der_of(&compact) == der).then_some(signature)
}

/// A number of at most 32 bytes, with or without leading zeros.
fn scalar(number: &[u8]) -> Option<[u8; 32]> {
    let number = &number[number.iter().take_while(|&&byte| byte == 0).count()..];
    let mut scalar = [0; 32];
    scalar[32usize.checked_sub(number.len())?..].copy_from_slice(number);
    Some(scalar)
}

/// The signature with low S; `None` if it is not one of `digest` by the key.
pub(super) fn verifies(public_key: &[u8; 33], digest: &[u8; 32], compact: &[u8; 64]) -> Option<[u8; 64]> {
    let key = VerifyingKey::from_sec1_bytes(public_key).ok()?;
    let signature = Signature::from_slice(compact).ok()?.normalize_s();
    key.verify_prehash(digest, &signature).ok()?;
    Some(signature.to_bytes().into())
}

/// The recovery id.
pub(super) fn find_recovery(public_key: &[u8; 33], digest: &[u8; 32], compact: &[u8; 64]) -> Option<u8> {
    let key = VerifyingKey::from_sec1_bytes(public_key).ok()?;
    let signature = Signature::from_slice(compact).ok()?;
    let found = RecoveryId::trial_recovery_from_prehash(&key, digest, &signature);
    found.ok().map(|recovery| recovery.to_byte())
}

/// A number in DER: without leading zeros except for zero itself, and with one if it would otherwise be
/// negative.
fn push_integer(der: &mut Vec<u8>, number: &[u8]) {
    let zeros = number.iter().take_while(|&&byte| byte == 0).count();
    let number = &number[zeros.min(number.len() - 1)..];
    let sign: &[u8] = if number[0] & 0x80 == 0 { &[] } else { &[0] };
    der.extend([DER_INTEGER, (sign.len() + number.len()) as u8]);
    der.extend(sign);
    der.extend(number);
}

/// In base64.
pub(super) fn message_signature(key: &SigningKey, message: &str) -> String {
    let signature = signature_by(key, &message_digest(message), b"");
    signed_message(&signature, message).expect("it was made with its recovery id")
}

/// A signature of [`message_digest`] in the format of this network's wallets: 65 bytes in base64. `None` if
/// it is of another text.
pub fn signed_message(signature: &Signed, message: &str) -> Option<String> {
    let mut bytes = [0; 65];
    bytes[0] = MESSAGE_HEADER + signature.recovery(&message_digest(message))?;
    bytes[1..].copy_from_slice(&signature.compact);
    Some(BASE64_STANDARD.encode(bytes))
}

/// Compressed.
pub(super) fn public_key(key: &VerifyingKey) -> [u8; 33] {
    key.as_affine().to_bytes().into()
}

/// The public key that signed `message`; `None` if the signature is invalid.
fn message_signer(message: &str, signature: &str) -> Option<[u8; 33]> {
    let bytes: [u8; 65] = BASE64_STANDARD.decode(signature).ok()?.try_into().ok()?;
    let (&header, scalars) = bytes.split_first()?;
    let recovery = RecoveryId::from_byte(header.checked_sub(MESSAGE_HEADER)?)?;
    let signature = Signature::from_slice(scalars).ok()?;
    let key = VerifyingKey::recover_from_prehash(&message_digest(message), &signature, recovery).ok()?;
    Some(public_key(&key))
}

/// The hash of the magic and the message, each after its length.
pub fn message_digest(message: &str) -> [u8; 32] {
    let mut bytes = Vec::with_capacity(MESSAGE_MAGIC.len() + message.len() + 10);
    for part in [MESSAGE_MAGIC, message.as_bytes()] {
        push_length(&mut bytes, part.len() as u64);
        bytes.extend_from_slice(part);
    }
    sha256d(&bytes)
}

/// Bitcoin's variable-length integer; little-endian.
fn push_length(bytes: &mut Vec<u8>, length: u64) {
    if let Ok(length @ 0..=0xfc) = u8::try_from(length) {
        bytes.push(length);
    } else if let Ok(length) = u16::try_from(length) {
        bytes.push(0xfd);
        bytes.extend(length.to_le_bytes());
    } else if let Ok(length) = u32::try_from(length) {
        bytes.push(0xfe);
        bytes.extend(length.to_le_bytes());
    } else {
        bytes.push(0xff);
        bytes.extend(length.to_le_bytes());
    }
}

fn signing_key(private_key: &[u8; 32]) -> Result<SigningKey, SignatureError> {
    parse_private_key(private_key).map(|key| SigningKey::from(*key)).ok_or(SignatureError)
}

/// A private key that is zero or past the group order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a private key")]
pub struct SignatureError;

/// Why an input's data does not let it spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    #[error("has no signature yet")]
    Unsigned,
    /// Neither a signature and its key, nor signatures and their redeem script.
    #[error("has data that is no signature with its key")]
    Malformed,
    /// The output that it spends pays another key or another redeem script.
    #[error("has the key of another address than the one that it spends from")]
    Foreign,
    /// Of another transaction, or by another key than the one beside it.
    #[error("has a signature that is not one of this transaction by its key")]
    WrongSignature,
}

/// Verifies an input's data: the signatures of a digest, and the keys against the spent output's script if
/// that is known. A script of a kind that wallets don't write is not verified.
pub fn check_input(data: &[u8], digest: &[u8; 32], spends: Option<&Script>) -> Result<(), InputError> {
    if data.is_empty() {
        return Err(InputError::Unsigned);
    }
    let data = InputData::parse(data).ok_or(InputError::Malformed)?;
    if let Some(Script::Pay { to, .. }) = spends {
        let shown = match &data {
            InputData::P2pkh { public_key, .. } => (AddressKind::P2pkh, hash160(public_key)),
            InputData::P2sh { redeem_script, .. } => (AddressKind::P2sh, hash160(redeem_script)),
        };
        if shown != (to.kind(), to.hash()) {
            return Err(InputError::Foreign);
        }
    }
    let signed = match &data {
        InputData::P2pkh { signature, public_key } => verify_digest(public_key, digest, signature),
        InputData::P2sh { signatures, redeem_script } => {
            let keys = RedeemScript::parse(redeem_script).ok_or(InputError::Malformed)?.public_keys;
            let mut keys = keys.iter();
            // Signatures come in the order of their keys.
            signatures.iter().all(|signature| keys.any(|key| verify_digest(key, digest, signature)))
        }
    };
    if signed { Ok(()) } else { Err(InputError::WrongSignature) }
}
