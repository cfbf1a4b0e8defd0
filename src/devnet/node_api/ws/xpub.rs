//! Public child keys of an extended key, for streams by xpub.

use crate::devnet::basics::NETWORK;
use crate::ledger::{Address, checksum, hash160};
use hmac::{Hmac, KeyInit, Mac};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{ProjectivePoint, PublicKey, Scalar};
use sha2::Sha512;

/// First bytes of an extended public key, on every network.
const XPUB_VERSION: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];

/// A public key whose children can be derived (BIP 32).
pub(super) struct ExtendedKey {
    chain_code: [u8; 32],
    key: PublicKey,
}

impl ExtendedKey {
    /// Reads the base58 text of an extended public key.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = bs58::decode(text).into_vec().ok()?;
        let (bytes, check) = bytes.split_at_checked(78)?;
        if checksum(bytes) != check || bytes[..4] != XPUB_VERSION {
            return None;
        }
        Some(Self {
            chain_code: bytes[13..45].try_into().ok()?,
            key: PublicKey::from_sec1_bytes(&bytes[45..]).ok()?,
        })
    }

    /// The address of the child at `index`; none for hardened children and for the one index in 2^127 that
    /// has no key.
    pub(super) fn child_address(&self, index: u32) -> Option<String> {
        if index >= 1 << 31 {
            return None;
        }
        let mut mac = Hmac::<Sha512>::new_from_slice(&self.chain_code).ok()?;
        mac.update(self.key.to_sec1_point(true).as_bytes());
        mac.update(&index.to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let mut tweak = k256::FieldBytes::default();
        tweak.copy_from_slice(&digest[..32]);
        let tweak = Option::<Scalar>::from(Scalar::from_repr(tweak))?;
        let child = ProjectivePoint::GENERATOR * tweak + self.key.to_projective();
        let child = PublicKey::from_affine(child.to_affine()).ok()?;
        Some(Address::p2pkh(NETWORK, hash160(child.to_sec1_point(true).as_bytes())).to_string())
    }
}
