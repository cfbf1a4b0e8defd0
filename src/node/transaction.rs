//! Transactions and tokens as full nodes describe them.

use super::object::{self, object};
use super::wire::amount_of;
use super::{CallError, Fault, FullNode};
use crate::ledger::{
    Amount, AmountVersion, Network, Outpoint, SpentOutput, TokenUid, TokenVersion, Transaction, VertexId,
    data_of, vertex_outputs,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The path that a transaction is asked for at.
const TRANSACTION: &str = "transaction";

/// What the ledger says of one transaction or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxStatus {
    /// Lost a conflict, or spends what did.
    pub voided: bool,
    /// The block that first confirmed it.
    pub first_block: Option<VertexId>,
    pub first_block_height: Option<u32>,
}

/// An answer of which only what the transaction is made of is read.
#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Wire<T> {
    #[serde(deserialize_with = "object")]
    tx: T,
}

impl FullNode {
    /// How a transaction stands; `None` if the node does not know it.
    pub async fn transaction(&self, id: &VertexId) -> Result<Option<TxStatus>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(deserialize_with = "object")]
            meta: Meta,
        }
        #[derive(Deserialize)]
        struct Meta {
            voided_by: Vec<String>,
            #[serde(default)]
            first_block: Option<VertexId>,
            #[serde(default)]
            first_block_height: Option<u32>,
        }
        let found = self.find::<Wire>(id).await?;
        Ok(found.map(|Wire { meta }| TxStatus {
            voided: !meta.voided_by.is_empty(),
            first_block: meta.first_block,
            first_block_height: meta.first_block_height,
        }))
    }

    /// The outputs of a transaction or block, read from its bytes, of which its id is the hash; `None` if the
    /// node does not know it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] if the bytes can't be read, on
    /// this network, or hash to another id.
    pub async fn outputs(
        &self,
        id: &VertexId,
        network: Network,
    ) -> Result<Option<Vec<SpentOutput>>, CallError> {
        let Some(bytes) = self.vertex_bytes(id).await? else { return Ok(None) };
        vertex_outputs(&bytes, *id, network.amounts())
            .map(Some)
            .map_err(|what| self.invalid_transaction(what))
    }

    /// A transaction as it is on the ledger, signatures and all; `None` if the node does not know it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] if the bytes can't be read,
    /// are a block's, or hash to another id.
    pub async fn full_transaction(&self, id: &VertexId) -> Result<Option<Transaction>, CallError> {
        let Some(bytes) = self.vertex_bytes(id).await? else { return Ok(None) };
        let transaction = Transaction::from_bytes_with_v2(&bytes).ok();
        let transaction = transaction.filter(|transaction| transaction.id().is_ok_and(|hash| hash == *id));
        transaction.map(Some).ok_or_else(|| self.invalid_transaction("the transaction's bytes can't be read"))
    }

    /// The bytes of a transaction or block, as the node gives them; `None` if it does not know it.
    pub async fn vertex_bytes(&self, id: &VertexId) -> Result<Option<Vec<u8>>, CallError> {
        #[derive(Deserialize)]
        struct Tx {
            raw: String,
        }
        let Some(Wire { tx: Tx { raw } }) = self.find(id).await? else { return Ok(None) };
        let bytes = hex::decode(raw);
        bytes.map(Some).map_err(|_| self.invalid_transaction("the transaction's bytes are not hexadecimal"))
    }

    /// What is wrong with a node that names a transaction which took an input, and shows none.
    pub(crate) fn unproven_spender(&self, id: &VertexId) -> CallError {
        let what = format!(
            "it says that {id} has spent an input, and shows no transaction of that id with a signature for it"
        );
        self.invalid_transaction(what)
    }

    fn invalid_transaction(&self, what: impl Into<String>) -> CallError {
        self.endpoint.error(TRANSACTION, Fault::InvalidAnswer(what.into()))
    }

    /// A valid transaction, other than `but`, that spends one of these outputs, if the node knows one.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked about one of their transactions before a spender is found.
    /// One that it does not know has no spender.
    pub async fn spender(
        &self,
        outputs: &[Outpoint],
        but: Option<&VertexId>,
    ) -> Result<Option<VertexId>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            /// Valid spenders only.
            #[serde(default, deserialize_with = "object::entries")]
            spent_outputs: Vec<(u8, VertexId)>,
        }
        for (i, Outpoint { tx, .. }) in outputs.iter().enumerate() {
            if outputs[..i].iter().any(|asked| asked.tx == *tx) {
                continue;
            }
            let Some(Wire { spent_outputs }) = self.find::<Wire>(tx).await? else { continue };
            let of_this = outputs.iter().filter(|output| output.tx == *tx);
            let spender_of = |output: &Outpoint| {
                let mut spends = spent_outputs.iter();
                spends.find_map(|(index, spender)| (*index == output.index).then_some(*spender))
            };
            let mut spenders = of_this.filter_map(spender_of);
            if let Some(spender) = spenders.find(|spender| Some(spender) != but) {
                return Ok(Some(spender));
            }
        }
        Ok(None)
    }

    /// `GET transaction`: `None` if the node does not know it.
    pub(super) async fn find<T: DeserializeOwned>(&self, id: &VertexId) -> Result<Option<T>, CallError> {
        match self.endpoint.read(TRANSACTION, &[("id", &id.to_string())]).await {
            Err(CallError { fault: Fault::Refused(message), .. }) if message == "Transaction not found" => {
                Ok(None)
            }
            answer => answer.map(Some),
        }
    }

    /// What a transaction is made of, in the node's words.
    pub(super) async fn transaction_body<T: DeserializeOwned>(&self, id: &VertexId) -> Result<T, CallError> {
        let query = [("id", &*id.to_string())];
        self.endpoint.read::<Wire<T>>(TRANSACTION, &query).await.map(|Wire { tx }| tx)
    }

    /// Parents as [`FullNode::tx_parents`] gives them, and the later one's timestamp, which a transaction
    /// that confirms them must be past.
    pub(super) async fn parents_and_time(&self) -> Result<([VertexId; 2], u32), CallError> {
        #[derive(Deserialize)]
        struct Tx {
            timestamp: u32,
        }
        let parents = self.tx_parents().await?;
        let tx = |id| self.transaction_body::<Tx>(id);
        let (one, other) = futures_util::try_join!(tx(&parents[0]), tx(&parents[1]))?;
        Ok((parents, one.timestamp.max(other.timestamp)))
    }

    /// Parents for `transaction` that are older than it in any case, for when the node's newest ones are not:
    /// those of what it spends, which count as long as that does.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked about the first transaction spent, or, where that names no
    /// parents, about its genesis.
    pub async fn older_parents(&self, transaction: &Transaction) -> Result<[VertexId; 2], CallError> {
        #[derive(Deserialize)]
        struct Tx {
            parents: Vec<VertexId>,
        }
        if let Some(input) = transaction.inputs.first() {
            let Tx { parents } = self.transaction_body(&input.spends.tx).await?;
            // A block's first parent is a block.
            if let [.., one, other] = parents.as_slice() {
                return Ok([*one, *other]);
            }
        }
        self.genesis_transactions().await
    }

    /// The two transactions that the network began with.
    async fn genesis_transactions(&self) -> Result<[VertexId; 2], CallError> {
        #[derive(Deserialize)]
        struct Wire {
            genesis_tx1_hash: VertexId,
            genesis_tx2_hash: VertexId,
        }
        let wire: Wire = self.endpoint.read("version", &[]).await?;
        Ok([wire.genesis_tx1_hash, wire.genesis_tx2_hash])
    }

    /// That what it says of an output in its history is not what the bytes of its transaction say.
    pub(crate) fn other_output(&self, output: Outpoint) -> CallError {
        let Outpoint { tx, index } = output;
        let what = format!("output {index} of transaction {tx} is not what its history says it is");
        self.invalid_transaction(what)
    }
}

