//! Contracts.

use super::start::says_something;
use super::supply::refuse_unused_authorities;
use super::token::{CreateToken, MINTED, VERSION};
use crate::api::check::{Checker, Field};
use crate::api::declare::{Context, Kind, Rule, request};
use crate::api::integer::amount;
use crate::api::rules::{
    DATA_LIST, OPTIONAL_ADDRESS, OPTIONAL_TEXT, TEXT, noted, or_noted, strict_flag, token_text,
};
use crate::api::texts::INVALID_VALUE;
use crate::api::{Refusal, Request};
use crate::ledger::nano::{ArgType, MAX_CODE_TEXT_BYTES};
use crate::ledger::{Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, TokenVersion};
use serde_json::Value;

request! {
    /// `GET /wallet/nano-contracts/state`.
    pub struct ContractStateQuery in query {
        /// The contract.
        pub id: String = TEXT,
        /// Fields of its blueprint whose values are wanted.
        pub fields: Vec<String> = TEXTS,
        /// Uids of tokens of which its balances are wanted; `__all__` for all that it has.
        pub balances: Vec<String> = TEXTS,
        /// Calls of methods that change nothing, such as `name(argument)`, whose results are wanted.
        pub calls: Vec<String> = TEXTS,
        /// As it was after this block rather than after the best one.
        pub block_hash: Option<String> = OPTIONAL_TEXT,
        /// As it was after the block at this height.
        pub block_height: Option<u64> = COUNT,
    }
}

request! {
    /// `GET /wallet/nano-contracts/history`.
    pub struct ContractHistoryQuery in query {
        /// The contract.
        pub id: String = TEXT,
        /// At most so many, newest first.
        pub count: Option<u64> = COUNT,
        /// Only those older than this transaction.
        pub after: Option<String> = OPTIONAL_TEXT,
        /// Only those newer than this transaction, the oldest of them first.
        pub before: Option<String> = OPTIONAL_TEXT,
    }
}

request! {
    /// `GET /wallet/nano-contracts/oracle-data`.
    pub struct OracleDataQuery in query {
        /// An address, or an output's script in hexadecimal.
        pub oracle: String = TEXT,
    }
}

request! {
    /// `GET /wallet/nano-contracts/oracle-signed-result`.
    pub struct OracleResultQuery in query {
        /// As `oracle-data` gives it.
        pub oracle_data: String = TEXT,
        /// The contract for which the result is.
        pub contract_id: String = TEXT,
        /// The result; bytes in hexadecimal.
        pub result: Value = ANY,
        /// The type of the result, such as `str`, as the contract's method has it within `SignedData`.
        pub result_type: String = TEXT.named("type"),
    }
}

request! {
    /// `POST /wallet/nano-contracts/create`.
    pub struct CreateContract in body_with_details {
        /// What the contract is made of.
        pub blueprint_id: String = TEXT,
        /// Who calls: an address of the wallet.
        pub address: String = TEXT.of(Kind::Address),
        /// Arguments and actions of its method `initialize`.
        pub data: ContractData = DATA,
        /// A token that the same transaction creates.
        pub create_token_options: Option<ContractToken> = TOKEN,
        /// Refuse to pay more than this for moving fee tokens, in cents.
        pub max_fee: Option<Amount> = MAX_FEE,
        /// Whether the fee comes out of what is withdrawn in HTR.
        pub contract_pays_fees: bool = strict_flag(false),
    }
}

request! {
    /// `POST /wallet/nano-contracts/execute`.
    pub struct ExecuteContract in body_with_details {
        /// The contract.
        pub nc_id: String = TEXT,
        /// Its method.
        pub method: String = TEXT,
        /// Who calls: an address of the wallet.
        pub address: String = TEXT.of(Kind::Address),
        /// Arguments and actions of the method.
        pub data: ContractData = DATA,
        /// A token that the same transaction creates.
        pub create_token_options: Option<ContractToken> = TOKEN,
        /// Refuse to pay more than this for moving fee tokens, in cents.
        pub max_fee: Option<Amount> = MAX_FEE,
        /// Whether the fee comes out of what is withdrawn in HTR.
        pub contract_pays_fees: bool = strict_flag(false),
    }
}

