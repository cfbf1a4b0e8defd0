//! Contracts are created, and their methods called.

use crate::api::InvalidDetails;
use crate::api::integer::amount;
use crate::api::rules::{
    DATA_LIST, OPTIONAL_ADDRESS, TEXT, noted, object, once, optional_object, or_noted, rows, says_something,
    strict_flag, token_text,
};
use crate::api::texts::{READ_ONLY_CONTRACT, caller_not_mine};
use crate::ledger::nano::{ArgType, INITIALIZE};
use crate::ledger::{
    Address, Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, Network, TokenUid, VertexId,
};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::prelude::*;
use crate::operations::tokens::{
    MINTED, VERSION, authority, new_token, refuse_unused_authorities, supply_request,
};
use crate::service::{ContractCall, Target};
use crate::wallet::{ActionRequest, Authority, CallRequest};
use serde_json::Value;

const CALL_DATA: Argument = Argument::flag("data", "data").help(
    "The input of the call, as JSON: the method's arguments in order (args), and what moves into and out of the contract (actions). Each \
     action has a type (deposit, withdrawal, grant_authority or acquire_authority), a token, and an amount (a number of cents) or an authority (mint \
     or melt); a withdrawal or an acquire_authority also has an address",
);
const CALL_TOKEN: Argument = Argument::flag("create_token_options", "create-token-options").help(
    "A token that the same transaction creates, as JSON with name, symbol, amount (a number of cents) and contract_pays_deposit (whether its deposit comes out \
of what is withdrawn)",
);

