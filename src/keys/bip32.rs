//! BIP32 child derivation, with the reference wallet's unpadded hardened steps.

use super::batch_add::batch_add;
use crate::ledger::{checksum, hash160};
use crate::rt;
use hmac::{Hmac, KeyInit, Mac};
use k256::elliptic_curve::group::GroupEncoding;
use k256::elliptic_curve::{BatchNormalize, Group, PrimeField};
use k256::{AffinePoint, FieldBytes, NonZeroScalar, ProjectivePoint, PublicKey, Scalar};
use sha2::Sha512;
use std::ops::Range;
use zeroize::Zeroizing;

/// Bit 31 of an index: the step needs the private key.
const HARDENED: u32 = 1 << 31;
/// Keys derived together. Beyond a hundred or so, larger batches save nothing, and this many fit into the
/// caches.
const BATCH: usize = 256;

/// A key's position in its tree, as in extended keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub depth: u8,
    /// First bytes of the hash of the parent's public key; zero for the root.
    pub parent: [u8; 4],
    /// Index below the parent, hardened bit included.
    pub child: u32,
}

#[derive(Clone)]
pub(super) struct PublicNode {
    point: ProjectivePoint,
    compressed: [u8; 33],
    chain_code: [u8; 32],
    place: Place,
    /// Keyed with the chain code and fed with the key: every child adds only its index.
    child_mac: Hmac<Sha512>,
}

/// What else it has comes from these.
impl PartialEq for PublicNode {
    fn eq(&self, other: &Self) -> bool {
        (self.compressed, self.chain_code, self.place) == (other.compressed, other.chain_code, other.place)
    }
}

impl PublicNode {
    pub fn new(key: &PublicKey, chain_code: [u8; 32], place: Place) -> Self {
        let compressed = compress(key.as_affine());
        let mut child_mac = mac(&chain_code);
        child_mac.update(&compressed);
        Self { point: key.to_projective(), compressed, chain_code, place, child_mac }
    }

    pub fn compressed(&self) -> &[u8; 33] {
        &self.compressed
    }

    pub fn chain_code(&self) -> &[u8; 32] {
        &self.chain_code
    }

    pub fn place(&self) -> Place {
        self.place
    }

    /// Not hardened. Variable time: nothing here is secret.
    pub fn child(&self, index: u32) -> Self {
        let (key, chain_code, child) = first_valid(index, |index| {
            let tweak = self.tweak(index);
            let point = add_to_point(&self.point, &left(&tweak))?;
            let key = PublicKey::try_from(point).ok()?;
            Some((key, right(&tweak), index))
        });
        Self::new(&key, chain_code, self.place_of_child(child))
    }

    /// Compressed, derived in batches of [`BATCH`].
    pub fn child_keys(&self, range: Range<u32>) -> Vec<[u8; 33]> {
        let indexes: Vec<u32> = range.collect();
        let mut keys = Vec::with_capacity(indexes.len());
        for batch in indexes.chunks(BATCH) {
            let tweaks: Vec<_> = batch.iter().map(|&index| *left(&self.tweak(index))).collect();
            // The tables take 15 kB, compressed.
            if !rt::MUST_BE_SMALL
                && let Some(sums) = batch_add(&self.point, &tweaks)
            {
                keys.extend(sums);
                continue;
            }
            let points: Vec<_> = tweaks.iter().map(|tweak| add_to_point(&self.point, tweak)).collect();
            let compressed = compress_all(&points);
            keys.extend(
                batch.iter().zip(compressed).map(|(&i, key)| key.unwrap_or_else(|| self.child(i).compressed)),
            );
        }
        keys
    }

    /// HMAC-SHA512 over this key and `index`.
    fn tweak(&self, index: u32) -> Zeroizing<[u8; 64]> {
        finish(self.child_mac.clone(), index)
    }

    fn place_of_child(&self, child: u32) -> Place {
        let [a, b, c, d, ..] = hash160(&self.compressed);
        // A depth past 255 can't be written; no path here is deeper than 5.
        Place { depth: self.place.depth.saturating_add(1), parent: [a, b, c, d], child }
    }
}

/// A private key and its public side. The key is wiped when dropped. Its arithmetic takes constant time.
#[derive(Clone)]
pub(super) struct PrivateNode {
    key: Zeroizing<NonZeroScalar>,
    public: PublicNode,
}

