//! A command's arguments, made of the declared fields of its operation, and the fields that are given by
//! them.

use super::command::WalletCommand;
use super::from_file;
use super::values::{meaning, parse_object, settle, shape, spelled, value, value_name};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, ValueHint};
use headless_wallet::api::{Argument, Kind, Length, Literal, Member, Need};
use serde_json::{Map, Value};

/// Adds the arguments of a command.
pub fn augment(mut clap: Command, command: &'static WalletCommand) -> Command {
    let mut before = None;
    for argument in all(command) {
        let (mut arg, file) = (argument.arg(), argument.file());
        // A file leaves its place to the argument after it.
        let file_id = file.as_ref().map(Arg::get_id).cloned();
        if let Some(id) = file_id.clone().or(before).filter(|_| argument.required) {
            arg = arg.required(false).required_unless_present(id);
        }
        before = file_id.filter(|_| argument.flag.is_none());
        clap = clap.arg(arg).args(file);
    }
    if let Some((flag, leaves_out, help)) = command.whole {
        clap = clap
            .arg(Arg::new(flag).long(flag).help(help).action(ArgAction::SetTrue).conflicts_with(leaves_out));
    }
    for (id, apart) in [("one of", false), ("not both", true)] {
        let members = if apart { command.not_both } else { command.one_of };
        if !members.is_empty() {
            let ids = all(command).filter(|argument| members.contains(&argument.member.name));
            let ids = ids.flat_map(|argument| [Some(argument.id()), argument.file_id()]).flatten();
            clap = clap.group(ArgGroup::new(id).args(ids).required(!apart));
        }
    }
    clap
}

/// The fields that are given.
pub fn fields(
    command: &'static WalletCommand,
    matches: &ArgMatches,
) -> Result<Map<String, Value>, clap::Error> {
    let (mut fields, mut parts, mut left) = (Map::new(), Vec::new(), Vec::new());
    for argument in all(command) {
        let mut values = argument.values(matches);
        if argument.flag.is_none() {
            values.splice(..0, left.drain(..));
        }
        if let Some(held) = argument.held(matches) {
            left = std::mem::replace(&mut values, vec![held]);
        }
        if values.is_empty() && argument.required {
            return Err(usage(&format!("{} is missing", argument.shown())));
        }
        if matches!(argument.form, Form::One) && values.len() > 1 {
            left.extend(values.drain(1..));
        }
        let name = argument.member.name.to_owned();
        let mut part = Map::new();
        let fields = if argument.within.is_some() { &mut part } else { &mut fields };
        match argument.form {
            Form::Switch(set) => {
                if matches.get_flag(&argument.id()) {
                    fields.insert(name, Value::Bool(set));
                }
            }
            Form::One => {
                fields.extend(values.into_iter().next().map(|value| (name, value)));
            }
            Form::Many | Form::Object { .. } => {
                if values.is_empty() && argument.within.is_some() {
                    continue;
                }
                if let Value::Array(list) = fields.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                    list.extend(values);
                }
            }
            Form::ByName => {
                let pairs = matches.get_many::<Value>(&argument.id()).into_iter().flatten();
                let pairs = pairs.filter_map(Value::as_object).flatten();
                let pairs: Map<_, _> = pairs.map(|(name, value)| (name.clone(), value.clone())).collect();
                if !pairs.is_empty() {
                    fields.insert(name, Value::Object(pairs));
                }
            }
        }
        parts.extend(argument.within.filter(|_| !part.is_empty()).map(|within| (within, part)));
    }
    let takes_token = command.members().iter().any(|member| member.name == "token");
    settle(&mut fields, takes_token).map_err(|wrong| usage(&wrong))?;
    for (name, part) in parts {
        let field = fields.entry(name).or_insert_with(|| Value::Object(Map::new()));
        field.as_object_mut().expect("parts are of objects").extend(part);
    }
    if let Some((flag, leaves_out, _)) = command.whole
        && matches.get_flag(flag)
    {
        fields.remove(leaves_out);
    }
    match left.is_empty() {
        true => Ok(fields),
        false => Err(usage("there is one argument too many: a file already holds one of them")),
    }
}

fn usage(wrong: &str) -> clap::Error {
    clap::Error::raw(
        ErrorKind::WrongNumberOfValues,
        format!("{wrong}\n\nFor more information, try '--help'.\n"),
    )
}

