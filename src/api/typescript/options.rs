//! TypeScript's types of the package's options.

use super::{MADE, about, camel_case, kind, limit, one_of};
use crate::api::TOPICS;
use crate::api::options::{Holds, OptionForm, OptionGroup, OptionMember, Options, StartOptions};
use std::fmt::Write;

/// An interface for each group of options or form of one, and what they are put together to.
pub fn options() -> String {
    let mut text = MADE.to_owned();
    for group in StartOptions::<()>::GROUPS {
        if group.forms.is_empty() {
            let about = group.about.trim();
            let members = members(group, "  ");
            let _ = write!(text, "\n/** {about} */\nexport interface {} {{\n{members}}}\n", group.name);
        } else {
            forms(group, &mut text);
        }
    }
    let names: Vec<_> = StartOptions::<()>::GROUPS.iter().map(|group| group.name).collect();
    let _ = write!(
        text,
        "\n/** Options of `Wallet.start`. */\nexport type StartOptions = {};\n",
        names.join(" & ")
    );
    text + &events()
}

/// What comes with each event.
fn events() -> String {
    let mut text =
        "\n/** The events of a wallet, and the data of each. */\nexport interface WalletEvents {\n"
            .to_owned();
    for (name, meaning, news) in TOPICS {
        let type_ = news.typescript.expect("what listeners are told has a name");
        let _ = writeln!(text, "  /** {} */\n  {name}: {type_};", meaning.trim());
    }
    text + "}\n"
}

fn members(group: &OptionGroup, indent: &str) -> String {
    group.members.iter().map(|member| line(member, member.is_required, None, indent)).collect()
}

/// A type for each form that has a name, and one for any of them.
fn forms(group: &OptionGroup, text: &mut String) {
    let mut types = Vec::new();
    for form in group.forms {
        match form.named {
            None => types.push(format!("{{\n{}    }}", form_members(group, form, "      "))),
            Some((name, about)) => {
                let members = form_members(group, form, "  ");
                let _ = write!(text, "\n/** {about} */\nexport interface {name} {{\n{members}}}\n");
                types.push(name.to_owned());
            }
        }
    }
    let about = group.about.trim();
    let types = types.join("\n  | ");
    let _ = write!(text, "\n/** {about} */\nexport type {} =\n  | {types};\n", group.name);
}

fn form_members(group: &OptionGroup, form: &OptionForm, indent: &str) -> String {
    let member = |member: &OptionMember| {
        let (is_required, is_optional) =
            (form.required.contains(&member.name), form.optional.contains(&member.name));
        let narrowed = form.narrowed.filter(|(name, _)| *name == member.name).map(|(_, values)| values);
        match is_required || is_optional {
            true => line(member, is_required, narrowed, indent),
            false => format!("{indent}{}?: undefined;\n", camel_case(member.name)),
        }
    };
    group.members.iter().map(member).collect()
}

fn line(member: &OptionMember, is_required: bool, narrowed: Option<&[&str]>, indent: &str) -> String {
    let (of, limit) = match (narrowed, member.holds) {
        (Some(values), _) => (one_of(values), None),
        (None, Holds::Kind(of)) => (kind(of, indent), limit(of)),
        (None, Holds::JavaScript(typescript)) => (typescript.to_owned(), None),
        (None, Holds::Object(group)) => {
            (format!("{{\n{}{indent}}}", members(group, &format!("{indent}  "))), None)
        }
    };
    let about = about(member.meaning, member.default, limit);
    let name = camel_case(member.name);
    match is_required {
        true => format!("{indent}/** {about} */\n{indent}{name}: {of};\n"),
        // The type of a function would take `undefined` for a part of what it gives.
        false if of.contains("=>") => {
            format!("{indent}/** {about} */\n{indent}{name}?: ({of}) | undefined;\n")
        }
        false => format!("{indent}/** {about} */\n{indent}{name}?: {of} | undefined;\n"),
    }
}
