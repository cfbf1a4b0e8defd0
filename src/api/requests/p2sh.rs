//! `/wallet/p2sh/tx-proposal`: transactions that several participants sign.

use super::external::ID;
use super::send::{
    INPUT_INDEX, PAY_ADDRESS, PAY_TOKEN, PAY_VALUE, TIMELOCK, each, explicit_inputs, timelock,
};
use super::supply::{DATA_FIRST, refuse_unused_authorities};
use super::token::VERSION;
use super::{CreateToken, MeltTokens, MintTokens, SendInputs, SendOutput, SendTx};
use crate::api::Refusal;
use crate::api::check::{Checker, Field};
use crate::api::declare::{Context, Kind, Member, Need, Rule, request};
use crate::api::rules::{
    AMOUNT, DATA_LIST, NATIVE, NONEMPTY_ADDRESS, NOT_EMPTY, OPTIONAL_ADDRESS, TX_HEX, flag,
    nonempty_token_text, noted, or_noted,
};
use crate::api::texts::{
    INVALID_CHANGE_ADDRESS, INVALID_INPUT_TX_ID, INVALID_INPUT_VALUE, INVALID_INPUTS, INVALID_MARK_INPUTS,
    INVALID_OUTPUT_ADDRESS, INVALID_OUTPUT_VALUE, INVALID_OUTPUTS, INVALID_SHARE, INVALID_SHARES,
    INVALID_TOKEN_UID,
};
use crate::ledger::{
    Amount, MAX_INPUTS, MAX_OUTPUTS, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, TokenVersion, Transaction,
};

request! {
    /// `POST /wallet/p2sh/tx-proposal`.
    pub struct ProposeTx in body {
        /// What to pay, in this order if there is no change; with change, all outputs are shuffled.
        pub outputs: Vec<SendOutput> = OUTPUTS,
        /// What to spend; the wallet chooses if not given.
        pub inputs: SendInputs = INPUTS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_CHANGE_ADDRESS),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false).called(INVALID_MARK_INPUTS),
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/create-token`.
    pub struct ProposeCreateToken in body, also = refuse_unused_authorities {
        /// The token's name.
        pub name: String = nonempty_token_text(MAX_TOKEN_NAME_CHARS),
        /// The token's symbol.
        pub symbol: String = nonempty_token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = NONEMPTY_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to mint more is created.
        pub create_mint: bool = flag(true),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = flag(false),
        /// Whether the authority to melt is created.
        pub create_melt: bool = flag(true),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.not_in_0_39(),
        /// 1: the token is paid for by a deposit, 2: by fees.
        pub version: TokenVersion = VERSION.not_in_0_39(),
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/mint-tokens`.
    pub struct ProposeMintTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to mint.
        pub token: String = TOKEN,
        /// How much to mint, in cents.
        pub amount: Amount = AMOUNT,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = NONEMPTY_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_mint: bool = flag(true),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = flag(false),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false),
        /// Whether the outputs of `data` come first, in reverse order, rather than last.
        pub unshift_data: bool = DATA_FIRST.not_in_0_39(),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.not_in_0_39(),
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/melt-tokens`.
    pub struct ProposeMeltTokens in body, also = refuse_unused_authorities {
        /// The uid of the token to melt.
        pub token: String = TOKEN,
        /// How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded
        /// down.
        pub amount: Amount = AMOUNT,
        /// Who gets the returned deposit; the wallet's current address if not given.
        pub deposit_address: Option<String> = NONEMPTY_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether another authority takes the place of the spent one.
        pub create_melt: bool = flag(true),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = NONEMPTY_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false),
        /// Whether the outputs of `data` come first, in reverse order, rather than last.
        pub unshift_data: bool = DATA_FIRST.not_in_0_39(),
        /// Texts kept on the ledger, one output each.
        pub data: Vec<String> = DATA_LIST.not_in_0_39(),
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/get-my-signatures`.
    pub struct SignShare in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// Of an atomic swap: whether inputs are also signed that this participant did not put in itself, or
        /// that lack what was put in with them. Read it first: see decode.
        pub as_is: bool = flag(false),
    }
}

request! {
    /// `POST /wallet/p2sh/tx-proposal/sign` and `sign-and-push`.
    pub struct SignProposal in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// What as many participants as must sign got from get-my-signatures, in any order.
        pub signatures: Vec<String> = SHARES,
    }
}

impl From<ProposeTx> for SendTx {
    fn from(ProposeTx { outputs, inputs, change_address, .. }: ProposeTx) -> Self {
        Self { outputs, inputs, token: NATIVE.to_owned(), change_address, debug: false }
    }
}

impl From<ProposeCreateToken> for CreateToken {
    fn from(proposed: ProposeCreateToken) -> Self {
        Self {
            name: proposed.name,
            symbol: proposed.symbol,
            amount: proposed.amount,
            address: proposed.address,
            change_address: proposed.change_address,
            create_mint: proposed.create_mint,
            mint_authority_address: proposed.mint_authority_address,
            allow_external_mint_authority_address: proposed.allow_external_mint_authority_address,
            create_melt: proposed.create_melt,
            melt_authority_address: proposed.melt_authority_address,
            allow_external_melt_authority_address: proposed.allow_external_melt_authority_address,
            data: proposed.data,
            version: proposed.version,
        }
    }
}