impl PrivateNode {
    pub fn new(key: Zeroizing<NonZeroScalar>, chain_code: [u8; 32], place: Place) -> Self {
        let public = PublicNode::new(&PublicKey::from_secret_scalar(&key), chain_code, place);
        Self { key, public }
    }

    pub fn root(seed: &[u8; 64]) -> Self {
        let mut mac = mac(b"Bitcoin seed");
        mac.update(seed);
        let tweak = Zeroizing::new(<[u8; 64]>::from(mac.finalize().into_bytes()));
        let key = parse_private_key(&left(&tweak))
            .expect("HMAC-SHA512 gives a key outside the group for one seed in 2^127");
        Self::new(key, right(&tweak), Place { depth: 0, parent: [0; 4], child: 0 })
    }

    pub fn public(&self) -> &PublicNode {
        &self.public
    }

    /// Derived as the reference wallet does: **without** the leading zero bytes of the private key. Standard
    /// BIP32 hashes all 32 bytes, and gives other keys for about 1.2 % of seeds.
    pub fn hardened_child(&self, index: u32) -> Self {
        let bytes = private_bytes(&self.key);
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        self.child_of(index | HARDENED, |index| {
            let mut mac = mac(&self.public.chain_code);
            mac.update(&[0]);
            mac.update(&bytes[zeros..]);
            finish(mac, index)
        })
    }

    /// Not hardened.
    pub fn child(&self, index: u32) -> Self {
        self.child_of(index, |index| self.public.tweak(index))
    }

    /// The private key of the child at `index`, not hardened, for signing: without the child's chain code.
    pub fn child_key(&self, index: u32) -> Zeroizing<NonZeroScalar> {
        first_valid(index, |index| add_to_key(&self.key, &left(&self.public.tweak(index))))
    }

    fn child_of(&self, index: u32, tweak: impl Fn(u32) -> Zeroizing<[u8; 64]>) -> Self {
        let (key, chain_code, child) = first_valid(index, |index| {
            let tweak = tweak(index);
            Some((add_to_key(&self.key, &left(&tweak))?, right(&tweak), index))
        });
        Self::new(key, chain_code, self.public.place_of_child(child))
    }
}

/// `None` if they are zero or past the group order.
pub(super) fn parse_private_key(bytes: &[u8; 32]) -> Option<Zeroizing<NonZeroScalar>> {
    NonZeroScalar::from_repr(FieldBytes::from(*bytes)).into_option().map(Zeroizing::new)
}

fn private_bytes(key: &NonZeroScalar) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(<[u8; 32]>::from(key.to_repr()))
}

/// BIP32's rule for an index without a valid key (one in 2^127): take the next one.
fn first_valid<T>(index: u32, derive: impl Fn(u32) -> Option<T>) -> T {
    let mut index = index;
    loop {
        if let Some(found) = derive(index) {
            return found;
        }
        index = index.wrapping_add(1);
    }
}

fn mac(key: &[u8]) -> Hmac<Sha512> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}

fn finish(mut mac: Hmac<Sha512>, index: u32) -> Zeroizing<[u8; 64]> {
    mac.update(&index.to_be_bytes());
    Zeroizing::new(mac.finalize().into_bytes().into())
}

/// The half that is added to the parent's key.
fn left(tweak: &[u8; 64]) -> Zeroizing<[u8; 32]> {
    let mut half = Zeroizing::new([0; 32]);
    half.copy_from_slice(&tweak[..32]);
    half
}

/// The half that is the child's chain code.
fn right(tweak: &[u8; 64]) -> [u8; 32] {
    let mut half = [0; 32];
    half.copy_from_slice(&tweak[32..]);
    half
}

/// `None` if the tweak is past the group order. The sum may still be the point at infinity.
fn add_to_point(parent: &ProjectivePoint, tweak: &[u8; 32]) -> Option<ProjectivePoint> {
    let tweak = Scalar::from_repr(FieldBytes::from(*tweak)).into_option()?;
    Some(ProjectivePoint::mul_by_generator_vartime(&tweak) + parent)
}

