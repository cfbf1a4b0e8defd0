//! TypeScript's types of requests and answers, as the npm package's methods take and give them.

mod methods;
mod options;
mod rules;

pub use methods::methods;
pub use options::options;
pub use rules::{PublicServices, rules};

use super::declare::{Kind, Literal, Member, Need, camel_case};
use super::operation::{Answers, Declared};
use super::shape::{AnswerMember, Form, Shape, Shaped};
use super::{
    AuthoritiesAnswer, Compat, LoadProgress, PlainTransaction, SwapEvent, TokenAnswer, TokenBalance,
    TokenDepositAnswer, TxEvent, WalletStatus,
};
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) const MADE: &str = "// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.\n";

/// An interface for each operation that takes a request.
pub fn requests(operations: impl Iterator<Item = &'static Declared>) -> String {
    let mut text = MADE.to_owned();
    for operation in operations {
        if let (Ok([.., method]), Some(members)) = (operation.package, members(operation)) {
            let name = method.name.split('.').next_back().unwrap_or_default();
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
fn members(operation: &Declared) -> Option<Vec<Member>> {
    let (_, members) = operation.takes?;
    Some(visible(members))
}

fn visible(members: &[Member]) -> Vec<Member> {
    let members = members.iter().filter(|member| !member.deprecated);
    members.filter_map(|member| member.under(Compat::Package)).collect()
}

fn interface(members: &[Member], indent: &str) -> String {
    let mut text = String::new();
    for member in members {
        let about = about(member.meaning, member.default, limit(member.kind));
        let _ = writeln!(text, "{indent}/** {about} */");
        let optional = member.need != Need::Required;
        let (mark, or) = if optional { ("?", " | undefined") } else { ("", "") };
        let _ =
            writeln!(text, "{indent}{}{mark}: {}{or};", camel_case(member.name), kind(member.kind, indent));
    }
    text
}

/// What is said of a member: its meaning, what stands for it, and what it may be.
fn about(meaning: &str, default: Option<Literal>, limit: Option<String>) -> String {
    let mut about = meaning.trim().to_owned();
    if let Some(default) = default {
        let default = match default {
            Literal::Flag(flag) => flag.to_string(),
            Literal::Number(number) => number.to_string(),
            Literal::Text(text) => format!("\"{text}\""),
        };
        let _ = write!(about, " {default} if left out.");
    }
    if let Some(limit) = limit {
        let _ = write!(about, " {limit}");
    }
    about
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
        Kind::OneOf(texts) => one_of(texts),
        Kind::HexByName => "Record<string, string>".to_owned(),
        Kind::Any => "JsonInput".to_owned(),
        Kind::Array { of, .. } => {
            let of = self::kind(*of, indent);
            if of.contains(['|', '{']) { format!("({of})[]") } else { format!("{of}[]") }
        }
        Kind::Object { members, any_of } => object(&visible(members), any_of, indent),
        _ => "string".to_owned(),
    }
}

fn one_of(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" | ")
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
                camel_case(member.name)
            );
        }
        format!("{{\n{text}{indent}}}")
    });
    let forms: Vec<_> = forms.collect();
    if forms.is_empty() { format!("{{\n{}{indent}}}", interface(members, &inner)) } else { forms.join(" | ") }
}

fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The types of answers that have a name.
pub fn answers(operations: impl Iterator<Item = &'static Declared>) -> String {
    let mut types = Types { text: MADE.to_owned(), known: BTreeSet::new() };
    for operation in operations.filter(|operation| operation.package.is_ok()) {
        if let Answers::Json(shapes) = operation.answers {
            shapes.iter().filter(|shape| shape.typescript.is_some()).for_each(|shape| drop(types.of(shape)));
        }
    }
    // Of what is no operation of the HTTP interface.
    let others = [
        LoadProgress::SHAPE,
        TokenAnswer::SHAPE,
        PlainTransaction::SHAPE,
        TxEvent::SHAPE,
        TokenBalance::SHAPE,
        SwapEvent::SHAPE,
        TokenDepositAnswer::SHAPE,
        AuthoritiesAnswer::SHAPE,
        WalletStatus::SHAPE,
    ];
    others.iter().for_each(|shape| drop(types.of(shape)));
    types.text
}

/// Types that are declared, each once.
struct Types {
    text: String,
    known: BTreeSet<&'static str>,
}

impl Types {
    /// The type of a shape, by its name if it has one, which is declared then.
    fn of(&mut self, shape: &Shape) -> String {
        let Some(name) = shape.typescript else { return self.whole(shape) };
        if self.known.insert(name) {
            let declaration = match shape.form {
                Form::Object(members) if !members.is_empty() => self.interface(name, members),
                _ => format!("type {name} = {};\n", self.whole(shape)),
            };
            let _ = write!(self.text, "\n/** {} */\nexport {declaration}", shape.about.trim());
        }
        name.to_owned()
    }

    fn whole(&mut self, shape: &Shape) -> String {
        match shape.form {
            Form::Value(schema) => of_schema(&schema()),
            Form::BigInt(_) => "bigint".to_owned(),
            Form::List(of) => format!("{}[]", self.of(of)),
            Form::OrNull(of) => format!("{} | null", self.of(of)),
            Form::ByName(_, of) => format!("Record<string, {}>", self.of(of)),
            Form::AnyOf(shapes) => shapes.iter().map(|shape| self.of(shape)).collect::<Vec<_>>().join(" | "),
            Form::Object([]) => "{ [name in never]: never }".to_owned(),
            Form::Object(members) => {
                let members = self.members(members, &mut Vec::new());
                format!("{{\n{}  }}", members.replace("\n  ", "\n    ").replacen("  ", "    ", 1))
            }
            Form::ByCompat(shape) => self.whole(shape(Compat::Package)),
            Form::Maybe(of) | Form::Flatten(of) => self.of(of),
            // As a type of its own it would be that of each misspelt name, too.
            Form::Others => "unknown".to_owned(),
        }
    }

    fn interface(&mut self, name: &str, members: &'static [AnswerMember]) -> String {
        let mut bases = Vec::new();
        let members = self.members(members, &mut bases);
        let extends = if bases.is_empty() { String::new() } else { format!(" extends {}", bases.join(", ")) };
        format!("interface {name}{extends} {{\n{members}}}\n")
    }

    /// Members, a line each. Objects with names whose members are among them are `bases`.
    fn members(&mut self, members: &'static [AnswerMember], bases: &mut Vec<String>) -> String {
        let mut text = String::new();
        for member in AnswerMember::all(members, Compat::Package) {
            if let Form::Flatten(base) = member.shape.form {
                match base.form {
                    Form::Object(members) if base.typescript.is_none() => {
                        text += &self.members(members, bases)
                    }
                    _ => bases.push(self.of(base)),
                }
                continue;
            }
            let about = member.told();
            if !about.is_empty() {
                let _ = writeln!(text, "  /** {about} */");
            }
            let mark = if matches!(member.shape.form, Form::Maybe(_)) { "?" } else { "" };
            let _ = writeln!(text, "  {}{mark}: {};", member.name, self.of(&member.shape));
        }
        text
    }
}

/// The type of a single value.
fn of_schema(schema: &serde_json::Value) -> String {
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    }
    match schema["type"].as_str() {
        Some("integer") => "number".to_owned(),
        Some(name @ ("string" | "boolean" | "number" | "null")) => name.to_owned(),
        _ => "unknown".to_owned(),
    }
}
