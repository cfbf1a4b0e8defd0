//! TypeScript's type of the methods that carry out operations.

use super::{MADE, members, pascal};
use crate::api::DryRunAnswer;
use crate::api::PackageMethod;
use crate::api::declare::Need;
use crate::api::operation::{Answers, Declared};
use crate::api::shape::Shaped;
use std::fmt::Write;

/// The members of `Wallet` that are operations.
pub fn methods(operations: impl Iterator<Item = &'static Declared>) -> String {
    let mut text = format!(
        "{MADE}\n/** The operations of a wallet, of which most are those of the HTTP interface. */\nexport interface Wallet {{\n"
    );
    for operation in operations {
        let methods = operation.package.unwrap_or_default().iter();
        // Those of other classes are written there, and `events` is written by hand.
        for of in methods.filter(|method| !method.name.contains('.') && method.name != "events") {
            method(operation, of, &mut text);
        }
    }
    text + "}\n"
}

fn method(operation: &Declared, method: &PackageMethod, text: &mut String) {
    let name = method.name;
    let takes = method.takes.map_or_else(|| request(operation, name), str::to_owned);
    let gives = method.gives.map_or_else(|| answer(operation), str::to_owned);
    let _ = writeln!(text, "  /** {} */", method.about.unwrap_or(operation.summary));
    if operation.sends() {
        let _ =
            writeln!(text, "  {name}({takes}, options: SendOptions & {{ dryRun: true }}): Promise<DryRun>;");
    }
    let options = match (operation.sends(), operation.makes, method.waits) {
        (true, ..) => "options?: SendOptions",
        (_, true, _) => "options?: MakeOptions",
        (.., true) => "options?: WaitOptions",
        _ => "",
    };
    let separator = if takes.is_empty() || options.is_empty() { "" } else { ", " };
    let gives = if name == "status" { gives } else { format!("Promise<{gives}>") };
    let _ = writeln!(text, "  {name}({takes}{separator}{options}): {gives};");
}

/// All that an operation takes, as one object.
fn request(operation: &Declared, name: &str) -> String {
    match members(operation) {
        Some(members) if !members.is_empty() => {
            let mark = if members.iter().any(|member| member.need == Need::Required) { "" } else { "?" };
            format!("request{mark}: {}Request", pascal(name))
        }
        _ => String::new(),
    }
}

/// What an operation answers with where it does not only say what it would do.
fn answer(operation: &Declared) -> String {
    let Answers::Json(shapes) = operation.answers else { return "void".to_owned() };
    let mut names = shapes.iter().filter(|shape| shape.schema != DryRunAnswer::SHAPE.schema);
    names.find_map(|shape| shape.typescript).unwrap_or("void").to_owned()
}