/// `None` if the tweak is past the group order or the sum is zero.
fn add_to_key(parent: &NonZeroScalar, tweak: &[u8; 32]) -> Option<Zeroizing<NonZeroScalar>> {
    let tweak = Zeroizing::new(Scalar::from_repr(FieldBytes::from(*tweak)).into_option()?);
    let sum = Zeroizing::new(*tweak + parent.as_ref());
    NonZeroScalar::new(*sum).into_option().map(Zeroizing::new)
}

fn compress(point: &AffinePoint) -> [u8; 33] {
    point.to_bytes().into()
}

/// Compresses all points with one field inversion. Points that could not be computed and the point at
/// infinity are `None`.
fn compress_all(points: &[Option<ProjectivePoint>]) -> Vec<Option<[u8; 33]>> {
    let filled: Vec<_> = points.iter().map(|p| p.unwrap_or(ProjectivePoint::IDENTITY)).collect();
    let affine = ProjectivePoint::batch_normalize_vartime(filled.as_slice());
    filled
        .iter()
        .zip(affine)
        .map(|(point, affine)| (!bool::from(point.is_identity())).then(|| compress(&affine)))
        .collect()
}

// Extended public keys as text: `xpub…`. 78 bytes in base58 with a checksum: prefix 4, depth 1, parent
// fingerprint 4, child index 4, chain code 32, key 33.

/// `xpub`, on every network.
const PUBLIC_PREFIX: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];
const PAYLOAD: usize = 78;
const CHECKSUM: usize = 4;

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

/// `None` if it is invalid.
pub(super) fn read_public(text: &str) -> Option<PublicNode> {
    let payload = Payload::read(text)?;
    if payload.prefix() != PUBLIC_PREFIX {
        return None;
    }
    let key = PublicKey::from_sec1_bytes(payload.key()).ok()?;
    Some(PublicNode::new(&key, payload.chain_code(), payload.place()))
}

/// The decoded bytes, wiped when dropped: the text may be a private key.
struct Payload(Zeroizing<[u8; PAYLOAD + CHECKSUM]>);

impl Payload {
    fn read(text: &str) -> Option<Self> {
        // The fixed buffer also bounds the work for a text of any length.
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

    fn key(&self) -> &[u8] {
        &self.0[45..PAYLOAD]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

    fn bytes(hex: &str) -> [u8; 32] {
        hex::decode(hex).unwrap().try_into().unwrap()
    }

    #[test]
    fn a_tweak_past_the_group_order_gives_no_key() {
        let one = NonZeroScalar::new(Scalar::ONE).unwrap();
        assert!(add_to_key(&one, &bytes(ORDER)).is_none());
        assert!(add_to_point(&ProjectivePoint::GENERATOR, &bytes(ORDER)).is_none());
        assert!(add_to_key(&one, &[0xff; 32]).is_none());
        assert!(add_to_point(&ProjectivePoint::GENERATOR, &[0xff; 32]).is_none());
    }

    #[test]
    fn a_tweak_that_cancels_the_parent_gives_no_key() {
        let one = NonZeroScalar::new(Scalar::ONE).unwrap();
        let minus_one = <[u8; 32]>::from((-Scalar::ONE).to_repr());
        assert!(add_to_key(&one, &minus_one).is_none());
        let infinity = add_to_point(&ProjectivePoint::GENERATOR, &minus_one).unwrap();
        assert!(PublicKey::try_from(infinity).is_err());
    }

    #[test]
    fn a_batch_leaves_out_what_is_no_key_and_keeps_the_rest() {
        let generator = Some(ProjectivePoint::GENERATOR);
        let infinity = Some(ProjectivePoint::IDENTITY);
        let key = compress(&AffinePoint::GENERATOR);
        assert_eq!(compress_all(&[generator, None, infinity, generator]), [Some(key), None, None, Some(key)]);
        assert_eq!(compress_all(&[None, infinity]), [None, None]);
        assert_eq!(compress_all(&[]), []);
    }

    #[test]
    fn an_index_without_a_key_gives_way_to_the_next() {
        assert_eq!(first_valid(7, |index| (index > 8).then_some(index)), 9);
    }

    #[test]
    fn private_keys_are_between_zero_and_the_group_order() {
        assert!(parse_private_key(&[0; 32]).is_none());
        assert!(parse_private_key(&bytes(ORDER)).is_none());
        let mut greatest = bytes(ORDER);
        greatest[31] -= 1;
        assert!(parse_private_key(&greatest).is_some());
    }
}
