//! Answers as a terminal shows them.

mod cells;
mod effects;
mod history;
mod proposals;
mod requests;
mod sent;
mod signing_file;

pub use history::{decoded, history, transaction};
pub use proposals::{
    input_data, locked, message_signature, proposal, signatures, swap, swap_fetched, swap_list, swap_state,
    swap_version, to_be_signed, wallet_inputs,
};
pub use requests::{approval, approvals, deliveries, delivery, not_sent, task, tasks, webhooks};
pub use sent::{EFFECT, cost, melted, moved, returned, sent};
pub use signing_file::{inspected, inspected_json, made_file, signing_file};

use super::table::{Cell, Column, ColumnOf, Sheet};
use cells::{count, list, of, text, token};
use headless_wallet::api::Compat;
use serde_json::Value;

/// Makes a sheet of an answer, and of another one that helps to read it.
pub type Show = fn(&Value, &Value) -> Sheet;

/// Where what is told about an answer has what was asked with.
pub const ASKED: &str = "asked";
/// Where it has the wallet that would pay.
pub const PAYER: &str = "payer";

pub fn status(answer: &Value, _: &Value) -> Sheet {
    let warnings = list(&answer["warnings"]);
    let facts = [
        ("state", text(&answer["statusMessage"])),
        ("network", text(&answer["network"])),
        ("full node", text(&answer["serverUrl"])),
        ("its version", text(&answer["serverInfo"]["version"])),
        ("trouble", text(&answer["error"])),
    ];
    Sheet::new().pairs(facts.into_iter().chain(warnings.map(|one| ("warning", text(&one["message"])))))
}

pub fn done(_: &Value, _: &Value) -> Sheet {
    Sheet::new().line("Done.")
}

/// An answer as it is; if it has but one member besides its success, that.
pub fn plain(answer: &Value, _: &Value) -> Sheet {
    let members = answer.as_object().into_iter().flatten().filter(|(name, _)| *name != "success");
    let members: Vec<_> = members.map(|(_, value)| value).collect();
    let said = if let [only] = members[..] { only } else { answer };
    Sheet::new().line(match said {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).expect("JSON can be written"),
    })
}

pub fn balance(answer: &Value, about: &Value) -> Sheet {
    let amount = |name: &str| of(&answer[name], &about[ASKED]["token"]);
    Sheet::new().facts([("available", amount("available")), ("locked", amount("locked"))])
}

pub fn address(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["address"]))
}

pub fn addresses(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 2] = [Column::number("index"), Column::text("address")];
    let all = list(&answer["addresses"]).enumerate();
    let rows = all.map(|(index, address)| vec![index.to_string(), text(address)]).collect();
    Sheet::new().table(&COLUMNS, rows, "No addresses.")
}

pub fn index(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["index"]))
}

pub fn address_info(answer: &Value, _: &Value) -> Sheet {
    let uid = &answer["token"];
    let amount = |name: &str| of(&answer[name], uid);
    Sheet::new().facts([
        ("index", Cell::Text(text(&answer["index"]))),
        ("token", Cell::Sentence(token(uid))),
        ("received", amount("total_amount_received")),
        ("sent", amount("total_amount_sent")),
        ("available", amount("total_amount_available")),
        ("locked", amount("total_amount_locked")),
    ])
}

pub fn confirmations(answer: &Value, _: &Value) -> Sheet {
    let number = text(&answer["confirmationNumber"]);
    let blocks = if number == "1" { "block" } else { "blocks" };
    Sheet::new().line(match number.as_str() {
        "0" => "Not confirmed by a block yet.".to_owned(),
        _ => format!("Confirmed, {number} {blocks} deep."),
    })
}

pub fn configuration(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["configurationString"]))
}

pub fn utxos(answer: &Value, about: &Value) -> Sheet {
    let sum = |which: &str| {
        let (outputs, total) =
            (&answer[format!("total_utxos_{which}")], &answer[format!("total_amount_{which}")]);
        match text(outputs).as_str() {
            "" | "0" => Cell::Text(String::new()),
            _ => Cell::In(Box::new(of(total, &about[ASKED]["token"])), count(outputs, "output")),
        }
    };
    let count = list(&answer["utxos"]).count();
    let most = Compat::Documented.max_utxos_default().filter(|most| *most == count);
    let sheet = Sheet::new()
        .rows(&OUTPUTS, list(&answer["utxos"]), "No unspent outputs.")
        .of(asked_token(about))
        .facts([("available", sum("available")), ("locked", sum("locked"))]);
    match most {
        None => sheet,
        Some(most) => {
            sheet.line(format!("At most {most} outputs are listed, unless --max-utxos says otherwise."))
        }
    }
}

pub fn consolidated(answer: &Value, also: &Value) -> Sheet {
    if answer["dry_run"] == true {
        return sent(answer, also);
    }
    Sheet::new()
        .facts([
            ("transaction", Cell::Text(text(&answer["txId"]))),
            ("total", of(&answer["total_amount"], &also[ASKED]["token"])),
        ])
        .rows(&OUTPUTS, list(&answer["utxos"]), "")
        .of(asked_token(also))
}

fn asked_token(about: &Value) -> &str {
    about[ASKED]["token"].as_str().unwrap_or("00")
}

const OUTPUTS: [ColumnOf; 4] = [
    (Column::amount("amount"), |output| text(&output["amount"])),
    (Column::text("address"), |output| text(&output["address"])),
    (Column::transaction("output"), |output| {
        format!("{}:{}", text(&output["tx_id"]), text(&output["index"]))
    }),
    (
        Column::text("state"),
        |output| if output["locked"] == true { "locked".to_owned() } else { String::new() },
    ),
];
