//! The tables of `tests/cases`: what each operation is asked, and what it answers. They run here over HTTP
//! and, where a request has a command, by `headless-wallet wallet … --json`; `tests/node/cases.test.mjs`
//! runs them against the npm package.
//!
//! ```text
//! # A comment. A line that is indented by eight spaces goes on with the one before it.
//! == what is shown: on a network of its own, with the genesis wallet, after what stands before the first case
//! settings compat = '0.39'             for the server, before all else; such a case is HTTP's alone
//! start ana {"xpubkey": "$xpub"}       another wallet; without a body, of new words
//! blocks 2                             are mined, and calls of contracts carried out
//! let me {"type": "input/utxo"}        JSON that is `"$me"` from here on
//! ana: POST /wallet/simple-send-tx     a request, of the genesis wallet where none is named; `nobody` has no wallet
//! {"address": "@7", "value": 12}       its body, beside it or below; several make a table
//! ?dry_run=true {"value": 12}          the same path with a query; a path with a comma is two that answer alike
//! $ send @7 0.12                       the command
//! 200 {"success": true, "hash": "$h"}  the answer, which can stand behind ` => ` too; `200+` may have more members;
//!                                      `until 200` is waited for
//! error TEXT                           200 with "success": false, and this error; what is lacking may stand beside it
//! done                                 200 with "success": true, and no more
//! invalid body value: must be …        400 of wrong fields: where they are, their names, the sentence
//! ! INPUT_LOCKED                       the package's code of that refusal; `! -` where it has no such request
//! > tokens                             a command that people read; `>>` at a terminal, where its question is answered with no
//! | AMOUNT TOKEN TO                    a line that it prints, with one space between the cells; `...` for any number of them
//! usage TEXT                           what it says of a command line that makes no sense; `error TEXT` of what failed
//! ```
//!
//! `@7` is the genesis wallet's address, and `@ana.7` ana's. `$h` is bound where an answer has it first.
//! `"*"` is anything, `…` any text within one, `$h/8` its first eight letters; `"~"` begins an array in any
//! order, `"..."` ends one that goes on, and as a name it lets an object have more; `"×26"` repeats the next
//! element. Inputs of a transaction are `hash:index`, with ` unsigned` where they are; outputs `value token
//! to`, as `1000 #1 @5`, `mint #1 @5`, `1 HTR data:x`.
//!
//! `UPDATE=1` writes the answer where it is `?`.

use super::command_line::{Ended, cells, program, run};
use super::command_line_terminal::Terminal;
use super::multisig::Three;
use super::nano::{BET, mine};
use super::support::{Answer, GENESIS_WORDS, Server};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Network, Script};
use headless_wallet::operations;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone)]
enum Step {
    Start(String, Value),
    Let(String, Value),
    Blocks(u32),
    Ask(Ask),
    Show(Show),
}

/// A command whose answer people read.
#[derive(Clone)]
struct Show {
    line: usize,
    wallet: String,
    command: String,
    at_terminal: bool,
    prints: Vec<Value>,
    /// The exit code, and what standard error has.
    ends: (i32, String),
}

#[derive(Clone, Default)]
struct Ask {
    line: usize,
    wallet: Option<String>,
    method: String,
    path: String,
    body: Option<Value>,
    command: Option<String>,
    code: Option<String>,
    answer: Option<Expected>,
}

#[derive(Clone)]
enum Expected {
    /// To be written.
    Unknown,
    Json {
        status: u16,
        whole: bool,
        until: bool,
        body: Value,
    },
    Invalid {
        location: String,
        names: Vec<String>,
        message: String,
    },
}

#[derive(Clone)]
struct Case {
    name: String,
    settings: String,
    participants: bool,
    steps: Vec<Step>,
}

/// The lines with their numbers: those that go on put together, and answers beside requests as lines of
/// their own.
fn lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        match lines.last_mut().filter(|_| line.starts_with("        ")) {
            Some((_, last)) => *last += &format!(" {}", line.trim()),
            None => lines.extend(line.split(" => ").map(|part| (at + 1, part.to_owned()))),
        }
    }
    lines
}

