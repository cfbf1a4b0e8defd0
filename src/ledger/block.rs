//! Blocks, as far as a wallet or a local network has to read and write them (version 0).

use super::codec::{
    DecodeError, EncodeError, Reader, Sink, graph_size, mining_bytes, outputs_size, vertex_id,
};
use super::{AmountVersion, Output, VertexId};
use sha2::{Digest, Sha256};

const VERSION: u8 = 0;

/// A block: outputs paid to its miner, three parents (the block before it first), 16 bytes of nonce.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub signal_bits: u8,
    pub outputs: Vec<Output>,
    pub weight: f64,
    pub timestamp: u32,
    pub parents: Vec<VertexId>,
    pub data: Vec<u8>,
    pub nonce: u128,
}

impl Block {
    /// Reads a block of version 0.
    ///
    /// # Errors
    /// [`DecodeError::NotSupported`] for a block of another version, [`DecodeError::Malformed`] for a
    /// transaction, for bytes that are too few or too many, and for a value that is not written as it must
    /// be.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let signal_bits = reader.u8("signal bits")?;
        match reader.u8("version")? {
            VERSION => {}
            version @ (1 | 2 | 4 | 6) => {
                return Err(DecodeError::malformed("block", format!("version {version} is a transaction")));
            }
            version => return Err(DecodeError::NotSupported(format!("block version {version}"))),
        }
        let output_count = reader.u8("number of outputs")?;
        let outputs = reader.many(output_count, |reader| reader.output(AmountVersion::V1))?;
        let (weight, timestamp, parents) = reader.graph()?;
        let data = reader.bytes8("block data")?.to_vec();
        let nonce = reader.array("nonce").map(u128::from_be_bytes)?;
        if !reader.is_empty() {
            return Err(DecodeError::malformed("block", "bytes after the nonce"));
        }
        Ok(Self { signal_bits, outputs, weight, timestamp, parents, data, nonce })
    }

    /// The block as the network has it: funds, graph, data and nonce.
    ///
    /// # Errors
    /// [`EncodeError`] for more than 255 outputs or parents, for a value that no output holds, and for a
    /// script or data longer than its length can say.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let size = 3
            + outputs_size(&self.outputs, AmountVersion::V1)
            + graph_size(&self.parents)
            + 1
            + self.data.len()
            + 16;
        let mut bytes = Vec::with_capacity(size);
        self.write_funds(&mut bytes)?;
        self.write_graph(&mut bytes)?;
        bytes.put(&self.nonce.to_be_bytes());
        Ok(bytes)
    }

    /// The block's id: hash over everything, the proof of work included.
    pub fn id(&self) -> Result<VertexId, EncodeError> {
        Ok(vertex_id(&self.mining_bytes()?, self.nonce))
    }

    /// SHA-256 of funds, then of graph and data: what the nonce is hashed with (64 bytes).
    pub fn mining_bytes(&self) -> Result<[u8; 64], EncodeError> {
        let (mut funds, mut graph) = (Sha256::new(), Sha256::new());
        self.write_funds(&mut funds)?;
        self.write_graph(&mut graph)?;
        Ok(mining_bytes(funds, graph))
    }

    fn write_funds(&self, sink: &mut impl Sink) -> Result<(), EncodeError> {
        let count = u8::try_from(self.outputs.len());
        let count = count.map_err(|_| EncodeError::TooManyOutputs(self.outputs.len()))?;
        sink.put(&[self.signal_bits, VERSION, count]);
        sink.put_outputs(&self.outputs, AmountVersion::V1)
    }

    fn write_graph(&self, sink: &mut impl Sink) -> Result<(), EncodeError> {
        sink.put_graph(self.weight, self.timestamp, &self.parents)?;
        sink.put_bytes8("block data", &self.data)
    }
}
