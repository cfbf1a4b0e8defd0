//! TypeScript's type of the methods that carry out operations.

use super::{MADE, camel_case, members, pascal};
use crate::api::DryRunAnswer;
use crate::api::PackageMethod;
use crate::api::declare::Need;
use crate::api::operation::{Answers, Declared};
use crate::api::shape::Shaped;
use std::fmt::Write;

/// The members of `Wallet` that are operations.
pub fn methods(operations: impl Iterator<Item = &'static Declared>) -> String {
    let mut text = format!(
        "{MADE}\n/** The operations of a wallet. Most are those of the HTTP interface. */\nexport interface Wallet {{\n"
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
    let options = options(operation, method);
    *text += &comment(operation, method, &takes, options);
    if operation.sends() {
        let _ =
            writeln!(text, "  {name}({takes}, options: SendOptions & {{ dryRun: true }}): Promise<DryRun>;");
    }
    let (separator, options) = match options {
        Some(Options { type_, .. }) if takes.is_empty() => ("", format!("options?: {type_}")),
        Some(Options { type_, .. }) => (", ", format!("options?: {type_}")),
        None => ("", String::new()),
    };
    let gives = if is_immediate(method) { gives } else { format!("Promise<{gives}>") };
    let _ = writeln!(text, "  {name}({takes}{separator}{options}): {gives};");
}

/// Whether it answers without a promise, and in every state.
fn is_immediate(method: &PackageMethod) -> bool {
    method.name == "status"
}

/// The options of a method beside its request.
#[derive(Clone, Copy)]
struct Options {
    type_: &'static str,
    members: &'static str,
    /// Codes of errors that methods with these options can have.
    throws: &'static [&'static str],
}

fn options(operation: &Declared, method: &PackageMethod) -> Option<Options> {
    let makes = Options { type_: "MakeOptions", members: "`idempotencyKey`, `signal`", throws: MADE_BY };
    match (operation.sends(), operation.makes, method.waits) {
        (true, ..) => {
            let members = "`dryRun`, `idempotencyKey`, `signal`";
            Some(Options { type_: "SendOptions", members, throws: SENT_BY })
        }
        (_, true, _) => Some(makes),
        (.., true) => {
            Some(Options { type_: "WaitOptions", members: "`signal`", throws: &["NODE_UNREACHABLE"] })
        }
        _ => None,
    }
}

const MADE_BY: &[&str] = &["INSUFFICIENT_FUNDS", "NODE_UNREACHABLE"];
const SENT_BY: &[&str] = &[
    "READ_ONLY",
    "INSUFFICIENT_FUNDS",
    "REJECTED",
    "OUTCOME_UNKNOWN",
    "NODE_UNREACHABLE",
    "MINING_UNREACHABLE",
    "MINING_TIMEOUT",
];

/// What an editor shows of a method: its description, its arguments, its errors and an example.
fn comment(operation: &Declared, method: &PackageMethod, takes: &str, options: Option<Options>) -> String {
    let mut lines = vec![method.about.unwrap_or(operation.summary).to_owned(), String::new()];
    for (name, type_) in arguments(takes) {
        let about = argument(operation, name, type_);
        lines.push(format!("@param {name}{}{about}", if about.is_empty() { "" } else { " " }));
    }
    if let Some(Options { members, .. }) = options {
        lines.push(format!("@param options {members}"));
    }
    let mut codes = Vec::new();
    if !takes.is_empty() {
        codes.push("INVALID_INPUT");
    }
    if operation.needs_ready && !is_immediate(method) {
        codes.extend(["NOT_READY", "STOPPED"]);
    }
    codes.extend(method.throws);
    codes.extend(options.map_or(&[][..], |options| options.throws));
    if !codes.is_empty() {
        let codes: Vec<_> = codes.iter().map(|code| format!("`{code}`")).collect();
        lines.push(format!("@throws {{WalletError}} {}, …", codes.join(", ")));
    }
    if let Some(example) = method.example {
        lines.push("@example".to_owned());
        lines.extend(example.lines().map(str::to_owned));
    }
    if lines.len() == 2 {
        return format!("  /** {} */\n", lines[0]);
    }
    let lines: Vec<_> = lines.iter().map(|line| format!("   * {line}").trim_end().to_owned()).collect();
    format!("  /**\n{}\n   */\n", lines.join("\n"))
}

/// The names and types of arguments.
fn arguments(takes: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut depth = 0_usize;
    let parts = takes.split(move |letter: char| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    let parts = parts.filter_map(|part| part.split_once(':'));
    parts.map(|(name, type_)| (name.trim().trim_end_matches('?'), type_.trim()))
}

/// What an argument is: the meaning of the field of its name, the names in its type, or the fields of the
/// request.
fn argument(operation: &Declared, name: &str, type_: &str) -> String {
    let members = members(operation).unwrap_or_default();
    if let Some(own) = type_.strip_prefix('{') {
        let names = own.split(',').filter_map(|member| member.split_once(':'));
        let names = names.map(|(name, _)| format!("`{}`", name.trim().trim_end_matches('?')));
        return names.collect::<Vec<_>>().join(", ");
    }
    if let Some(member) = members.iter().find(|member| camel_case(member.name) == name) {
        return member.meaning.trim().to_owned();
    }
    let of = |is_required: bool| {
        let members = members.iter().filter(move |member| (member.need == Need::Required) == is_required);
        members.map(|member| format!("`{}`", camel_case(member.name))).collect::<Vec<_>>().join(", ")
    };
    match (of(true), of(false)) {
        (required, optional) if optional.is_empty() => required,
        (required, optional) if required.is_empty() => format!("Optional: {optional}"),
        (required, optional) => format!("{required}; optional: {optional}"),
    }
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