// What the full node says of a token.

/// A token, as the node knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenDescription {
    pub name: String,
    pub symbol: String,
    /// `None` for the native token and from nodes that don't say.
    pub version: Option<TokenVersion>,
    /// All that there is of it, in cents; `None` from nodes that don't say, or that say it wrong.
    pub total: Option<Amount>,
    /// Whether somebody may mint more.
    pub can_mint: bool,
    /// Whether somebody may melt some.
    pub can_melt: bool,
}

impl FullNode {
    /// `GET thin_wallet/token`: `None` if the node does not know it.
    pub async fn token(&self, uid: &TokenUid) -> Result<Option<TokenDescription>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            name: String,
            symbol: String,
            #[serde(default)]
            version: Option<u8>,
            #[serde(default)]
            total: Option<Value>,
            #[serde(default)]
            can_mint: bool,
            #[serde(default)]
            can_melt: bool,
        }
        const PATH: &str = "thin_wallet/token";
        let uid = uid.to_string();
        let query = [("id", &*uid)];
        let answer = self.endpoint.get(PATH, &query).await;
        let answer = self.endpoint.or_in_decimals(answer, PATH, &query).await;
        match answer.and_then(|answer| self.endpoint.parse::<Wire>(PATH, &answer)) {
            Ok(wire) => Ok(Some(TokenDescription {
                name: wire.name,
                symbol: wire.symbol,
                version: match wire.version {
                    Some(1) => Some(TokenVersion::Deposit),
                    Some(2) => Some(TokenVersion::Fee),
                    _ => None,
                },
                total: wire.total.as_ref().and_then(amount_of),
                can_mint: wire.can_mint,
                can_melt: wire.can_melt,
            })),
            Err(CallError { fault: Fault::Refused(message), .. }) if message == "Unknown token" => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// What identifies a token that is an NFT: the text in the first output of its creation. `None` for any
    /// other token, and where the creation can't be read.
    pub async fn nft_data(&self, token: &TokenUid) -> Result<Option<String>, CallError> {
        let TokenUid::Custom(creation) = token else { return Ok(None) };
        let bytes = match self.vertex_bytes(creation).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) | Err(CallError { fault: Fault::InvalidAnswer(_), .. }) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        // Only a text is read, which moves nothing: of either version, on any network.
        let outputs = vertex_outputs(&bytes, *creation, AmountVersion::V2).ok();
        Ok(outputs.and_then(|outputs| Some(data_of(&outputs.first()?.script)?.to_owned())))
    }
}
