//! Keys, coins and transactions for the tests.

use headless_wallet::devnet::chain::{Chain, Genesis, Rules};
use headless_wallet::ledger::{
    Address, Amount, FeeEntry, Header, Input, InputData, MiningJob, Network, Outpoint, Output, Script,
    TokenData, TokenInfo, TokenVersion, Transaction, VertexId, hash160,
};
use k256::ecdsa::signature::hazmat::PrehashSigner;
use k256::ecdsa::{Signature, SigningKey};

/// When the tests start.
pub const NOW: u32 = 1_800_000_000;

/// A party with one key.
#[derive(Clone)]
pub struct Party(SigningKey);

impl Party {
    pub fn new(seed: u8) -> Self {
        Self::of(&[seed; 32])
    }

    pub fn of(private_key: &[u8]) -> Self {
        Self(SigningKey::from_slice(private_key).unwrap())
    }

    pub fn public_key(&self) -> [u8; 33] {
        self.0.verifying_key().to_sec1_point(true).as_bytes().try_into().unwrap()
    }

    pub fn address(&self) -> Address {
        Address::p2pkh(Network::Privatenet, hash160(&self.public_key()))
    }

    pub fn script(&self) -> Vec<u8> {
        pay(self.address(), None)
    }

    pub fn signature(&self, digest: [u8; 32]) -> Vec<u8> {
        let signature: Signature = self.0.sign_prehash(&digest).unwrap();
        signature.to_der().as_bytes().to_vec()
    }

    pub fn input_data(&self, digest: [u8; 32]) -> Vec<u8> {
        InputData::P2pkh { signature: self.signature(digest), public_key: self.public_key() }
            .to_bytes()
            .unwrap()
    }
}

pub fn pay(to: Address, timelock: Option<u32>) -> Vec<u8> {
    Script::Pay { to, timelock }.to_bytes().unwrap()
}

pub fn data(text: &str) -> Vec<u8> {
    Script::Data(text.to_owned()).to_bytes().unwrap()
}

pub fn chain() -> Chain {
    Chain::new(Rules::default(), Genesis::private())
}

/// A transaction in the making: parents, weight and signatures are put in at the end.
#[derive(Clone)]
pub struct Draft {
    pub tx: Transaction,
    signers: Vec<Party>,
}

impl Draft {
    /// One of time `timestamp`, with the parents that `chain` offers.
    pub fn new(chain: &Chain, timestamp: u32) -> Self {
        let tx = Transaction {
            signal_bits: 0,
            tokens: vec![],
            inputs: vec![],
            outputs: vec![],
            creates: None,
            blueprint: None,
            weight: 1.0,
            timestamp,
            parents: chain.parents_before(timestamp).to_vec(),
            nonce: 0,
            headers: vec![],
        };
        Self { tx, signers: vec![] }
    }

    pub fn spend(mut self, tx: VertexId, index: u8, owner: &Party) -> Self {
        self.tx.inputs.push(Input { spends: Outpoint { tx, index }, data: vec![] });
        self.signers.push(owner.clone());
        self
    }

    pub fn output(mut self, value: u64, token_data: TokenData, script: Vec<u8>) -> Self {
        self.tx.outputs.push(Output { value: Amount::from(value), token_data, script });
        self
    }

    pub fn to(self, party: &Party, value: u64) -> Self {
        self.output(value, TokenData::NATIVE, party.script())
    }

    pub fn tokens(mut self, tokens: &[VertexId]) -> Self {
        self.tx.tokens = tokens.to_vec();
        self
    }

    pub fn creates(mut self, name: &str, symbol: &str, version: TokenVersion) -> Self {
        self.tx.creates = Some(TokenInfo { name: name.to_owned(), symbol: symbol.to_owned(), version });
        self
    }

    pub fn fee(mut self, amount: u128) -> Self {
        self.tx.headers = vec![Header::Fee(vec![FeeEntry { token_index: 0, amount: Amount::new(amount) }])];
        self
    }

    pub fn parents(mut self, parents: &[VertexId]) -> Self {
        self.tx.parents = parents.to_vec();
        self
    }

    pub fn weight(mut self, weight: f64) -> Self {
        self.tx.weight = weight;
        self
    }

    /// Signs every input and finds the nonce.
    pub fn solved(mut self) -> Transaction {
        let digest = self.tx.sighash().unwrap();
        for (input, signer) in self.tx.inputs.iter_mut().zip(&self.signers) {
            input.data = signer.input_data(digest);
        }
        solve(self.tx)
    }

    pub fn bytes(self) -> Vec<u8> {
        self.solved().to_bytes().unwrap()
    }
}

/// Finds the nonce.
pub fn solve(mut tx: Transaction) -> Transaction {
    tx.nonce = MiningJob::new(&tx.mining_bytes().unwrap(), tx.weight).search(0..1 << 32).unwrap();
    tx
}

/// The id and the refusal's text, whichever it is.
pub fn refusal<T: std::fmt::Debug, E: ToString>(answer: Result<T, E>) -> String {
    answer.map_err(|error| error.to_string()).unwrap_err()
}

/// Funds `party`; the coin is output 0.
pub fn fund(chain: &mut Chain, party: &Party, cents: u64, now: u32) -> VertexId {
    chain.fund(party.address(), Amount::from(cents), now).unwrap()
}
