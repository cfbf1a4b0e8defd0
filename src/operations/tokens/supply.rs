//! What operations on a token's supply have in common.

use crate::api::rules::{NOT_EMPTY, flag, or_noted, says_something};
use crate::ledger::{Network, TokenUid, VertexId};
use crate::operations::addresses::{optional_address, own_address, refuse};
use crate::operations::prelude::*;
use crate::wallet::{Authority, AuthorityTo, PlanError};
use serde_json::Value;

pub(super) const NOTES: Argument = Argument::flag("data", "data")
    .help("Also writes this text to the ledger, where everyone can read it forever; costs 0.01 HTR");
pub(super) const DATA_LAST: Argument =
    Argument::flag("unshift_data", "data-last").help("Puts the outputs of --data last, in their order");

/// Declares a request about a token's supply. What the fields mean that several of them have stands here; a
/// request says how it reads them, in its own order.
macro_rules! supply_request {
    (@ {$($head:tt)*} {$($fields:tt)*}) => {
        $crate::api::declare::request! { $($head)* { $($fields)* } }
    };
    (@ $head:tt {$($done:tt)*} name = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// The token's name.
            pub name: String = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} symbol = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// The token's symbol.
            pub symbol: String = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} address = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Who gets the minted tokens; the wallet's current address if not given.
            pub address: Option<String> = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} change_address = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Where the change goes: an address of the wallet.
            pub change_address: Option<String> = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} create_mint = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Whether the authority to mint more is created.
            pub create_mint: bool = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} mint_authority_address = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
            pub mint_authority_address: Option<String> = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} allow_external_mint_authority_address = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Whether the authority to mint may go to somebody else.
            pub allow_external_mint_authority_address: bool = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} create_melt = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Whether the authority to melt is created.
            pub create_melt: bool = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} melt_authority_address = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
            pub melt_authority_address: Option<String> = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} allow_external_melt_authority_address = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Whether the authority to melt may go to somebody else.
            pub allow_external_melt_authority_address: bool = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} unshift_data = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Whether the outputs of `data` come first, in reverse order, rather than last.
            pub unshift_data: bool = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} data = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Texts kept on the ledger, one output each.
            pub data: Vec<String> = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} version = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// 1: the token is paid for by a deposit, 2: by fees.
            pub version: $crate::ledger::TokenVersion = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} mark_inputs_as_used = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head {
            $($done)*
            /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
            /// `/wallet/utxos-selected-as-input` gives them back.
            pub mark_inputs_as_used: bool = $rule,
        } $($rest)* }
    };
    (@ $head:tt {$($done:tt)*} $(#[$($about:tt)*])* pub $name:ident: $Type:ty = $rule:expr, $($rest:tt)*) => {
        supply_request! { @ $head { $($done)* $(#[$($about)*])* pub $name: $Type = $rule, } $($rest)* }
    };
    (
        $(#[$($about:tt)*])*
        pub struct $Name:ident in $place:ident $(, $key:ident = $value:tt)* { $($fields:tt)* }
    ) => {
        supply_request! { @ { $(#[$($about)*])* pub struct $Name in $place $(, $key = $value)* } {} $($fields)* }
    };
}
pub(crate) use supply_request;

/// The token that a request creates, for a wallet of a network.
macro_rules! new_token {
    ($given:ident, $network:ident, $address:ident, $data:expr, $version:expr, $data_first:expr) => {
        $crate::wallet::CreateTokenRequest {
            name: $given.name,
            symbol: $given.symbol,
            version: $version,
            amount: $given.amount,
            address: optional_address($given.$address, $network)?,
            change_address: change_of_token($given.change_address, $network)?,
            mint_authority: authority(
                $given.create_mint,
                $given.mint_authority_address,
                $given.allow_external_mint_authority_address,
                $network,
                Authority::Mint,
            )?,
            melt_authority: authority(
                $given.create_melt,
                $given.melt_authority_address,
                $given.allow_external_melt_authority_address,
                $network,
                Authority::Melt,
            )?,
            data: $data,
            data_first: $data_first,
        }
    };
}
pub(crate) use new_token;

/// A yes or no; what is left empty is a yes.
pub(crate) const DATA_FIRST: Rule<bool> = flag(true).or_null().read_by(|check, field, _| {
    let blank = field.value.is_some_and(|value| value.is_null() || value == "");
    Ok(blank || check.flag(field, true))
});

/// Refuses the address of an authority that is not created. Without `create_mint` or `create_melt`, one is.
pub(crate) fn refuse_unused_authorities(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused(check, compat, true);
}

/// The same where an authority is created only on request.
pub(crate) fn refuse_authorities_not_requested(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused(check, compat, false);
}

fn refuse_unused(check: &mut Checker<'_>, compat: Compat, default: bool) {
    if !compat.refuses_unused_fields() {
        return;
    }
    for (create, address) in
        [("create_mint", "mint_authority_address"), ("create_melt", "melt_authority_address")]
    {
        let creates = match check.field(create).value {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::String(text)) => text != "false" && text != "0",
            Some(Value::Number(number)) => number.as_str() != "0",
            _ => default,
        };
        let field = check.field(address);
        if !creates && field.value.is_some_and(says_something) {
            check.unused(&field, "must be left out: no such authority is created");
        }
    }
}

/// Where an authority goes, if one is created.
pub(crate) fn authority(
    create: bool,
    to: Option<String>,
    allow_external: bool,
    network: Network,
    authority: Authority,
) -> Result<Option<AuthorityTo>, Refusal> {
    if !create {
        return Ok(None);
    }
    let address = if allow_external {
        optional_address(to, network)?
    } else {
        own_address(to, network, &PlanError::AuthorityNotMine(authority))?
    };
    Ok(Some(AuthorityTo { address, allow_external }))
}

/// The token that is minted or melted. Nobody has authorities over HTR, nor over what is no uid.
pub(crate) fn custom_token(text: &str, authority: Authority) -> Result<VertexId, Refusal> {
    match text.parse() {
        Ok(TokenUid::Custom(id)) => Ok(id),
        _ => Err(refuse(&PlanError::NoAuthority(authority))),
    }
}

/// A token's uid, as given.
pub(crate) const PROPOSED_TOKEN: Rule<String> =
    Rule::required(Kind::NonEmptyText, |check, field, context| {
        or_noted(check.token(field, context.compat).map(str::to_owned))
    })
    .formed(&NOT_EMPTY);
