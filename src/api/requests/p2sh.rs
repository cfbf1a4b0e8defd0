//! `/wallet/p2sh/tx-proposal`: transactions that several participants sign.

use super::external::ID;
use super::raw::{transaction, tx_hex};
use super::send::{each, explicit_inputs, timelock};
use super::supply::SupplyRequest;
use super::token::{AuthorityRequest, within};
use crate::api::check::{Checker, Field};
use crate::api::check_twice::Form;
use crate::api::record::{Kind, Need, note, note_elements};
use crate::api::texts::{
    INVALID_CHANGE_ADDRESS, INVALID_INPUT_TX_ID, INVALID_INPUT_VALUE, INVALID_INPUTS, INVALID_MARK_INPUTS,
    INVALID_OUTPUT_ADDRESS, INVALID_OUTPUT_VALUE, INVALID_OUTPUTS, INVALID_SHARE, INVALID_SHARES,
    INVALID_TOKEN_UID, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS,
};
use crate::api::{Compat, CreateToken, MeltTokens, MintTokens, Refusal, SendInputs, SendOutput, SendTx};
use crate::ledger::{TokenVersion, Transaction};
use serde_json::{Map, Value};

const NOT_EMPTY: Form =
    Form { kind: Kind::NonEmptyText, must: "must not be empty", fits: |text| !text.is_empty() };

/// A request for a transaction that several participants will sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal<T> {
    /// What the transaction is to do.
    pub request: T,
    /// Whether its inputs are set aside, so that no other takes them.
    pub mark_inputs_as_used: bool,
}

impl Proposal<SendTx> {
    /// `POST /wallet/p2sh/tx-proposal`: reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let outputs = outputs(&mut check, compat);
        let inputs = inputs(&mut check);
        let field = check.field("change_address");
        let change = check.called(INVALID_CHANGE_ADDRESS, |check| check.optional_text(&field));
        let mark_inputs_as_used = check.called(INVALID_MARK_INPUTS, mark);
        check.finish()?;
        let change_address = change.filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Self { request: SendTx { outputs, inputs, change_address }, mark_inputs_as_used })
    }
}

impl Proposal<CreateToken> {
    /// `POST /wallet/p2sh/tx-proposal/create-token`: reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let name = token_text(&mut check, "name", MAX_TOKEN_NAME_CHARS, compat);
        let symbol = token_text(&mut check, "symbol", MAX_TOKEN_SYMBOL_CHARS, compat);
        let field = check.field("amount");
        let amount = check.positive_amount(&field);
        let address = address(&mut check, "address");
        let change_address = self::address(&mut check, "change_address");
        let mint = authority(&mut check, "mint");
        let melt = authority(&mut check, "melt");
        let mark_inputs_as_used = mark(&mut check);
        check.finish()?;
        let request = CreateToken {
            name: name.unwrap_or_default(),
            symbol: symbol.unwrap_or_default(),
            amount: amount.unwrap_or_default(),
            address,
            change_address,
            mint,
            melt,
            data: Vec::new(),
            version: TokenVersion::Deposit,
        };
        Ok(Self { request, mark_inputs_as_used })
    }
}

impl Proposal<MintTokens> {
    /// `POST /wallet/p2sh/tx-proposal/mint-tokens`: reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let (address, supply) = supply(&mut check, "address", "mint", compat);
        let mark_inputs_as_used = mark(&mut check);
        check.finish()?;
        Ok(Self { request: MintTokens { supply, address }, mark_inputs_as_used })
    }
}

impl Proposal<MeltTokens> {
    /// `POST /wallet/p2sh/tx-proposal/melt-tokens`: reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let (deposit_address, supply) = supply(&mut check, "deposit_address", "melt", compat);
        let mark_inputs_as_used = mark(&mut check);
        check.finish()?;
        Ok(Self { request: MeltTokens { supply, deposit_address }, mark_inputs_as_used })
    }
}

/// `POST /wallet/p2sh/tx-proposal/sign` and `sign-and-push`.
#[derive(Clone, Debug, PartialEq)]
pub struct SignProposal {
    #[allow(missing_docs)]
    pub transaction: Transaction,
    /// What participants got from get-my-signatures, in any order.
    pub signatures: Vec<String>,
}

impl SignProposal {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let hex = tx_hex(&mut check);
        let field = check.field("signatures");
        note("signatures", Kind::Array(1, None), Need::Required);
        let must = "must be an array of the answers of get-my-signatures";
        let elements = check.called(INVALID_SHARES, |check| check.some_elements(&field, must));
        note_elements("signatures", Kind::Text);
        let signatures = check.called(INVALID_SHARE, |check| {
            elements.iter().filter_map(|element| check.text(element)).map(str::to_owned).collect()
        });
        check.finish()?;
        Ok(Self { transaction: transaction(hex)?, signatures })
    }
}