request! {
    /// `POST /wallet/nano-contracts/create-on-chain-blueprint`.
    pub struct CreateBlueprint in body {
        /// The blueprint's Python code.
        pub code: String = CODE,
        /// Whose key signs it: an address of the wallet.
        pub address: String = TEXT.of(Kind::Address),
    }
}

request! {
    /// What a method of a contract is called with.
    pub struct ContractData in body_with_details {
        /// The method's arguments, in their order.
        pub args: Vec<Value> = ARGS,
        /// The types that the method's arguments must have, such as `Timestamp`. Without them the full node
        /// alone says how arguments are written.
        pub arg_types: Option<Vec<String>> = ARG_TYPES,
        /// What moves into and out of the contract.
        pub actions: Vec<ContractAction> = ACTIONS,
    }
}

request! {
    /// What moves into or out of a contract.
    pub struct ContractAction in body_with_details {
        /// What is done.
        pub kind: String = ACTION_TYPE.named("type"),
        /// The token's uid; `00` is HTR.
        pub token: String = TEXT.of(Kind::TokenUid),
        /// How much is deposited or withdrawn, in cents.
        pub amount: Option<Amount> = ACTION_AMOUNT,
        /// Which authority is granted or acquired.
        pub authority: Option<String> = AUTHORITY,
        /// Who gets what is withdrawn or acquired. Of what is deposited or granted, only outputs of this
        /// address are spent.
        pub address: Option<String> = OPTIONAL_ADDRESS,
        /// Where the change of a deposit goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.named("changeAddress"),
        /// Where an authority of the same kind is kept: an address of the wallet.
        pub authority_address: Option<String> = OPTIONAL_ADDRESS.named("authorityAddress"),
    }
}

request! {
    /// A token that a call of a contract creates.
    pub struct ContractToken in body_with_details, also = refuse_unused_authorities {
        /// The token's name.
        pub name: String = token_text(MAX_TOKEN_NAME_CHARS),
        /// The token's symbol.
        pub symbol: String = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = MINTED,
        /// Whether its deposit comes out of what is withdrawn in HTR.
        pub contract_pays_deposit: bool = MUST_FLAG,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub mint_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Whether the authority to mint more is created.
        pub create_mint: bool = strict_flag(true),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = strict_flag(false),
        /// Whether the authority to melt is created.
        pub create_melt: bool = strict_flag(true),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = strict_flag(false),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.or_null(),
        /// 1: the token is paid for by a deposit, 2: by fees.
        pub version: TokenVersion = VERSION,
        /// Whether it is an NFT, whose data comes first.
        pub is_create_nft: bool = strict_flag(false),
    }
}

impl ContractToken {
    /// As a request that creates a token alone.
    pub fn token(self) -> CreateToken {
        CreateToken {
            name: self.name,
            symbol: self.symbol,
            amount: self.amount,
            address: self.mint_address,
            change_address: self.change_address,
            create_mint: self.create_mint,
            mint_authority_address: self.mint_authority_address,
            allow_external_mint_authority_address: self.allow_external_mint_authority_address,
            create_melt: self.create_melt,
            melt_authority_address: self.melt_authority_address,
            allow_external_melt_authority_address: self.allow_external_melt_authority_address,
            data: self.data,
            version: self.version,
        }
    }
}

const ACTION_TYPES: &[&str] = &["deposit", "withdrawal", "grant_authority", "acquire_authority"];
const AUTHORITIES: &[&str] = &["mint", "melt"];

/// Looked at before the other members.
const ACTION_TYPE: Rule<String> = TEXT.of(Kind::OneOf(ACTION_TYPES));

const UNKNOWN_ACTION: &str = "Invalid discriminator value. Expected 'withdrawal' | 'deposit' | 'grant_authority' | 'acquire_authority'";
const UNKNOWN_ACTION_MUST: &str = "must be `deposit`, `withdrawal`, `grant_authority` or `acquire_authority`";