fn parse(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut template = Ask::default();
    let mut prelude =
        Case { name: String::new(), settings: String::new(), participants: false, steps: Vec::new() };
    for (number, line) in lines(text) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "==" {
            cases.push(Case { name: rest.to_owned(), ..prelude.clone() });
            continue;
        }
        let case = cases.last_mut().unwrap_or(&mut prelude);
        let place = || format!("line {number}: {line}");
        let json = |text: &str| {
            serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{}: {error}", place()))
        };
        let (wallet, asked) = match word.strip_suffix(':') {
            Some(wallet) => (wallet, rest),
            None => ("genesis", line),
        };
        let (method, target) = asked.split_once(' ').unwrap_or((asked, ""));
        if [">", ">>"].contains(&method) {
            let (wallet, command) = (wallet.to_owned(), target.to_owned());
            let at_terminal = method == ">>";
            let ends = (i32::from(at_terminal), String::new());
            case.steps.push(Step::Show(Show {
                line: number,
                wallet,
                command,
                at_terminal,
                prints: Vec::new(),
                ends,
            }));
            continue;
        }
        if let (Some(Step::Show(show)), "|" | "error" | "usage") = (case.steps.last_mut(), word) {
            match word {
                "|" => show.prints.push(rest.into()),
                "error" => show.ends = (1, format!("error: {rest}\n")),
                _ => show.ends = (2, format!("error: {rest}\n\nFor more information, try '--help'.\n")),
            }
            continue;
        }
        if ["GET", "POST", "PUT", "DELETE"].contains(&method) {
            let (path, body) = target.split_once(' ').unwrap_or((target, ""));
            let wallet = (wallet != "nobody").then(|| wallet.to_owned());
            template = Ask { wallet, method: method.to_owned(), path: path.to_owned(), ..Ask::default() };
            if method == "GET" || !body.is_empty() {
                let body = (!body.is_empty()).then(|| json(body));
                case.steps.push(Step::Ask(Ask { line: number, body, ..template.clone() }));
            }
            continue;
        }
        if line != "?" && line.starts_with(['{', '[', '?', '&']) {
            let (query, body) = match line.starts_with(['?', '&']) {
                true => line.split_once(' ').unwrap_or((line, "")),
                false => ("", line),
            };
            let body = (!body.is_empty()).then(|| json(body));
            let paths: Vec<_> = template.path.split(',').map(|path| format!("{path}{query}")).collect();
            let path = paths.join(",");
            case.steps.push(Step::Ask(Ask { line: number, path, body, ..template.clone() }));
            continue;
        }
        match word {
            "settings" => case.settings += &format!("{rest}\n"),
            "participants" => case.participants = true,
            "start" => {
                let (id, body) = rest.split_once(' ').unwrap_or((rest, "{}"));
                case.steps.push(Step::Start(id.to_owned(), json(body)));
            }
            "let" => {
                let (name, value) = rest.split_once(' ').expect("a name and JSON");
                case.steps.push(Step::Let(name.to_owned(), json(value)));
            }
            "blocks" => case.steps.push(Step::Blocks(rest.parse().unwrap())),
            _ => {
                let Some(Step::Ask(ask)) = case.steps.last_mut() else { panic!("{}", place()) };
                let (until, word, rest) = match word {
                    "until" => {
                        let (word, rest) = rest.split_once(' ').expect("what is waited for");
                        (true, word, rest)
                    }
                    _ => (false, word, rest),
                };
                let expected = |status, whole, body| Expected::Json { status, whole, until, body };
                match word {
                    "$" => ask.command = Some(rest.to_owned()),
                    "!" => ask.code = Some(rest.to_owned()),
                    "?" => ask.answer = Some(Expected::Unknown),
                    "done" => ask.answer = Some(expected(200, true, json!({"success": true}))),
                    "error" => {
                        ask.answer = Some(expected(200, false, json!({"success": false, "error": rest})));
                    }
                    "invalid" => {
                        let (fields, message) = rest.split_once(": ").unwrap();
                        let mut fields =
                            fields.split([' ', ',']).filter(|field| !field.is_empty()).map(str::to_owned);
                        let location = fields.next().unwrap();
                        let names = fields.collect();
                        ask.answer = Some(Expected::Invalid { location, names, message: message.to_owned() });
                    }
                    status => {
                        let (status, whole) = match status.strip_suffix('+') {
                            Some(status) => (status, false),
                            None => (status, true),
                        };
                        let status = status.parse().unwrap_or_else(|_| panic!("{}", place()));
                        ask.answer = Some(expected(status, whole, json(rest)));
                    }
                }
            }
        }
    }
    for case in &mut cases {
        let steps = std::mem::take(&mut case.steps).into_iter();
        case.steps = steps
            .flat_map(|step| match step {
                Step::Ask(ask) => ask
                    .path
                    .split(',')
                    .map(|path| Step::Ask(Ask { path: path.to_owned(), ..ask.clone() }))
                    .collect(),
                other => vec![other],
            })
            .collect();
    }
    cases
}