/// An argument and the field that it gives.
struct Declared {
    member: Member,
    /// The field that it is a part of, if it is.
    within: Option<&'static str>,
    /// Its name with two hyphens before it; none where its place says what it is.
    flag: Option<String>,
    form: Form,
    default: Option<&'static str>,
    /// What it means, where that is not what the field means.
    help: Option<&'static str>,
    /// Whether it must be given.
    required: bool,
}

/// How a field is given.
enum Form {
    One,
    /// As often as there are values.
    Many,
    /// Sets a yes or no to this.
    Switch(bool),
    /// As often as there are objects, each of these members, of which so many must be there.
    Object {
        members: Vec<Member>,
        least: usize,
        with: Option<(&'static str, &'static str)>,
    },
    /// As often as there are pairs of a name and its value.
    ByName,
}

/// All arguments of a command: first those that their places tell, in their order.
fn all(command: &'static WalletCommand) -> impl Iterator<Item = Declared> {
    let members = command.members();
    let member = |name: &str| members.iter().find(|member| member.name == name).copied();
    let places = command.places.iter().filter_map(|name| member(name));
    let places = places.map(|member| command.declare(member, None, true)).collect::<Vec<_>>();
    let others = members.iter().filter(|member| !command.places.contains(&member.name));
    let others = others.flat_map(|member| {
        let given: Vec<_> = command.given_by(member.name).collect();
        match given.is_empty() {
            true => vec![command.declare(*member, None, false)],
            false => given.into_iter().map(|given| command.declare(*member, Some(given), false)).collect(),
        }
    });
    places.into_iter().chain(others.collect::<Vec<_>>())
}

impl WalletCommand {
    /// The ways in which a field is given, where they are not the usual one.
    fn given_by(&self, name: &str) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().filter(move |given| given.member == name)
    }

    fn declare(&self, member: Member, given: Option<&'static Argument>, in_place: bool) -> Declared {
        let given = given.or_else(|| self.given_by(member.name).next());
        let within = given.and_then(|given| given.part).map(|_| member.name);
        let member = given.and_then(|given| part(member, given.part?)).unwrap_or(member);
        let member = match given {
            Some(given) if given.counts => Member { kind: Kind::Integer(Some(1), None), ..member },
            _ => member,
        };
        let usual = member.name.replace('_', "-");
        let form = match member.kind {
            Kind::Flag | Kind::StrictFlag => Form::Switch(member.default != Some(Literal::Flag(true))),
            Kind::Array { of: Kind::Object { members, any_of }, .. } if let Some(given) = given => {
                object(members, any_of, given)
            }
            Kind::Array { .. } => Form::Many,
            Kind::HexByName => Form::ByName,
            _ => Form::One,
        };
        let flag = given.map(|given| given.flag.to_owned()).unwrap_or(match form {
            Form::Switch(false) => format!("no-{usual}"),
            _ => usual,
        });
        let default = self.defaults.iter().find(|(name, _)| *name == member.name).map(|(_, value)| *value);
        let help = given.and_then(|given| given.help);
        let required = member.need == Need::Required && self.given_by(member.name).count() <= 1;
        Declared { required, member, within, flag: (!in_place).then_some(flag), form, default, help }
    }
}

/// A part of a field that is an object.
fn part(field: Member, name: &str) -> Option<Member> {
    let Kind::Object { members, .. } = field.kind else { return None };
    members.iter().find(|member| member.name == name).copied()
}

fn object(members: &'static [Member], any_of: &[&[&str]], given: &Argument) -> Form {
    let member = |name: &&str| *members.iter().find(|member| member.name == *name).expect("it is declared");
    let needed = any_of.iter().find(|names| names.contains(&given.of[0])).copied().unwrap_or_default();
    let least = given.of.iter().filter(|name| any_of.is_empty() || needed.contains(name)).count();
    Form::Object { members: given.of.iter().map(member).collect(), least, with: given.with }
}

impl Declared {
    fn id(&self) -> String {
        self.flag.clone().unwrap_or_else(|| self.member.name.to_owned())
    }

    /// What the command line has for it, but for yes and no and names.
    fn values(&self, matches: &ArgMatches) -> Vec<Value> {
        match self.form {
            Form::Switch(_) | Form::ByName => Vec::new(),
            _ => matches.get_many(&self.id()).into_iter().flatten().cloned().collect(),
        }
    }

