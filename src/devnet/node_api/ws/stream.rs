//! One history stream of a connection: which addresses are still to come, which frames may go out, what was
//! acknowledged; and addresses below an extended public key.

use crate::devnet::NETWORK;
use crate::devnet::vertex_json::VertexJson;
use crate::ledger::{Address, VertexId, checksum, hash160};
use hmac::{Hmac, KeyInit, Mac};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{ProjectivePoint, PublicKey, Scalar};
use serde::Serialize;
use sha2::Sha512;
use std::collections::VecDeque;

/// The gap limit of a request that names none.
pub(super) const DEFAULT_GAP_LIMIT: u64 = 20;
/// The greatest gap limit that a request may name.
pub(super) const NODE_MAX_GAP_LIMIT: u64 = 10_000;
/// The most addresses of a manual stream that may wait for their turn.
const MAX_PENDING_ADDRESSES: usize = 5_000;

/// Where the addresses come from.
enum Source {
    /** Children of a key, from an index on. A key that can't be read gives none, and the stream never
     * ends. */
    Key { key: Option<ExtendedKey>, next_index: u32 },
    /** The client's list, as far as it has come, and whether it is complete. */
    List { pending: VecDeque<(u64, String)>, complete: bool },
}

/// A frame to send next.
#[derive(Serialize)]
#[serde(tag = "type")]
pub(super) enum Frame<'a> {
    #[serde(rename = "stream:history:begin")]
    Begin { id: &'a str, seq: u64, window_size: Option<u64> },
    #[serde(rename = "stream:history:address")]
    Address { id: &'a str, seq: u64, index: u64, address: &'a str, subscribed: bool },
    #[serde(rename = "stream:history:vertex")]
    Vertex { id: &'a str, seq: u64, data: &'a VertexJson },
    #[serde(rename = "stream:history:end")]
    End { id: &'a str, seq: u64 },
    #[serde(rename = "stream:history:error")]
    Error { id: &'a str, errmsg: &'a str },
}

/// What the stream is about to do.
pub(super) enum Step {
    /** Start with this address: subscribe it, and tell of its history with [`Stream::begin_address`]. */
    Address { index: u64, address: String },
    /** Send this vertex. */
    Vertex(VertexId),
    /** Send the end frame. */
    End,
}

pub(super) struct Stream {
    pub(super) id: String,
    source: Source,
    gap_limit: u64,
    empty_in_a_row: u64,
    vertices: VecDeque<VertexId>,
    next_seq: u64,
    last_ack: Option<u64>,
    window: Option<u64>,
    end_seq: Option<u64>,
}

impl Stream {
    fn new(id: String, source: Source, gap_limit: u64) -> Self {
        Self {
            id,
            source,
            gap_limit: gap_limit.max(1),
            empty_in_a_row: 0,
            vertices: VecDeque::new(),
            next_seq: 0,
            last_ack: None,
            window: None,
            end_seq: None,
        }
    }

    pub(super) fn of_key(id: String, key: Option<ExtendedKey>, first_index: u32, gap_limit: u64) -> Self {
        Self::new(id, Source::Key { key, next_index: first_index }, gap_limit)
    }

    pub(super) fn of_list(id: String, gap_limit: u64) -> Self {
        Self::new(id, Source::List { pending: VecDeque::new(), complete: false }, gap_limit)
    }

    /// Takes more addresses of a manual stream, or says why not. After the end they are ignored.
    pub(super) fn extend(&mut self, items: Vec<(u64, String)>, last: bool) -> Result<(), String> {
        if let Some((index, address)) = items.iter().find(|(_, address)| address.len() != 34) {
            return Err(format!("Invalid address: AddressItem(index={index}, address='{address}')"));
        }
        if let Source::List { pending, complete } = &mut self.source {
            if pending.len() + items.len() > MAX_PENDING_ADDRESSES {
                return Err("List of addresses is too long.".to_owned());
            }
            pending.extend(items);
            *complete |= last;
        }
        Ok(())
    }

    pub(super) const fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// The number for the next frame.
    pub(super) fn take_seq(&mut self) -> u64 {
        let seq = self.next_seq;
        self.next_seq += 1;
        seq
    }

    /// Whether the window of unacknowledged frames is full.
    fn paused(&self) -> bool {
        // The frame that follows the last acknowledged one is number 0 while there is none.
        let first_unacknowledged = self.last_ack.map_or(0, |ack| ack + 1);
        self.window.is_some_and(|window| self.next_seq >= first_unacknowledged.saturating_add(window))
    }

    /// Whether [`Stream::step`] has something to do.
    pub(super) fn ready(&self) -> bool {
        if self.end_seq.is_some() || self.paused() {
            return false;
        }
        !self.vertices.is_empty()
            || self.empty_in_a_row >= self.gap_limit
            || match &self.source {
                Source::Key { key, .. } => key.is_some(),
                Source::List { pending, complete } => !pending.is_empty() || *complete,
            }
    }

    /// The next thing to do; call it only when [`Stream::ready`].
    pub(super) fn step(&mut self) -> Step {
        if let Some(id) = self.vertices.pop_front() {
            return Step::Vertex(id);
        }
        if self.empty_in_a_row >= self.gap_limit {
            return Step::End;
        }
        match &mut self.source {
            Source::Key { key, next_index } => {
                let index = *next_index;
                match key.as_ref().and_then(|key| key.child_address(index)) {
                    Some(address) => {
                        *next_index += 1;
                        Step::Address { index: index.into(), address }
                    }
                    None => Step::End,
                }
            }
            Source::List { pending, .. } => match pending.pop_front() {
                Some((index, address)) => Step::Address { index, address },
                None => Step::End,
            },
        }
    }

    /// Notes the history of the address whose frame was just numbered.
    pub(super) fn begin_address(&mut self, history: Vec<VertexId>) {
        self.empty_in_a_row = if history.is_empty() { self.empty_in_a_row + 1 } else { 0 };
        self.vertices = history.into();
    }

    /// Numbers the end frame; from now on only its acknowledgement is awaited.
    pub(super) fn finish(&mut self) -> u64 {
        let seq = self.take_seq();
        self.end_seq = Some(seq);
        seq
    }

    /// Takes an acknowledgement. `Ok(true)` closes the stream in peace, an error closes it with that message.
    pub(super) fn acknowledge(&mut self, ack: i64) -> Result<bool, String> {
        let seen = u64::try_from(ack).ok();
        // What stands for no frame is no news as long as none was acknowledged.
        if ack == -1 && self.last_ack.is_none() {
            return Ok(false);
        }
        if seen < self.last_ack || seen.is_none() {
            return Err(format!("Outdated ACK received (ack={ack})"));
        }
        if seen.is_some_and(|ack| ack >= self.next_seq) {
            return Err(format!("Received ACK is higher than the last sent message (ack={ack})"));
        }
        self.last_ack = seen;
        Ok(seen == self.end_seq)
    }

    /// Sets how many frames may go out unacknowledged; a negative number takes the limit away.
    pub(super) fn set_window(&mut self, window: i64) {
        self.window = u64::try_from(window).ok();
    }
}

// Public child keys of an extended key, for streams by xpub.

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