/// What placeholders stand for.
struct Names<'a> {
    server: &'a Server,
    bound: BTreeMap<String, Value>,
    addresses: BTreeMap<String, String>,
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name at the beginning of a text that is `mark` and a name.
fn name_at(text: &str, mark: char) -> Option<&str> {
    let rest = text.strip_prefix(mark)?;
    let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    (length > 0).then(|| &text[..length + 1])
}

/// The text with the values of the names that it has.
fn filled(text: &str, bound: &BTreeMap<String, Value>) -> String {
    let mut parts = text.split('$');
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let marked = format!("${part}");
        let name = name_at(&marked, '$').unwrap_or("$");
        let rest = &marked[name.len()..];
        match (bound.get(name), rest.strip_prefix("/8")) {
            (Some(Value::String(value)), Some(rest)) => made += &format!("{}{rest}", &value[..8]),
            (Some(Value::String(value)), None) => made += &format!("{value}{rest}"),
            (Some(value), _) => made += &format!("{value}{rest}"),
            (None, _) => made += &marked,
        }
    }
    made
}

/// An address within a text that begins with it: `@7` or `@ana.7`.
fn address_at(text: &str) -> Option<&str> {
    let name = name_at(text, '@')?;
    if let Some(digits) = text[name.len()..].strip_prefix('.') {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if length > 0 {
            return Some(&text[..name.len() + 1 + length]);
        }
    }
    name[1..].bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
}

impl Names<'_> {
    fn bind(&mut self, name: &str, value: impl Into<Value>) {
        self.bound.insert(format!("${name}"), value.into());
    }

    async fn address(&mut self, place: &str) -> String {
        if let Some(address) = self.addresses.get(place) {
            return address.clone();
        }
        let (wallet, index) = place[1..].rsplit_once('.').unwrap_or(("genesis", &place[1..]));
        let path = format!("/wallet/address?index={index}");
        let answer = self.server.ask("GET", &path, &[("x-wallet-id", wallet)], b"").await.json();
        let address = answer["address"].as_str().unwrap_or_else(|| panic!("{place}: {answer}")).to_owned();
        self.addresses.insert(place.to_owned(), address.clone());
        address
    }

    /// The text with what its placeholders stand for; names that are not bound stay.
    async fn text(&mut self, text: &str) -> String {
        let mut made = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('@') {
            made += &rest[..at];
            rest = &rest[at..];
            let place = address_at(rest);
            made += &match place {
                Some(place) => self.address(place).await,
                None => "@".to_owned(),
            };
            rest = &rest[place.map_or(1, str::len)..];
        }
        filled(&(made + rest), &self.bound)
    }

    async fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => match self.bound.get(text) {
                Some(value) => value.clone(),
                None => Value::String(self.text(text).await),
            },
            Value::Array(elements) => {
                let mut made = Vec::new();
                let mut times = 1;
                for element in elements {
                    match element.as_str().and_then(|text| text.strip_prefix('×')) {
                        Some(count) => times = count.parse().unwrap(),
                        None => {
                            let one = Box::pin(self.value(element)).await;
                            made.extend(vec![one; times]);
                            times = 1;
                        }
                    }
                }
                Value::Array(made)
            }
            Value::Object(members) => {
                let mut made = Map::new();
                for (name, member) in members {
                    made.insert(self.text(name).await, Box::pin(self.value(member)).await);
                }
                Value::Object(made)
            }
            other => other.clone(),
        }
    }

    /// An answer as a table would have it, but for what no two runs have alike.
    fn shown(&self, value: &Value) -> Value {
        let text = |text: &str| {
            let mut text = text.to_owned();
            for (name, value) in &self.bound {
                if let Some(value) = value.as_str().filter(|value| value.len() > 9) {
                    text = text.replace(value, name);
                }
            }
            for (place, address) in &self.addresses {
                text = text.replace(address, place);
            }
            text
        };
        match value {
            Value::String(one) => Value::String(text(one)),
            Value::Array(elements) => elements.iter().map(|element| self.shown(element)).collect(),
            Value::Object(members) => {
                let one_time = |name: &str| ["nonce", "parents", "timestamp", "weight"].contains(&name);
                let member = |(name, member): (&String, &Value)| {
                    (text(name), if one_time(name) { json!("*") } else { self.shown(member) })
                };
                members.iter().map(member).collect::<Map<_, _>>().into()
            }
            other => other.clone(),
        }
    }
}

