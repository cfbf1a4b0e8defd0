//! Vertices and wallets for tests.

use headless_wallet::keys::{AccountKeys, AccountPublic, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, DepositRate, ExtraMembers, Network, Outpoint, Script, ScriptBytes, SpentOutput,
    TokenData, TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};
use headless_wallet::wallet::{InputRequest, OutputRequest, Plan, Scan, SendRequest, Settings, State};
use std::sync::OnceLock;

/// A time at which nothing is locked unless a test says so.
pub const NOW: u32 = 1_700_001_000;
/// Reservations in tests last this long, unless they are about that.
pub const LATER: u32 = NOW + 60;
pub const NATIVE: TokenUid = TokenUid::Native;

/// The account of the vectors' seed `all-zero-entropy`.
pub fn account() -> AccountPublic {
    static ACCOUNT: OnceLock<AccountPublic> = OnceLock::new();
    let derive = || {
        let words = format!("{}art", "abandon ".repeat(23));
        AccountKeys::from_mnemonic(&Mnemonic::parse(&words).unwrap(), "").public()
    };
    ACCOUNT.get_or_init(derive).clone()
}

pub fn settings() -> Settings {
    Settings {
        network: Network::Mainnet,
        scan: Scan::GapLimit(20),
        reward_spend_min_blocks: 300,
        deposit: DepositRate::default(),
    }
}

pub fn wallet() -> State {
    State::new(account(), settings())
}

pub fn id(number: u8) -> VertexId {
    VertexId([number; 32])
}
pub fn custom(number: u8) -> TokenUid {
    TokenUid::Custom(id(number))
}
pub fn outpoint(tx: u8, index: u8) -> Outpoint {
    Outpoint { tx: id(tx), index }
}
pub fn cents(amount: u64) -> Amount {
    Amount::from(amount)
}
/// Somebody else's.
pub fn foreign() -> Address {
    Address::p2pkh(Network::Mainnet, [7; 20])
}

pub fn pays(to: Address, timelock: Option<u32>) -> ScriptBytes {
    Script::Pay { to, timelock }.to_bytes().unwrap().into()
}
pub fn output(to: Address, value: u64, token: TokenUid) -> SpentOutput {
    let token_data = TokenData(u8::from(token != NATIVE));
    SpentOutput { value: cents(value), token, token_data, script: pays(to, None), unknown: None }
}
pub fn authority(to: Address, mask: u64, token: TokenUid) -> SpentOutput {
    SpentOutput { token_data: TokenData::authority(1), ..output(to, mask, token) }
}
/// An unconfirmed transaction without inputs, `id` seconds after a fixed time.
pub fn vertex(number: u8, outputs: Vec<SpentOutput>) -> Vertex {
    Vertex {
        id: id(number),
        version: 1,
        weight: 17.0,
        timestamp: 1_700_000_000 + u32::from(number),
        voided: false,
        first_block: None,
        height: None,
        parents: Vec::new(),
        inputs: Vec::new(),
        outputs: outputs.into_iter().map(|output| VertexOutput { output, spent_by: None }).collect(),
        creates: None,
        nano: None,
        extra: ExtraMembers::default(),
    }
}
/// The same, but spending outputs of other vertices.
pub fn spending(number: u8, spent: &[(&Vertex, u8)], outputs: Vec<SpentOutput>) -> Vertex {
    let inputs = spent.iter().map(|(vertex, index)| VertexInput {
        spends: Outpoint { tx: vertex.id, index: *index },
        output: vertex.outputs[usize::from(*index)].output.clone(),
    });
    Vertex { inputs: inputs.collect(), ..vertex(number, outputs) }
}
pub fn block(number: u8, height: u32, outputs: Vec<SpentOutput>) -> Vertex {
    Vertex { version: 0, height: Some(height), ..vertex(number, outputs) }
}

/// A wallet whose address 0 was paid these HTR amounts, each in an own transaction numbered from 1, in this
/// order.
pub fn holding(amounts: &[u64]) -> State {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    for (number, amount) in (1..).zip(amounts) {
        let _ = state.apply(vertex(number, vec![output(to, *amount, NATIVE)]));
    }
    state
}

pub fn pay(value: u64, token: TokenUid) -> OutputRequest {
    OutputRequest::Pay { to: foreign(), value: cents(value), token, timelock: None }
}
pub fn send(outputs: Vec<OutputRequest>) -> SendRequest {
    SendRequest { outputs, ..SendRequest::default() }
}
pub fn send_from(inputs: Vec<Outpoint>, outputs: Vec<OutputRequest>) -> SendRequest {
    SendRequest { outputs, inputs: InputRequest::Chosen(inputs), ..SendRequest::default() }
}

/// What a plan spends.
pub fn inputs(plan: &Plan) -> Vec<Outpoint> {
    plan.transaction.inputs.iter().map(|input| input.spends).collect()
}

pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}
/// A number that the vectors write as a string.
pub fn number(value: &serde_json::Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}
