//! TypeScript's types of requests, as the npm package's methods take them.

use super::Compat;
use super::declare::{Kind, Literal, Member, Need};
use super::operations::{self, Operation};
use std::fmt::Write;

/// An interface for each operation that takes a request.
pub fn requests() -> String {
    let mut text = "// Made of the declarations in src/api: `UPDATE=1 cargo test --features native --test api typescript` writes it.\n".to_owned();
    for operation in operations::all() {
        if let (Ok(method), Some(members)) = (operation.id.names().package, members(operation)) {
            let name = method.split([',', '.']).next_back().unwrap_or(method).trim();
            if !members.is_empty() && !matches!(name, "start" | "multisigXpub" | "unlockUtxos") {
                let _ = write!(
                    text,
                    "\n/** {} */\nexport interface {}Request {{\n{}}}\n",
                    operation.summary,
                    pascal(name),
                    interface(&members, "  ")
                );
            }
        }
    }
    text
}

/// What the package takes: all that is not there for old clients alone.
fn members(operation: &Operation) -> Option<Vec<Member>> {
    let (_, members) = operation.takes?;
    Some(visible(members))
}

fn visible(members: &[Member]) -> Vec<Member> {
    let members = members.iter().filter(|member| !member.deprecated);
    members.filter_map(|member| member.under(Compat::Documented)).collect()
}

fn interface(members: &[Member], indent: &str) -> String {
    let mut text = String::new();
    for member in members {
        let mut about = member.meaning.trim().to_owned();
        if let Some(default) = member.default {
            let default = match default {
                Literal::Flag(flag) => flag.to_string(),
                Literal::Number(number) => number.to_string(),
                Literal::Text(text) => format!("\"{text}\""),
            };
            let _ = write!(about, " {default} if left out.");
        }
        if let Some(limit) = limit(member.kind) {
            let _ = write!(about, " {limit}");
        }
        let _ = writeln!(text, "{indent}/** {about} */");
        let optional = member.need != Need::Required;
        let (mark, or) = if optional { ("?", " | undefined") } else { ("", "") };
        let _ = writeln!(text, "{indent}{}{mark}: {}{or};", camel(member.name), kind(member.kind, indent));
    }
    text
}

fn limit(kind: Kind) -> Option<String> {
    match kind {
        Kind::ShortText(most) => Some(format!("At most {most} characters.")),
        Kind::Array { of: Kind::ShortText(each), most: Some(most), .. } => {
            Some(format!("At most {most}, of at most {each} characters."))
        }
        Kind::Array { most: Some(most), .. } => Some(format!("At most {most}.")),
        Kind::Integer(Some(least), None) => Some(format!("At least {least}.")),
        Kind::Integer(Some(least), Some(most)) => Some(format!("From {least} to {most}.")),
        _ => None,
    }
}

fn kind(kind: Kind, indent: &str) -> String {
    match kind {
        Kind::Amount | Kind::Integer(None, _) => "AmountInput".to_owned(),
        Kind::Integer(..) => "number".to_owned(),
        Kind::Flag | Kind::StrictFlag => "boolean".to_owned(),
        Kind::Numbers(numbers) => numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(" | "),
        Kind::OneOf(texts) => texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" | "),
        Kind::HexByName => "Record<string, string>".to_owned(),
        Kind::Array { of, .. } => {
            let of = self::kind(*of, indent);
            if of.contains(['|', '{']) { format!("({of})[]") } else { format!("{of}[]") }
        }
        Kind::Object { members, any_of } => object(&visible(members), any_of, indent),
        _ => "string".to_owned(),
    }
}

/// An object in one of its forms: each must have some members, and must not have those of the others.
fn object(members: &[Member], any_of: &[&[&str]], indent: &str) -> String {
    let inner = format!("{indent}  ");
    let forms = any_of.iter().map(|required| {
        let mut text = String::new();
        for member in members {
            let is_required = required.contains(&member.name);
            let of_others = !is_required && any_of.iter().any(|names| names.contains(&member.name));
            let (mark, kind) = match (is_required, of_others) {
                (true, _) => ("", self::kind(member.kind, &inner)),
                (_, true) => ("?", "undefined".to_owned()),
                _ => ("?", format!("{} | undefined", self::kind(member.kind, &inner))),
            };
            let _ = writeln!(
                text,
                "{inner}/** {} */\n{inner}{}{mark}: {kind};",
                member.meaning.trim(),
                camel(member.name)
            );
        }
        format!("{{\n{text}{indent}}}")
    });
    let forms: Vec<_> = forms.collect();
    if forms.is_empty() { format!("{{\n{}{indent}}}", interface(members, &inner)) } else { forms.join(" | ") }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &pascal(part))
}

fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