/// What names stand for if a text is as in the table, where `…` is any text.
fn text_fits(expected: &str, found: &str) -> Option<Vec<(String, Value)>> {
    let special = expected.find(['…', '$']).unwrap_or(expected.len());
    let found = found.strip_prefix(&expected[..special])?;
    let expected = &expected[special..];
    if let Some(rest) = expected.strip_prefix('…') {
        let mut ends = (0..=found.len()).filter(|at| found.is_char_boundary(*at));
        return ends.find_map(|at| text_fits(rest, &found[at..]));
    }
    let Some(name) = name_at(expected, '$') else {
        return match expected.strip_prefix('$') {
            Some(rest) => text_fits(rest, found.strip_prefix('$')?),
            None => found.is_empty().then(Vec::new),
        };
    };
    let (value, left) =
        found.split_at(found.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(found.len()));
    let mut bound = text_fits(&expected[name.len()..], left)?;
    bound.push((name.to_owned(), value.into()));
    Some(bound)
}

/// The same of a list, in which `"..."` is any number of elements.
fn is_list(expected: &[Value], found: &[Value], bound: &mut BTreeMap<String, Value>) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, [])) if first == "..." => true,
        Some((first, rest)) if first == "..." => (0..=found.len()).any(|skipped| {
            let mut tried = bound.clone();
            let is = is_list(rest, &found[skipped..], &mut tried);
            if is {
                *bound = tried;
            }
            is
        }),
        Some((first, rest)) => found
            .split_first()
            .is_some_and(|(one, left)| is_value(first, one, bound) && is_list(rest, left, bound)),
    }
}

/// Whether an answer is as in the table. Binds the names that it has first.
fn is_value(expected: &Value, found: &Value, bound: &mut BTreeMap<String, Value>) -> bool {
    match (expected, found) {
        (Value::String(text), _) if text == "*" => true,
        (Value::String(name), _) if name_at(name, '$') == Some(name) => match bound.get(name) {
            Some(value) => value == found,
            None => bound.insert(name.clone(), found.clone()).is_none(),
        },
        (Value::String(expected), Value::String(found)) => {
            // It may have a name that was bound in this answer.
            let named = text_fits(&filled(expected, bound), found);
            named.map(|named| bound.extend(named)).is_some()
        }
        (Value::Array(expected), Value::Array(found)) => {
            let rest = match expected.split_first() {
                Some((first, rest)) if first == "~" => rest,
                _ => return is_list(expected, found, bound),
            };
            let (goes_on, expected) = match rest.split_last() {
                Some((last, rest)) if last == "..." => (true, rest),
                _ => (false, rest),
            };
            let mut left: Vec<&Value> = found.iter().collect();
            let all = expected.iter().all(|one| {
                let at = left.iter().position(|element| {
                    let mut tried = bound.clone();
                    let is = is_value(one, element, &mut tried);
                    if is {
                        *bound = tried;
                    }
                    is
                });
                at.map(|at| left.remove(at)).is_some()
            });
            all && (goes_on || left.is_empty())
        }
        (Value::Object(expected), Value::Object(found)) => {
            let goes_on = expected.contains_key("...");
            let expected = expected.iter().filter(|(name, _)| *name != "...");
            (goes_on || expected.clone().count() == found.len())
                && expected.clone().all(|(name, one)| {
                    let name = bound.get(name).and_then(Value::as_str).unwrap_or(name);
                    found.get(name).is_some_and(|element| is_value(one, element, bound))
                })
        }
        _ => expected == found,
    }
}