    /// What a file holds for it.
    fn held(&self, matches: &ArgMatches) -> Option<Value> {
        matches.get_one(&self.file_id()?).cloned()
    }

    /// The flag of a file that holds it.
    fn file_id(&self) -> Option<String> {
        let name = || self.flag.clone().unwrap_or_else(|| spelled(self.member.name));
        matches!(self.member.length, Length::Long | Length::Exact).then(|| format!("{}-file", name()))
    }

    fn file(&self) -> Option<Arg> {
        let (id, member) = (self.file_id()?, element(self.member));
        let help = format!("Reads {} from this file; - is standard input", self.shown());
        let mut arg = Arg::new(id.clone()).long(id).value_name("FILE").help(help);
        if self.flag.is_some() {
            arg = arg.conflicts_with(self.id());
        }
        Some(arg.value_hint(ValueHint::FilePath).value_parser(move |path: &str| {
            let text = from_file::read(path)?;
            let is_exact = member.length == Length::Exact;
            value(&member, if is_exact { &text } else { text.trim_end_matches(['\r', '\n']) })
        }))
    }

    /// What stands for it in the help.
    fn shown(&self) -> String {
        self.flag.as_ref().map_or_else(|| value_name(&element(self.member)), |flag| format!("--{flag}"))
    }

    fn arg(&self) -> Arg {
        let mut arg = Arg::new(self.id()).help(self.help()).required(self.required);
        if let Some(flag) = &self.flag {
            arg = arg.long(flag.clone());
        }
        if self.member.name == "change_address" && self.flag.is_some() {
            arg = arg.visible_alias("change");
        }
        if let Some(default) = self.default {
            arg = arg.default_value(default);
        }
        let (member, several) =
            (self.member, if self.flag.is_some() { ArgAction::Append } else { ArgAction::Set });
        match &self.form {
            Form::Switch(_) => arg.action(ArgAction::SetTrue),
            Form::One => {
                // So that -5 is told to be no amount, and not to be no option.
                let arg =
                    arg.value_name(value_name(&member)).allow_negative_numbers(member.kind == Kind::Amount);
                arg.value_parser(move |text: &str| value(&member, text))
            }
            Form::Many => {
                let arg = if self.flag.is_some() { arg } else { arg.num_args(1..) };
                let element = element(member);
                let arg = arg.value_name(value_name(&element)).action(several);
                arg.value_parser(move |text: &str| value(&element, text))
            }
            Form::ByName => {
                arg.value_name("XPUB:HEX").action(ArgAction::Append).value_parser(|text: &str| {
                    let (name, value) = text.split_once(':').ok_or("must be XPUB:HEX")?;
                    Ok::<_, &str>(Value::Object(Map::from_iter([(name.to_owned(), value.into())])))
                })
            }
            Form::Object { members, least, with } => {
                let (members, least, with) = (members.clone(), *least, *with);
                let name = shape(&members, least);
                let arg = arg.value_name(name).action(several);
                let arg = if self.flag.is_some() { arg } else { arg.num_args(1..) };
                arg.value_parser(move |text: &str| parse_object(&members, least, with, text))
            }
        }
    }

    /// What the field means, and what stands for it if it is not given.
    fn help(&self) -> String {
        let declared = self.member.meaning.trim().trim_end_matches('.');
        let meaning = self
            .help
            .map_or_else(|| meaning(&self.member, declared), |help| help.trim_end_matches('.').to_owned());
        let mut help = match meaning.strip_prefix("Whether ") {
            Some(fact) => capitalized(fact),
            None => meaning,
        };
        if self.flag.is_some() && matches!(self.form, Form::Many | Form::Object { .. } | Form::ByName) {
            help += ". May be repeated";
        }
        match self.member.default {
            Some(Literal::Number(number)) if self.default.is_none() => {
                help += &format!(" [default: {number}]")
            }
            Some(Literal::Text("00")) => help += " [default: HTR]",
            Some(Literal::Text(text)) => help += &format!(" [default: {text}]"),
            _ => {}
        }
        help
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}

/// The member that an element of an array is.
fn element(member: Member) -> Member {
    match member.kind {
        Kind::Array { of, .. } => Member { kind: *of, ..member },
        _ => member,
    }
}