const AUTHORITY: Rule<Option<String>> = Rule::optional(Kind::OneOf(AUTHORITIES), |check, field, _| {
    let Some(text) = check.optional_text(field) else { return Ok(None) };
    if !AUTHORITIES.contains(&text) {
        check.invalid(field, "must be `mint` or `melt`");
    }
    Ok(Some(text.to_owned()))
});

const ACTION_AMOUNT: Rule<Option<Amount>> = Rule::optional(Kind::Amount, |check, field, _| {
    if field.value.is_none() {
        return Ok(None);
    }
    let number = or_noted(check.any_integer(field))?;
    match amount(number).filter(|_| number >= 1) {
        Some(amount) => Ok(Some(amount)),
        None => Err(Refusal::failure("Amount and token are required for deposit and withdrawal actions.")),
    }
});

const MAX_FEE: Rule<Option<Amount>> = Rule::optional(Kind::Integer(Some(0), None), |check, field, _| {
    Ok(check.optional_integer(field, Some(0)).and_then(amount))
});

const COUNT: Rule<Option<u64>> = Rule::optional(Kind::Integer(Some(0), None), |check, field, _| {
    Ok(check.optional_integer(field, Some(0)).map(|number| u64::try_from(number).unwrap_or(u64::MAX)))
});

/// No full node takes more.
const CODE: Rule<String> = Rule::required(Kind::Text, |check, field, context| {
    let code = or_noted(check.text(field))?;
    if code.len() > MAX_CODE_TEXT_BYTES && context.compat.limits_code() {
        let field = Field { value: None, ..field.clone() };
        let has = code.len();
        let must = format!("must have at most {MAX_CODE_TEXT_BYTES} bytes, and has {has}");
        check.problem(&field, INVALID_VALUE, must);
    }
    Ok(code.to_owned())
});

/// A yes or no that must be there.
const MUST_FLAG: Rule<bool> = Rule::required(Kind::StrictFlag, |check, field, _| {
    if field.value.is_none() {
        check.problem(field, "Required", "is required and must be true or false");
        return noted();
    }
    Ok(check.flag(field, false))
});

const ANY: Rule<Value> = Rule::required(Kind::Any, |check, field, _| {
    if field.value.is_none() {
        check.invalid(field, "is required");
    }
    or_noted(field.value.cloned())
});

const MAX_TEXTS: usize = 100;

/// Texts in a query.
const TEXTS: Rule<Vec<String>> = Rule::optional(
    Kind::Array { of: &Kind::Text, least: 0, most: Some(MAX_TEXTS) },
    |check, field, _| {
        let texts = match field.value {
            None => return Ok(Vec::new()),
            Some(Value::Array(texts)) if texts.len() <= MAX_TEXTS => texts,
            Some(_) => {
                check.invalid(field, "must be an array of at most 100 texts: give it as often as there are values, with [] after its name");
                return noted();
            }
        };
        or_noted(texts.iter().map(|text| text.as_str().map(str::to_owned)).collect())
    },
);

const MAX_ARGS: usize = 1_000;

const ARGS: Rule<Vec<Value>> =
    Rule::optional(Kind::Array { of: &Kind::Any, least: 0, most: Some(MAX_ARGS) }, |check, field, _| {
        match field.value {
            None => Ok(Vec::new()),
            Some(Value::Array(args)) if args.len() <= MAX_ARGS => Ok(args.clone()),
            Some(_) => {
                check.wrong_type(field, "array", "must be an array of at most 1000 arguments");
                noted()
            }
        }
    });

const ARG_TYPES: Rule<Option<Vec<String>>> =
    Rule::optional(Kind::Array { of: &Kind::Text, least: 0, most: Some(MAX_ARGS) }, |check, field, _| {
        let Some(value) = field.value else { return Ok(None) };
        let name =
            |value: &Value| value.as_str().filter(|name| ArgType::parse(name).is_ok()).map(str::to_owned);
        let names: Option<Vec<_>> = value.as_array().and_then(|names| names.iter().map(name).collect());
        if names.as_ref().is_none_or(|names| names.len() > MAX_ARGS) {
            let wrong = "not an array of types of arguments, such as Timestamp or SignedData[str]";
            check.problem(
                field,
                wrong,
                "must be an array of types of arguments, such as `Timestamp` or `SignedData[str]`",
            );
            return noted();
        }
        Ok(names)
    });