/// With the inputs and outputs of transactions in a line each. What else they have is in the OpenAPI
/// document.
fn normal(value: Value) -> Value {
    match value {
        Value::Array(elements) => elements.into_iter().map(normal).collect(),
        Value::Object(mut members) => {
            if members.contains_key("_dataToSignCache") {
                for (name, line) in [("inputs", input_line as fn(&Value) -> String), ("outputs", output_line)]
                {
                    let lines = members[name].as_array().unwrap().iter().map(line).collect();
                    members.insert(name.to_owned(), lines);
                }
                members.remove("_dataToSignCache");
            }
            members.into_iter().map(|(name, member)| (name, normal(member))).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

fn bytes(buffer: &Value) -> Vec<u8> {
    serde_json::from_value(buffer["data"].clone()).unwrap()
}

fn input_line(input: &Value) -> String {
    assert_eq!(input["hash"], input["tx_id"]);
    let unsigned = if bytes(&input["data"]).is_empty() { " unsigned" } else { "" };
    format!("{}:{}{unsigned}", input["hash"].as_str().unwrap(), input["index"])
}

fn output_line(output: &Value) -> String {
    assert_eq!(output["tokenData"], output["token_data"]);
    assert_eq!(output["decodedScript"], Value::Null);
    let marker = output["token_data"].as_u64().unwrap();
    let amount = match (marker, output["value"].as_u64().unwrap()) {
        (0, value) => format!("{value} HTR"),
        (token, value) if token < 128 => format!("{value} #{token}"),
        (token, 1) => format!("mint #{}", token - 128),
        (token, 2) => format!("melt #{}", token - 128),
        (token, other) => panic!("no authority: {other} of {token}"),
    };
    let script = bytes(&output["script"]);
    match Script::parse(&script, Network::Privatenet) {
        Some(Script::Pay { to, timelock: None }) => format!("{amount} {to}"),
        Some(Script::Pay { to, timelock: Some(time) }) => format!("{amount} {to} until {time}"),
        Some(Script::Data(text)) => format!("{amount} data:{text}"),
        None => format!("{amount} script:{}", hex::encode(script)),
    }
}

/// The words of a command, with those between single quotes as they are.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

#[derive(Clone, Copy, PartialEq)]
enum By {
    Http,
    CommandLine,
}

async fn ask(server: &Server, names: &mut Names<'_>, ask: &Ask, by: By) -> (Answer, Option<Value>) {
    let path = names.text(&ask.path).await;
    let body = match &ask.body {
        Some(body) => Some(names.value(body).await),
        None => None,
    };
    if let (By::CommandLine, Some(command)) = (by, &ask.command) {
        let mut arguments = Vec::new();
        for word in words(command) {
            arguments.push(names.text(&word).await);
        }
        let mut program = program();
        program.env("HEADLESS_URL", server.url());
        program.env("HEADLESS_WALLET_ID", ask.wallet.as_deref().unwrap_or_default());
        program.arg("wallet").args(&arguments).arg("--json");
        let (code, out, err): Ended = run(program, "").await;
        assert_eq!(err, "", "wallet {}", arguments.join(" "));
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}"));
        let status = if let Some(Expected::Json { status, .. }) = &ask.answer { *status } else { 400 };
        let fails = status != 200 || json["success"] == false || json["valid"] == false;
        assert_eq!(code, i32::from(fails), "{out}");
        return (Answer { status, head: String::new(), text: out }, body);
    }
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(ask.wallet.as_deref().map(|id| ("x-wallet-id", id)));
    let bytes = body.as_ref().map(Value::to_string).unwrap_or_default();
    let answer = server.ask(&ask.method, &path, &headers, bytes.as_bytes()).await;
    (answer, body)
}

/// Runs a command that people read, and compares what it prints.
async fn shown(names: &mut Names<'_>, show: &Show, place: &str) {
    let mut arguments = Vec::new();
    for word in words(&show.command) {
        arguments.push(names.text(&word).await);
    }
    let url = names.server.url();
    let (code, out, err) = if show.at_terminal {
        let quoted: Vec<_> = arguments.iter().map(|word| format!("'{word}'")).collect();
        let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", &*show.wallet)];
        let mut terminal = Terminal::open(&format!("wallet {}", quoted.join(" ")), &variables);
        terminal.until("[y/N] ").await;
        terminal.type_in("n\n").await;
        let (code, seen) = terminal.end().await;
        let (told, refused) = seen.split_once(" n\n").unwrap();
        assert!(refused.contains("the question was not answered with yes"), "{place}: {seen}");
        (code, told.to_owned(), String::new())
    } else {
        let mut program = program();
        program
            .env("HEADLESS_URL", &url)
            .env("HEADLESS_WALLET_ID", &show.wallet)
            .arg("wallet")
            .args(&arguments);
        run(program, "").await
    };
    let Value::Array(expected) = names.value(&Value::Array(show.prints.clone())).await else {
        unreachable!()
    };
    let found: Value = cells(&out).into();
    let ends = (show.ends.0, names.text(&show.ends.1).await);
    let fits = is_value(&Value::Array(expected.clone()), &found, &mut names.bound);
    assert!(
        fits && code == ends.0 && text_fits(&ends.1, &err).is_some(),
        "{place}\nexpected: {expected:#?} {ends:?}\nfound:    {:#} {code} {err:?}",
        names.shown(&found)
    );
}

/// What a member of a request is, by a path such as `outputs[0].value`.
fn member<'a>(body: &'a Value, path: &str) -> Option<&'a Value> {
    let pointer = path.replace(['.', '['], "/").replace(']', "");
    body.pointer(&format!("/{pointer}"))
}