impl From<ProposeMintTokens> for MintTokens {
    fn from(proposed: ProposeMintTokens) -> Self {
        Self {
            token: proposed.token,
            amount: proposed.amount,
            change_address: proposed.change_address,
            create_mint: proposed.create_mint,
            mint_authority_address: proposed.mint_authority_address,
            allow_external_mint_authority_address: proposed.allow_external_mint_authority_address,
            unshift_data: proposed.unshift_data,
            data: proposed.data,
            address: proposed.address,
        }
    }
}

impl From<ProposeMeltTokens> for MeltTokens {
    fn from(proposed: ProposeMeltTokens) -> Self {
        Self {
            token: proposed.token,
            amount: proposed.amount,
            change_address: proposed.change_address,
            create_melt: proposed.create_melt,
            melt_authority_address: proposed.melt_authority_address,
            allow_external_melt_authority_address: proposed.allow_external_melt_authority_address,
            unshift_data: proposed.unshift_data,
            data: proposed.data,
            deposit_address: proposed.deposit_address,
        }
    }
}

/// A token's uid, as given.
const TOKEN: Rule<String> = Rule::required(Kind::NonEmptyText, |check, field, context| {
    let uid = or_noted(check.formed_text(field, NOT_EMPTY))?;
    check.token_uid(field, uid, context.compat);
    Ok(uid.to_owned())
});

const SHARES: Rule<Vec<String>> =
    Rule::required(Kind::Array { of: &Kind::Text, least: 1, most: None }, shares);

pub(super) fn shares<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    _: Context,
) -> Result<Vec<String>, Refusal> {
    let must = "must be an array of the answers of get-my-signatures";
    let elements = check.called(INVALID_SHARES, |check| check.some_elements(field, must));
    Ok(check.called(INVALID_SHARE, |check| {
        elements.iter().filter_map(|element| check.text(element)).map(str::to_owned).collect()
    }))
}

const OUTPUTS: Rule<Vec<SendOutput>> = Rule::required(
    Kind::Array {
        of: &Kind::Object {
            members: &[
                Member { need: Need::Required, ..PAY_ADDRESS },
                Member { need: Need::Required, ..PAY_VALUE },
                PAY_TOKEN,
                TIMELOCK,
            ],
            any_of: &[&["address", "value"]],
        },
        least: 1,
        most: Some(MAX_OUTPUTS),
    },
    outputs,
);

/// Problems come grouped by field, then by output.
fn outputs<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<Vec<SendOutput>, Refusal> {
    if check.called(INVALID_OUTPUTS, |check| check.too_many(field, MAX_OUTPUTS, context.compat)) {
        return noted();
    }
    let must = "must be an array of at least one output";
    let elements = check.called(INVALID_OUTPUTS, |check| check.some_elements(field, must));
    let addresses =
        check.called(INVALID_OUTPUT_ADDRESS, |check| each(check, &elements, "address", Checker::text));
    let values =
        check.called(INVALID_OUTPUT_VALUE, |check| each(check, &elements, "value", Checker::positive_amount));
    let tokens = check.called(INVALID_TOKEN_UID, |check| {
        each(check, &elements, "token", |check, field| check.optional_token(field, context.compat))
    });
    let timelocks = each(check, &elements, "timelock", timelock);
    let pay = |i: usize| SendOutput::Pay {
        address: addresses[i].unwrap_or_default().to_owned(),
        value: values[i].unwrap_or_default(),
        token: tokens[i].filter(|token| !token.is_empty()).unwrap_or(NATIVE).to_owned(),
        timelock: timelocks[i],
    };
    Ok((0..elements.len()).map(pay).collect())
}

const INPUTS: Rule<SendInputs> = Rule::optional(
    Kind::Array {
        of: &Kind::Object {
            members: &[
                Member::new(
                    "txId",
                    "The transaction whose output is spent.",
                    Kind::Pattern("^[0-9A-Fa-f]{64}$"),
                    Need::Required,
                ),
                Member { need: Need::Required, ..INPUT_INDEX },
            ],
            any_of: &[&["txId", "index"]],
        },
        least: 1,
        most: Some(MAX_INPUTS),
    },
    |check, field, context| {
        if field.value.is_none() {
            return Ok(SendInputs::Automatic);
        }
        if check.called(INVALID_INPUTS, |check| check.too_many(field, MAX_INPUTS, context.compat)) {
            return noted();
        }
        let must = "must be an array of {\"txId\", \"index\"}";
        let elements = check.called(INVALID_INPUTS, |check| check.some_elements(field, must));
        let ids: Vec<_> = elements.iter().map(|input| input.member("txId")).collect();
        let ids = check.called(INVALID_INPUT_TX_ID, |check| check.formed_texts(&ids, ID));
        let indexes = check.called(INVALID_INPUT_VALUE, |check| each(check, &elements, "index", place));
        Ok(explicit_inputs(ids, indexes))
    },
);

/// The place of an output; one below 0 is that of none.
fn place<'a>(check: &mut Checker<'a>, field: &Field<'a>) -> Option<i128> {
    let found = check.integer_of(field);
    if found.is_none() {
        check.invalid(field, "must be the place of an output");
    }
    found
}
