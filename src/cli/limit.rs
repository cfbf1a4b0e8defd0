//! Spending limits as the command line takes and shows them: amounts have decimals or name their unit, where
//! requests and settings have whole cents.

use super::amount::{self, decimal};
use headless_wallet::ledger::TokenUid;
use headless_wallet::limits::{Cap, LIMIT, Rule, Which};

const SHAPES: &str = "limits are as 'spend 10.00 HTR per day' (spend or mint; HTR, a token's uid or *; 'spend 500 cents of UID per day' for what \
                      is counted in pieces; transaction, hour, day or lifetime; perhaps with 'unless approved by 2 of alice,bob,carol' after \
                      it), 'to ADDRESS', 'not to ADDRESS' or 'call CONTRACT METHOD'";

/// A limit in the words of requests and settings, of what was typed.
pub fn typed(text: &str) -> Result<String, String> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let in_cents = match *words {
        ["to" | "not" | "call", ..] => text.to_owned(),
        [verb, number, "cents" | "cent", "of", ref rest @ ..] if amount::is_whole(number) => {
            format!("{verb} {number} {}", rest.join(" "))
        }
        [verb, number, token, ref rest @ ..] => match amount::read(&format!("{number} {token}")) {
            Ok((cents, _)) => format!("{verb} {cents} {token} {}", rest.join(" ")),
            Err(why) if amount::is_whole(number) => return Err(why),
            Err(_) => text.to_owned(),
        },
        _ => text.to_owned(),
    };
    let rule = in_cents.parse::<Rule>();
    rule.map(|rule| rule.to_string()).map_err(|_| SHAPES.to_owned())
}

/// A limit of requests and settings, as it is typed here.
pub fn shown(text: &str) -> String {
    let Ok(Rule::Cap(Cap { verb, most, which, .. })) = text.parse::<Rule>() else { return text.to_owned() };
    let rest = text.split_once(" per ").map_or("", |(_, rest)| rest);
    match which {
        _ if most.cents() == 0 => text.to_owned(),
        Which::Token(TokenUid::Native) => {
            format!("{verb} {} {which} per {rest}", decimal(&most.to_string()))
        }
        // Not all tokens are divided.
        Which::Token(_) | Which::Each => format!("{verb} {most} cents of {which} per {rest}"),
    }
}

/// What must be said beside what a server says of a limit.
pub fn units(told: &str) -> Option<&'static str> {
    let of_amounts = ["spend", "mint"].map(|verb| format!("{LIMIT} \"{verb} "));
    of_amounts
        .iter()
        .any(|begin| told.contains(begin))
        .then_some("Amounts in that limit are cents: 100 is 1.00.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_limits_are_as_people_write_them() {
        let uid = "1a".repeat(32);
        let both = [
            ("spend 10.00 HTR per day".to_owned(), "spend 1000 HTR per day".to_owned()),
            (
                "spend 0.10 HTR per day unless approved by 1 of alice,bob".to_owned(),
                "spend 10 HTR per day unless approved by 1 of alice,bob".to_owned(),
            ),
            (format!("mint 5 cents of {uid} per hour"), format!("mint 5 {uid} per hour")),
            ("mint 500 cents of * per transaction".to_owned(), "mint 500 * per transaction".to_owned()),
            ("spend 0 * per transaction".to_owned(), "spend 0 * per transaction".to_owned()),
            (
                "not to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6".to_owned(),
                "not to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6".to_owned(),
            ),
        ];
        for (people, server) in both {
            assert_eq!(typed(&people), Ok(server.clone()));
            assert_eq!(shown(&server), people);
        }
        assert_eq!(typed("spend 1000 cents of HTR per day"), Ok("spend 1000 HTR per day".to_owned()));
        assert_eq!(typed("spend 10 HTR per day"), Ok("spend 1000 HTR per day".to_owned()));
        assert_eq!(typed("mint 5 * per hour"), Err(amount::either("5", "*")));
        for text in [
            "spend 10.00 HTR a day",
            "spend 1.234 HTR per day",
            "spend HTR per day",
            "to nobody",
            "",
            "spend",
        ] {
            assert_eq!(typed(text), Err(SHAPES.to_owned()), "{text}");
        }
    }
}