pub static CREATE_CONTRACT: Operation = post("nano-create", "/wallet/nano-contracts/create", Group::Contracts, Right::Contracts)
    .does("Create a contract from a blueprint.")
    .package(&[method("createContract").throws(&["INVALID_CALL"])])
    .command(&[command("nano-create").places(&["blueprint_id", "address", "data"]).by(&[CALL_DATA, CALL_TOKEN]).after("Example:\n  headless-wallet wallet nano-create BLUEPRINT ADDRESS '{\"args\":[\"76a9…\",\"00\",1795361637]}'")])
    .sends::<CreateContract>(READ_ONLY_CONTRACT, &[("example", r#"{"blueprint_id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "data": {"args": ["76a91466665b27f7dbc4c8c089d2f686c170c74d66f0b588ac", "00", 1795361637]}}"#)])
    .answers(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure])
    .body_of(bodies::IN_PARTS)
    .refuses(answers![InvalidDetails]);

pub static EXECUTE_CONTRACT: Operation = post("nano-execute", "/wallet/nano-contracts/execute", Group::Contracts, Right::Contracts)
    .does("Call a method of a contract.")
    .package(&[method("executeContract").throws(&["INVALID_CALL"]).example(
        "const caller = await wallet.address({ index: 0 });\nawait wallet.executeContract({\n  \
         ncId: \"3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595\",\n  method: \"bet\",\n  address: caller,\n  \
         data: { args: [caller, \"1x0\"], actions: [{ type: \"deposit\", token: \"00\", amount: 100n }] },\n});",
    )])
    .command(&[command("nano-execute").places(&["nc_id", "method", "address", "data"]).by(&[CALL_DATA, CALL_TOKEN]).after("Example:\n  headless-wallet wallet nano-execute CONTRACT bet ADDRESS \\\n    \
'{\"args\":[\"ADDRESS\",\"1x0\"],\"actions\":[{\"type\":\"deposit\",\"token\":\"00\",\"amount\":100}]}'",)])
    .sends::<ExecuteContract>(READ_ONLY_CONTRACT, &[("example", r#"{"nc_id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "method": "bet", "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "data": {"args": ["WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "1x0"], "actions": [{"type": "deposit", "token": "00", "amount": 100}]}}"#)])
    .answers(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure])
    .body_of(bodies::IN_PARTS)
    .refuses(answers![InvalidDetails]);

request! {
    /// `POST /wallet/nano-contracts/create`.
    pub struct CreateContract in body_with_details {
        /// What the contract is made of.
        pub blueprint_id: String = TEXT,
        /// Who calls: an address of the wallet.
        pub address: String = TEXT.of(Kind::Address),
        /// Arguments and actions of its method `initialize`.
        pub data: ContractData = object().length(Length::Long),
        /// A token that the same transaction creates.
        pub create_token_options: Option<ContractToken> = optional_object(),
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
        pub data: ContractData = object().length(Length::Long),
        /// A token that the same transaction creates.
        pub create_token_options: Option<ContractToken> = optional_object(),
        /// Refuse to pay more than this for moving fee tokens, in cents.
        pub max_fee: Option<Amount> = MAX_FEE,
        /// Whether the fee comes out of what is withdrawn in HTR.
        pub contract_pays_fees: bool = strict_flag(false),
    }
}

object! {
    /// What a method of a contract is called with.
    pub struct ContractData, needs = [[]] {
        /// The method's arguments, in their order.
        pub args: Vec<Value> = ARGS,
        /// The types that the method's arguments must have, such as `Timestamp`. Without them the full node
        /// alone says how arguments are written.
        pub arg_types: Option<Vec<String>> = ARG_TYPES,
        /// What moves into and out of the contract.
        pub actions: Vec<ContractAction> = rows(MAX_ACTIONS).array(&once("must be an array of at most 16 actions")),
    }
}

object! {
    /// What moves into or out of a contract.
    pub struct ContractAction, needs = [["type", "token"]], then = check_action {
        /// What is done.
        pub kind: String = ACTION_TYPE,
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

supply_request! {
    /// A token that a call of a contract creates.
    pub struct ContractToken in body_with_details, needs = [["name", "symbol", "amount"]], also = refuse_unused_authorities {
        name = token_text(MAX_TOKEN_NAME_CHARS),
        symbol = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = MINTED,
        /// Whether its deposit comes out of what is withdrawn in HTR.
        pub contract_pays_deposit: bool = MUST_FLAG,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub mint_address: Option<String> = OPTIONAL_ADDRESS.or_null(),
        change_address = OPTIONAL_ADDRESS.or_null(),
        create_mint = strict_flag(true),
        mint_authority_address = OPTIONAL_ADDRESS.or_null(),
        allow_external_mint_authority_address = strict_flag(false),
        create_melt = strict_flag(true),
        melt_authority_address = OPTIONAL_ADDRESS.or_null(),
        allow_external_melt_authority_address = strict_flag(false),
        data = DATA_LIST.or_null(),
        version = VERSION,
        /// Whether it is an NFT, whose data comes first.
        pub is_create_nft: bool = strict_flag(false),
    }
}

const ACTION_TYPES: &[&str] = &["deposit", "withdrawal", "grant_authority", "acquire_authority"];

const AUTHORITIES: &[&str] = &["mint", "melt"];

/// What else an action needs depends on it.
const ACTION_TYPE: Rule<String> = Rule::required(Kind::OneOf(ACTION_TYPES), |check, field, _| {
    let kind = field.value.and_then(Value::as_str).filter(|kind| ACTION_TYPES.contains(kind));
    if kind.is_none() {
        let must = "must be `deposit`, `withdrawal`, `grant_authority` or `acquire_authority`";
        check.problem(field, UNKNOWN_ACTION, must);
    }
    or_noted(kind.map(str::to_owned))
})
.named("type")
.decides();

const UNKNOWN_ACTION: &str = "Invalid discriminator value. Expected 'withdrawal' | 'deposit' | 'grant_authority' | 'acquire_authority'";

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

/// A yes or no that must be there.
const MUST_FLAG: Rule<bool> = Rule::required(Kind::StrictFlag, |check, field, _| {
    if field.value.is_none() {
        check.problem(field, "Required", "is required and must be true or false");
        return noted();
    }
    Ok(check.flag(field, false))
});

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

/// What each kind of action needs, and the others don't have.
fn check_action(action: &ContractAction, check: &mut Checker<'_>, compat: Compat) {
    let has = (action.amount.is_some(), action.authority.is_some(), action.address.is_some());
    let (needed, unused): (&[_], &[_]) = match action.kind.as_str() {
        "deposit" => (&[("amount", has.0)], &["authority", "authorityAddress"]),
        "withdrawal" => {
            (&[("amount", has.0), ("address", has.2)], &["authority", "changeAddress", "authorityAddress"])
        }
        "grant_authority" => (&[("authority", has.1)], &["amount", "changeAddress"]),
        _ => (&[("authority", has.1), ("address", has.2)], &["amount", "changeAddress", "authorityAddress"]),
    };
    for name in unused.iter().filter(|_| compat.refuses_unused_fields()) {
        let field = check.field(name);
        if field.value.is_some_and(says_something) {
            check.unused(&field, format!("must be left out: it has no effect in the action {}", action.kind));
        }
    }
    for (name, _) in needed.iter().filter(|(_, is_there)| !is_there) {
        let msg = if *name == "amount" { "Invalid input" } else { "Required" };
        check.problem(&check.field(name), msg, format!("is required for the action {}", action.kind));
    }
}

impl Plans for CreateContract {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        let blueprint = id(&self.blueprint_id, "Blueprint not found.")?;
        let target = Target::Create(blueprint);
        let method = INITIALIZE.to_owned();
        let given = Given { address: self.address, data: self.data, token: self.create_token_options };
        given.operation(target, blueprint, method, self.max_fee, self.contract_pays_fees, call.network())
    }
}

impl Plans for ExecuteContract {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        let contract = id(&self.nc_id, "Nano contract not found.")?;
        let given = Given { address: self.address, data: self.data, token: self.create_token_options };
        let (most, by_contract) = (self.max_fee, self.contract_pays_fees);
        given.operation(Target::Execute, contract, self.method, most, by_contract, call.network())
    }
}

/// What the calls of contracts have in common.
struct Given {
    address: String,
    data: ContractData,
    token: Option<ContractToken>,
}

impl Given {
    fn operation(
        self,
        target: Target,
        contract: VertexId,
        method: String,
        max_fee: Option<Amount>,
        contract_pays_fees: bool,
        network: Network,
    ) -> Result<service::Operation, CallError> {
        let caller = caller(&self.address, network)?;
        let actions = self.data.actions.into_iter().map(|action| requested(action, network));
        let actions = actions.collect::<Result<_, _>>()?;
        let contract_pays_deposit = self.token.as_ref().is_some_and(|token| token.contract_pays_deposit);
        let creates = match self.token {
            Some(token) => {
                Some(new_token!(token, network, mint_address, token.data, token.version, token.is_create_nft))
            }
            None => None,
        };
        let request = CallRequest {
            contract,
            method,
            args: Vec::new(),
            caller,
            actions,
            creates,
            contract_pays_deposit,
            fee_tokens: Default::default(),
            max_fee,
            contract_pays_fees,
        };
        Ok(service::Operation::Call(Box::new(ContractCall {
            target,
            args: self.data.args,
            expected: self.data.arg_types,
            request,
        })))
    }
}

pub(crate) fn caller(text: &str, network: Network) -> Result<Address, CallError> {
    Address::parse(text, network).map_err(|_| refused(caller_not_mine(text)))
}

fn id(text: &str, otherwise: &str) -> Result<VertexId, CallError> {
    text.parse().map_err(|_| refused(otherwise))
}

/// An action, of which the reader has made sure that it has what its kind needs.
fn requested(action: ContractAction, network: Network) -> Result<ActionRequest, CallError> {
    let address = |text: Option<String>| {
        let address = text.map(|text| Address::parse(&text, network));
        address.transpose().map_err(|error| refused(error.to_string()))
    };
    let unknown = || refused(format!("Token {} is no token's uid.", action.token));
    let token: TokenUid = action.token.parse().map_err(|_| unknown())?;
    let authority = || match action.authority.as_deref() {
        Some("mint") => Authority::Mint,
        _ => Authority::Melt,
    };
    let custom = || match token {
        TokenUid::Custom(id) => Ok(id),
        TokenUid::Native => Err(refused("HTR has no authorities.")),
    };
    let amount = action.amount.unwrap_or_default();
    let to = address(action.address)?;
    let needed = || to.ok_or_else(|| refused("Address is required for this action."));
    Ok(match action.kind.as_str() {
        "deposit" => {
            ActionRequest::Deposit { token, amount, from: to, change: address(action.change_address)? }
        }
        "withdrawal" => ActionRequest::Withdrawal { token, amount, to: needed()? },
        "grant_authority" => ActionRequest::Grant {
            token: custom()?,
            authority: authority(),
            from: to,
            keep: address(action.authority_address)?,
        },
        _ => ActionRequest::Acquire { token: custom()?, authority: authority(), to: needed()? },
    })
}
