//! Wallets with a known history, made of what the genesis wallet pays them.

use crate::Outcome;
use headless_wallet::devnet::chain::Chain;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, Input, MiningJob, Network, Outpoint, Output, Script, TokenData, Transaction, VertexId,
};

const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival \
    spend attack anchor afford rotate green audit adjust fade wagon depart level";
/// Its index in the genesis wallet: the address that holds the first coins, and gets the change.
const HOME: u32 = 1;
const EACH: u64 = 1_000;
/// Addresses that a wallet is paid at.
const ADDRESSES: u32 = 100;

/// The seed of a wallet of this benchmark.
pub fn words_of(wallet: &str) -> String {
    let (word, last) = match wallet {
        "small" => ("abandon", "art"),
        "small, of the other build" => ("letter", "afraid"),
        "1,500" => ("zoo", "vote"),
        "10,000" => ("letter advice cage absurd amount doctor acoustic avoid", "bless"),
        _ => ("legal winner thank year wave sausage worth useful", "title"),
    };
    let mut words: Vec<&str> = word.split(' ').cycle().take(23).collect();
    words.push(last);
    words.join(" ")
}

/// Who pays, straight into the ledger, each time from the change of the time before.
pub struct Payer {
    keys: AccountKeys,
    home: Address,
    coin: Outpoint,
    left: u64,
    time: u32,
    /// What it has pushed.
    pub paid: Vec<VertexId>,
}

impl Payer {
    /// From `time` on, a second for each transaction.
    pub fn new(chain: &Chain, time: u32) -> Outcome<Self> {
        let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS)?, "");
        let home = Address::p2pkh(Network::Privatenet, keys.public().key_hashes(HOME..HOME + 1)[0]);
        let genesis = chain.genesis()[0];
        let vertex = chain.vertex(&genesis).ok_or("no genesis")?;
        let left = u64::try_from(vertex.outputs[0].output.value.cents())?;
        Ok(Self { keys, home, coin: Outpoint { tx: genesis, index: 0 }, left, time, paid: Vec::new() })
    }

    /// Pays a wallet's addresses in turn.
    pub fn fill(
        &mut self,
        chain: &mut Chain,
        wallet: &str,
        transactions: usize,
        outputs: usize,
    ) -> Outcome<()> {
        let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(&words_of(wallet))?, "");
        let hashes = keys.public().key_hashes(0..ADDRESSES);
        let mut next = hashes.iter().cycle().map(|hash| Address::p2pkh(Network::Privatenet, *hash));
        (0..transactions).try_for_each(|_| self.pay(chain, next.by_ref().take(outputs)))
    }

    fn pay(&mut self, chain: &mut Chain, to: impl Iterator<Item = Address>) -> Outcome<()> {
        let mut outputs = vec![output(self.home, 0)];
        outputs.extend(to.map(|address| output(address, EACH)));
        self.left -= EACH * (outputs.len() as u64 - 1);
        outputs[0].value = Amount::from(self.left);
        self.time += 1;
        let mut tx = Transaction {
            signal_bits: 0,
            tokens: vec![],
            inputs: vec![Input { spends: self.coin, data: vec![] }],
            outputs,
            creates: None,
            blueprint: None,
            weight: 2.0,
            timestamp: self.time,
            parents: chain.tx_parents(self.time).to_vec(),
            nonce: 0,
            headers: vec![],
        };
        tx.inputs[0].data = self.keys.sign(HOME, &tx.sighash()?).to_bytes()?;
        tx.nonce = MiningJob::new(&tx.mining_bytes()?, tx.weight).search(0..1 << 32).ok_or("no nonce")?;
        self.paid.push(tx.id()?);
        self.coin = Outpoint { tx: chain.push(&tx.to_bytes()?, self.time)?, index: 0 };
        Ok(())
    }
}

fn output(to: Address, value: u64) -> Output {
    let script = Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts");
    Output { value: Amount::from(value), token_data: TokenData::NATIVE, script }
}