/// Problems come grouped by field, then by output.
fn outputs(check: &mut Checker<'_>, compat: Compat) -> Vec<SendOutput> {
    let field = check.field("outputs");
    note("outputs", Kind::Array(1, None), Need::Required);
    let must = "must be an array of at least one output";
    let elements = check.called(INVALID_OUTPUTS, |check| check.some_elements(&field, must));
    note_elements("outputs", Kind::Object(&[&["address", "value"]]));
    let addresses =
        check.called(INVALID_OUTPUT_ADDRESS, |check| each(check, &elements, "address", Checker::text));
    let values =
        check.called(INVALID_OUTPUT_VALUE, |check| each(check, &elements, "value", Checker::positive_amount));
    let tokens = check.called(INVALID_TOKEN_UID, |check| {
        each(check, &elements, "token", |check, field| check.token(field, Need::Optional, compat))
    });
    let timelocks = each(check, &elements, "timelock", timelock);
    let pay = |i: usize| SendOutput::Pay {
        address: addresses[i].unwrap_or_default().to_owned(),
        value: values[i].unwrap_or_default(),
        token: tokens[i].unwrap_or("00").to_owned(),
        timelock: timelocks[i],
    };
    (0..elements.len()).map(pay).collect()
}

fn inputs(check: &mut Checker<'_>) -> SendInputs {
    let field = check.field("inputs");
    note("inputs", Kind::Array(1, None), Need::Optional);
    note_elements("inputs", Kind::Object(&[&["txId", "index"]]));
    if field.value.is_none() {
        return SendInputs::Automatic;
    }
    let must = "must be an array of {\"txId\", \"index\"}";
    let elements = check.called(INVALID_INPUTS, |check| check.some_elements(&field, must));
    let ids: Vec<_> = elements.iter().map(|input| input.member("txId")).collect();
    let ids = check.called(INVALID_INPUT_TX_ID, |check| check.formed_texts(&ids, ID));
    let indexes = check.called(INVALID_INPUT_VALUE, |check| each(check, &elements, "index", place));
    explicit_inputs(ids, indexes)
}

/// The place of an output; one below 0 is that of none.
fn place<'a>(check: &mut Checker<'a>, field: &Field<'a>) -> Option<i128> {
    note(&field.path, Kind::Integer(Some(0), None), Need::Required);
    let found = check.integer_of(field);
    if found.is_none() {
        check.invalid(field, "must be the place of an output");
    }
    found
}

fn mark(check: &mut Checker<'_>) -> bool {
    check.boolean("mark_inputs_as_used", false)
}

/// A token's name or symbol.
fn token_text(check: &mut Checker<'_>, what: &'static str, max: usize, compat: Compat) -> Option<String> {
    let field: Field<'_> = check.field(what);
    note(what, Kind::ShortText(max), Need::Required);
    let text = check.formed_text(&field, NOT_EMPTY)?;
    within(check, &field, text, max, compat)
}

/// An address that must not be empty, or nothing.
fn address(check: &mut Checker<'_>, name: &str) -> Option<String> {
    let field = check.field(name);
    check.optional_formed_text(&field, NOT_EMPTY).map(str::to_owned)
}

fn authority(check: &mut Checker<'_>, which: &str) -> AuthorityRequest {
    AuthorityRequest {
        create: check.boolean(&format!("create_{which}"), true),
        address: address(check, &format!("{which}_authority_address")),
        allow_external: check.boolean(&format!("allow_external_{which}_authority_address"), false),
    }
}

/// What minting and melting have in common, and where the outcome goes (the field `to`).
fn supply(check: &mut Checker<'_>, to: &str, which: &str, compat: Compat) -> (Option<String>, SupplyRequest) {
    let field = check.field("token");
    let token = check.formed_text(&field, NOT_EMPTY).unwrap_or_default().to_owned();
    if !token.is_empty() {
        check.token_uid(&field, &token, compat);
    }
    let field = check.field("amount");
    let amount = check.positive_amount(&field).unwrap_or_default();
    let to = address(check, to);
    let change_address = address(check, "change_address");
    let authority = authority(check, which);
    let supply = SupplyRequest {
        token,
        amount,
        change_address,
        keep_authority: authority.create,
        authority_address: authority.address,
        allow_external_authority: authority.allow_external,
        data: Vec::new(),
        unshift_data: false,
    };
    (to, supply)
}
