//! Extended keys as text: `xpub…`, and the three spellings of private ones.
//!
//! 78 bytes in base58 with a checksum: prefix 4, depth 1, parent fingerprint 4, child index 4, chain code 32,
//! key 33.

use super::bip32::{Place, PrivateNode, PublicNode, parse_private_key};
use crate::ledger::checksum;
use k256::PublicKey;
use zeroize::Zeroizing;

/// `xpub`, on every network.
const PUBLIC_PREFIX: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];
/// `htpr` (mainnet), `tnpr` (the others) and Bitcoin's `xprv`: the reference wallet writes all three.
const PRIVATE_PREFIXES: [[u8; 4]; 3] =
    [[0x03, 0x52, 0x3b, 0x05], [0x04, 0x34, 0xc8, 0xc4], [0x04, 0x88, 0xad, 0xe4]];
const PAYLOAD: usize = 78;
const CHECKSUM: usize = 4;

/// The `xpub…` text of a key.
pub(super) fn write_public(node: &PublicNode) -> String {
    let place = node.place();
    let mut bytes = Vec::with_capacity(PAYLOAD + CHECKSUM);
    bytes.extend(PUBLIC_PREFIX);
    bytes.push(place.depth);
    bytes.extend(place.parent);
    bytes.extend(place.child.to_be_bytes());
    bytes.extend(node.chain_code());
    bytes.extend(node.compressed());
    bytes.extend(checksum(&bytes));
    bs58::encode(bytes).into_string()
}

/// Reads an `xpub…`; `None` if it is none.
pub(super) fn read_public(text: &str) -> Option<PublicNode> {
    let payload = Payload::read(text)?;
    if payload.prefix() != PUBLIC_PREFIX {
        return None;
    }
    let key = PublicKey::from_sec1_bytes(payload.key()).ok()?;
    Some(PublicNode::new(&key, payload.chain_code(), payload.place()))
}

/// Reads an extended private key of any of the three prefixes; `None` if it is none.
pub(super) fn read_private(text: &str) -> Option<PrivateNode> {
    let payload = Payload::read(text)?;
    if !PRIVATE_PREFIXES.contains(&payload.prefix()) {
        return None;
    }
    let (&0, key) = payload.key().split_first()? else {
        return None;
    };
    let key = parse_private_key(key.try_into().ok()?)?;
    Some(PrivateNode::new(key, payload.chain_code(), payload.place()))
}

/// The decoded bytes, wiped when dropped.
struct Payload(Zeroizing<[u8; PAYLOAD + CHECKSUM]>);

impl Payload {
    fn read(text: &str) -> Option<Self> {
        // The fixed buffer also bounds the work that a text of any length can cause.
        let mut bytes = Zeroizing::new([0; PAYLOAD + CHECKSUM]);
        let length = bs58::decode(text).onto(bytes.as_mut_slice()).ok()?;
        let (payload, check) = bytes.split_at(PAYLOAD);
        (length == bytes.len() && checksum(payload) == check).then_some(Self(bytes))
    }

    fn bytes<const N: usize>(&self, start: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.0[start..start + N]);
        bytes
    }

    fn prefix(&self) -> [u8; 4] {
        self.bytes(0)
    }

    fn place(&self) -> Place {
        Place { depth: self.0[4], parent: self.bytes(5), child: u32::from_be_bytes(self.bytes(9)) }
    }

    fn chain_code(&self) -> [u8; 32] {
        self.bytes(13)
    }

    /// 33 bytes; they may be a secret, so they stay in place.
    fn key(&self) -> &[u8] {
        &self.0[45..PAYLOAD]
    }
}