/// The answer that a table expects.
async fn expected(
    names: &mut Names<'_>,
    answer: &Expected,
    asked: &Ask,
    body: Option<&Value>,
) -> (u16, Value) {
    match answer {
        Expected::Unknown => panic!("UPDATE=1 writes this answer"),
        Expected::Json { status, whole, body, .. } => {
            let mut body = names.value(body).await;
            if let (false, Value::Object(members)) = (whole, &mut body) {
                members.insert("...".to_owned(), Value::Null);
            }
            (*status, body)
        }
        Expected::Invalid { location, names: fields, message } => {
            let query = asked.path.split_once('?').map_or("", |(_, query)| query);
            let mut problems = Vec::new();
            for field in fields {
                let mut problem = Map::new();
                let given = match location.as_str() {
                    "query" => query.split('&').find_map(|pair| pair.strip_prefix(&format!("{field}="))),
                    _ => None,
                };
                if let Some(given) = given {
                    problem.insert("value".to_owned(), names.text(given).await.into());
                } else if let Some(given) = body.and_then(|body| member(body, field)) {
                    problem.insert("value".to_owned(), given.clone());
                }
                problem.insert("msg".to_owned(), json!("Invalid value"));
                problem.insert("param".to_owned(), json!(field));
                problem.insert("location".to_owned(), json!(location));
                problems.push(Value::Object(problem));
            }
            let message = names.text(message).await;
            (400, json!({"success": false, "error": problems, "message": message}))
        }
    }
}