/// Full nodes take no more.
const MAX_ACTIONS: usize = 16;

const ACTIONS: Rule<Vec<ContractAction>> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: ContractAction::MEMBERS, any_of: &[&["type", "token"]] },
        least: 0,
        most: Some(MAX_ACTIONS),
    },
    |check, field, context| {
        let Some(value) = field.value else { return Ok(Vec::new()) };
        if value.as_array().is_none_or(|actions| actions.len() > MAX_ACTIONS) {
            check.wrong_type(field, "array", "must be an array of at most 16 actions");
            return noted();
        }
        let elements: Vec<_> = field.elements().collect();
        let actions: Vec<_> = elements.iter().map(|action| read_action(check, action, context)).collect();
        or_noted(actions.into_iter().collect())
    },
);

/// What each kind of action needs, and the others don't have.
fn read_action<'a>(check: &mut Checker<'a>, field: &Field<'a>, context: Context) -> Option<ContractAction> {
    let kind = field.member("type");
    if kind.value.and_then(Value::as_str).is_none_or(|kind| !ACTION_TYPES.contains(&kind)) {
        // What else it needs depends on it.
        check.problem(&kind, UNKNOWN_ACTION, UNKNOWN_ACTION_MUST);
        return None;
    }
    let action = nested::<ContractAction>(check, field, context).ok()?;
    refuse_unused_in_action(check, field, &action.kind, context);
    let needed = match action.kind.as_str() {
        "deposit" => [("amount", action.amount.is_some()), ("amount", true)],
        "withdrawal" => [("amount", action.amount.is_some()), ("address", action.address.is_some())],
        "grant_authority" => [("authority", action.authority.is_some()), ("authority", true)],
        _ => [("authority", action.authority.is_some()), ("address", action.address.is_some())],
    };
    let missing: Vec<_> = needed.iter().filter(|(_, is_there)| !is_there).collect();
    for (name, _) in &missing {
        let msg = if *name == "amount" { "Invalid input" } else { "Required" };
        check.problem(&field.member(name), msg, format!("is required for the action {}", action.kind));
    }
    missing.is_empty().then_some(action)
}

/// Refuses fields that have no effect in an action of this kind.
fn refuse_unused_in_action<'a>(check: &mut Checker<'a>, field: &Field<'a>, kind: &str, context: Context) {
    let unused: &[&str] = match kind {
        _ if !context.compat.refuses_unused_fields() => &[],
        "deposit" => &["authority", "authorityAddress"],
        "withdrawal" => &["authority", "changeAddress", "authorityAddress"],
        "grant_authority" => &["amount", "changeAddress"],
        _ => &["amount", "changeAddress", "authorityAddress"],
    };
    for field in unused.iter().map(|name| field.member(name)) {
        if field.value.is_some_and(says_something) {
            let must = format!("must be left out: it has no effect in the action {kind}");
            check.unused(&field, must);
        }
    }
}

const DATA: Rule<ContractData> =
    Rule::required(Kind::Object { members: ContractData::MEMBERS, any_of: &[&[]] }, nested::<ContractData>);

const TOKEN: Rule<Option<ContractToken>> = Rule::optional(
    Kind::Object { members: ContractToken::MEMBERS, any_of: &[&["name", "symbol", "amount"]] },
    |check, field, context| match field.value {
        None => Ok(None),
        Some(_) => nested::<ContractToken>(check, field, context).map(Some),
    },
);

/// Reads an object within a request as a request is read.
fn nested<'a, R: Request>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<R, Refusal> {
    let Some(object) = field.value.and_then(Value::as_object) else {
        check.wrong_type(field, "object", "must be an object");
        return noted();
    };
    match R::read(object, context.compat) {
        Ok(read) => Ok(read),
        Err(Refusal::Fields(problems) | Refusal::Details(problems)) => {
            check.within(field, problems);
            noted()
        }
        Err(refusal) => Err(refusal),
    }
}
