//! The network's rules as the package's entry `rules` has them, in JavaScript and in TypeScript: constants,
//! for pages that look at what is typed before a wallet is asked.

use super::MADE;
use crate::api::check::MAX_DATA_BYTES;
use crate::api::rules::NATIVE;
use crate::ledger::{
    Amount, DATA_OUTPUT_COST, HTR_NAME, HTR_SYMBOL, MAX_DATA_OUTPUTS, MAX_DATA_TEXT_CHARS, MAX_INPUTS,
    MAX_OUTPUTS, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, Output, TokenData,
};
use std::fmt::Write;

/// A constant: its name, what it means, and its value as JavaScript writes it.
type Constant<'a> = (&'a str, &'a str, String);

/// What belongs together: its name, what it is, and its constants.
type Group<'a> = (&'a str, &'a str, Vec<Constant<'a>>);

fn groups<'a>(services: &'a [PublicServices<'a>]) -> Vec<Group<'a>> {
    let number = |number: usize| number.to_string();
    let cents = |amount: Amount| format!("{}n", amount.cents());
    let text = |text: &str| format!("\"{text}\"");
    let limits = vec![
        ("tokenNameChars", "Most characters of a token's name.", number(MAX_TOKEN_NAME_CHARS)),
        ("tokenSymbolChars", "Most characters of a token's symbol.", number(MAX_TOKEN_SYMBOL_CHARS)),
        (
            "dataChars",
            "Most characters of a text that an output keeps on the ledger.",
            number(MAX_DATA_TEXT_CHARS),
        ),
        ("dataBytes", "Most bytes of such a text in UTF-8.", number(MAX_DATA_BYTES)),
        ("dataOutputs", "Most such outputs of a transaction.", number(MAX_DATA_OUTPUTS)),
        ("inputs", "Most inputs of a transaction.", number(MAX_INPUTS)),
        ("outputs", "Most outputs of a transaction.", number(MAX_OUTPUTS)),
        ("outputAmount", "The most that an output can hold, in cents.", cents(Amount::MAX_OUTPUT)),
    ];
    let prices = vec![(
        "dataOutput",
        "What an output costs that keeps a text on the ledger, an NFT's included.",
        cents(DATA_OUTPUT_COST),
    )];
    let htr = vec![
        ("uid", "", text(NATIVE)),
        ("name", "No other token may have it, in capitals or not.", text(HTR_NAME)),
        ("symbol", "No other token may have it, in capitals or not.", text(HTR_SYMBOL)),
    ];
    let authority = vec![
        (
            "tokenData",
            "The bit of an output's `token_data` that marks it.",
            number(TokenData::AUTHORITY.into()),
        ),
        ("mint", "The bit of its `value` that allows minting.", format!("{}n", Output::MINT)),
        ("melt", "The bit of its `value` that allows melting.", format!("{}n", Output::MELT)),
    ];
    let services = services.iter().map(|(network, node, mining)| {
        (*network, "", format!("Object.freeze({{ nodeUrl: \"{node}\", miningUrl: \"{mining}\" }})"))
    });
    vec![
        ("limits", "What the network lets tokens and transactions have.", limits),
        ("prices", "What is paid for, in cents of HTR, whatever else a transaction does.", prices),
        ("HTR", "The network's own token.", htr),
        (
            "AUTHORITY",
            "How an output is told from an amount that allows minting or melting a token.",
            authority,
        ),
        (
            "publicServices",
            "The full node and the mining service that `Wallet.start` uses if it is given none.",
            services.collect(),
        ),
    ]
}

/// A network's name, and the addresses of its public full node and mining service.
pub type PublicServices<'a> = (&'a str, &'a str, &'a str);

/// The entry's JavaScript and its declarations.
pub fn rules(services: &[PublicServices<'_>]) -> (String, String) {
    let (mut javascript, mut typescript) = (MADE.to_owned(), MADE.to_owned());
    for (group, about, constants) in groups(services) {
        let _ = write!(javascript, "\n/** {about} */\nexport const {group} = Object.freeze({{\n");
        let _ = write!(typescript, "\n/** {about} */\nexport declare const {group}: {{\n");
        for (name, meaning, value) in constants {
            let _ = writeln!(javascript, "  {name}: {value},");
            if !meaning.is_empty() {
                let _ = writeln!(typescript, "  /** {meaning} */");
            }
            let _ = writeln!(typescript, "  readonly {name}: {};", type_of(&value));
        }
        javascript += "});\n";
        typescript += "};\n";
    }
    (javascript, typescript)
}

fn type_of(value: &str) -> &'static str {
    match value.as_bytes() {
        [b'"', ..] => "string",
        [b'O', ..] => "{ readonly nodeUrl: string; readonly miningUrl: string }",
        [.., b'n'] => "bigint",
        _ => "number",
    }
}