async fn run_case(file: &Path, case: &Case, by: By, written: &mut BTreeMap<usize, String>) {
    let three = Three::new();
    let settings = if case.participants { three.settings(&case.settings) } else { case.settings.clone() };
    let server = Server::with_wallet_and(&settings).await;
    let mut names = Names { server: &server, bound: BTreeMap::new(), addresses: BTreeMap::new() };
    names.bind("foreign", "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc");
    names.bind("unknown", "ab".repeat(32));
    names.bind("bet_blueprint", BET);
    names.bind("words", GENESIS_WORDS);
    let genesis = Mnemonic::parse(GENESIS_WORDS).unwrap();
    names.bind("xpub", AccountKeys::from_mnemonic(&genesis, "").public().to_xpub());
    for place in 0..3 {
        names.bind(&format!("words{place}"), &*three.words[place]);
        names.bind(&format!("xpub{place}"), &*three.xpubs[place]);
    }
    if case.participants {
        three.start(&server).await;
    }
    for step in &case.steps {
        let asked = match step {
            Step::Start(id, body) => {
                let mut body = names.value(body).await;
                if body == json!({}) {
                    body = json!({"seed": Mnemonic::generate().unwrap().words()});
                }
                server.start_wallet(id, body).await;
                continue;
            }
            Step::Let(name, value) => {
                let value = names.value(value).await;
                names.bind(name, value);
                continue;
            }
            Step::Blocks(count) => {
                for _ in 0..*count {
                    mine(&server).await;
                }
                continue;
            }
            Step::Show(show) => {
                let place = format!("{}:{}: {}", file.display(), show.line, case.name);
                shown(&mut names, show, &place).await;
                continue;
            }
            Step::Ask(asked) => asked,
        };
        let waits = matches!(asked.answer, Some(Expected::Json { until: true, .. }));
        let until = tokio::time::Instant::now() + Duration::from_secs(if waits { 20 } else { 0 });
        loop {
            let (answer, body) = ask(&server, &mut names, asked, by).await;
            let Some(expects) = &asked.answer else { break };
            let found = normal(answer.json());
            if matches!(expects, Expected::Unknown) {
                written.insert(asked.line, format!("{} {}", answer.status, names.shown(&found)));
                break;
            }
            let (status, expects) = expected(&mut names, expects, asked, body.as_ref()).await;
            let mut bound = names.bound.clone();
            if answer.status == status && is_value(&expects, &found, &mut bound) {
                names.bound = bound;
                break;
            }
            if tokio::time::Instant::now() >= until {
                panic!(
                    "{}:{}: {}\n{} {}\nexpected: {status} {}\nfound:    {} {}\n",
                    file.display(),
                    asked.line,
                    case.name,
                    asked.method,
                    names.shown(&json!(asked.path)),
                    names.shown(&expects),
                    answer.status,
                    names.shown(&found)
                );
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    server.shutdown().await;
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

async fn run_file(name: &str, by: By) {
    let path = directory().join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).unwrap();
    let mut written = BTreeMap::new();
    for case in parse(&text) {
        let has_commands =
            case.steps.iter().any(|step| matches!(step, Step::Ask(ask) if ask.command.is_some()));
        let is_shown = case.steps.iter().any(|step| matches!(step, Step::Show(_)));
        let runs = match by {
            By::Http => !is_shown,
            By::CommandLine => is_shown || has_commands,
        };
        if runs {
            run_case(&path, &case, by, &mut written).await;
        }
    }
    if !written.is_empty() {
        assert!(std::env::var_os("UPDATE").is_some(), "answers to be written with UPDATE=1: {written:?}");
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        for (line, answer) in written {
            let at = (line..lines.len()).find(|at| lines[*at].trim() == "?").unwrap();
            lines[at] = answer;
        }
        fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
}

macro_rules! tables {
    ($($name:ident)+) => {
        const TABLES: &[&str] = &[$(stringify!($name)),+];
        mod http {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() { super::run_file(stringify!($name), super::By::Http).await })+
        }
        mod commands {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() { super::run_file(stringify!($name), super::By::CommandLine).await })+
        }
    };
}

tables! {
    addresses balance build_tx consolidate contracts create_nft create_token fee_tokens history melt messages mint multisig read_only
    scanning send_tx shown shown_effects shown_tokens simple_send start swaps template_calls templates token transactions utxos
}

/// What the package does too and has no table: files to sign, events, proposals at a swap service, and all
/// balances. The tests are in signing_file.rs, events.rs, swap_service.rs and history.rs.
const WITHOUT_TABLE: &[&str] = &[
    "/wallet/balances",
    "/wallet/events",
    "/wallet/signing-file",
    "/wallet/atomic-swap/tx-proposal/list",
    "/wallet/atomic-swap/tx-proposal/fetch/",
    "/wallet/atomic-swap/tx-proposal/register/",
    "/wallet/atomic-swap/tx-proposal/delete/",
];

/// No table is left out, and every operation that the package has is in one.
#[test]
fn each_operation_has_a_table() {
    let mut asked = BTreeSet::new();
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        for case in parse(&fs::read_to_string(path).unwrap()) {
            let asks =
                case.steps.iter().filter_map(|step| if let Step::Ask(ask) = step { Some(ask) } else { None });
            asked.extend(asks.map(|ask| ask.path.split('?').next().unwrap().to_owned()));
        }
    }
    assert_eq!(names.iter().map(String::as_str).collect::<BTreeSet<_>>(), TABLES.iter().copied().collect());
    let has_none =
        |path: &&str| !asked.contains(*path) && !WITHOUT_TABLE.iter().any(|other| path.starts_with(other));
    let missing: Vec<_> =
        operations::declared().filter(|of| of.package.is_ok()).map(|of| of.path).filter(has_none).collect();
    assert_eq!(missing, Vec::<&str>::new());
}
