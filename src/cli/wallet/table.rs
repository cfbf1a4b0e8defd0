//! Answers for people: names with values, and tables, which turn into names with values where a terminal is
//! too narrow. Amounts and tokens are written as people name them; as CSV, tokens keep their uids, too.

use super::SHORT;
use super::names::{Known, Names, is_uid, uids_in};
use super::terminal::{is_colored, terminal_width};
use super::transaction_ids::short;
use crate::cli::amount::decimal;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::io::IsTerminal;

/// What is between two columns.
const GAP: usize = 2;

/// Something to read: parts with an empty line between them.
#[derive(Default)]
pub struct Sheet {
    pub(super) parts: Vec<Part>,
    /// How wide the terminal is; without one, lines are as long as they are.
    width: Option<usize>,
    pub(super) names: Names,
    /// Whether heads and losses stand out.
    colored: bool,
    /// Whether people read it, who copy few ids: programs get them whole.
    at_terminal: bool,
}

pub(super) enum Part {
    Line(String),
    /// One in which tokens are named.
    Sentence(String),
    Facts(Vec<(&'static str, Cell)>),
    Table(Table),
}

/// Rows under a head.
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
    /// Of what its amounts are, where no column says so.
    pub(super) of: Option<String>,
}

/// A value beside its name.
pub enum Cell {
    Text(String),
    /// A text in which tokens are named by their uids.
    Sentence(String),
    /// So many cents of a token, which is named.
    Amount {
        cents: String,
        token: String,
    },
    /// An amount, and in what it is.
    In(Box<Self>, String),
}

#[derive(Clone, Copy)]
pub struct Column {
    pub(super) name: &'static str,
    kind: Kind,
}

/// A column, and what stands in it of each value that has a row.
pub type ColumnOf = (Column, fn(&Value) -> String);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    /// Cents, or words where there are rights.
    Amount,
    /// Cents more or less.
    Change,
    Token,
    /// One of which the beginning is enough.
    Id,
    /// A transaction or an output, in short at a terminal.
    Transaction,
}

impl Column {
    /// A column of texts.
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: Kind::Text }
    }
    /// A column of numbers.
    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: Kind::Number }
    }
    /// A column of amounts, given in cents: of the token that the row names, or of any.
    pub const fn amount(name: &'static str) -> Self {
        Self { name, kind: Kind::Amount }
    }
    /// A column of what there is more or less of.
    pub const fn change(name: &'static str) -> Self {
        Self { name, kind: Kind::Change }
    }
    /// A column of tokens, given by their uids.
    pub const fn token(name: &'static str) -> Self {
        Self { name, kind: Kind::Token }
    }

    /// A column of transactions or outputs (`id:index`): whole, but at a terminal.
    pub const fn transaction(name: &'static str) -> Self {
        Self { name, kind: Kind::Transaction }
    }

    /// A column of ids, of which people see the beginnings.
    pub const fn id(name: &'static str) -> Self {
        Self { name, kind: Kind::Id }
    }

    fn is_right(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Amount | Kind::Change)
    }
    pub(super) fn is_token(&self) -> bool {
        self.kind == Kind::Token
    }
}

impl Sheet {
    /// A sheet for standard output.
    pub fn new() -> Self {
        let at_terminal = std::io::stdout().is_terminal();
        Self { width: terminal_width(), colored: is_colored(), at_terminal, ..Self::default() }
    }
    pub fn line(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Line(text.into()));
        self
    }
    /// Adds a line, or some, in which tokens are named by their uids.
    pub fn sentence(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Sentence(text.into()));
        self
    }
    /// Adds names with values; those that are empty are left out.
    pub fn pairs(self, pairs: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        self.facts(pairs.into_iter().map(|(name, value)| (name, Cell::Text(value))))
    }
    /// The same, with values of any kind.
    pub fn facts(mut self, facts: impl IntoIterator<Item = (&'static str, Cell)>) -> Self {
        let facts: Vec<_> = facts.into_iter().filter(|(_, cell)| !cell.is_empty()).collect();
        if !facts.is_empty() {
            self.parts.push(Part::Facts(facts));
        }
        self
    }
    /// Adds a table, or a line that says that there is nothing in it.
    pub fn table(mut self, columns: &[Column], rows: Vec<Vec<String>>, nothing: &str) -> Self {
        self.parts.push(match rows.is_empty() {
            true => Part::Line(nothing.to_owned()),
            false => Part::Table(Table { columns: columns.to_vec(), rows, of: None }),
        });
        self
    }
    /// The same, with a row for each of these values.
    pub fn rows<'a>(
        self,
        columns: &[ColumnOf],
        values: impl Iterator<Item = &'a Value>,
        nothing: &str,
    ) -> Self {
        let rows = values.map(|value| columns.iter().map(|(_, cell)| cell(value)).collect());
        let names: Vec<_> = columns.iter().map(|(column, _)| *column).collect();
        self.table(&names, rows.collect(), nothing)
    }
    /// The same, where all of the table that was added last are amounts of one token.
    pub fn of(mut self, uid: &str) -> Self {
        if let Some(Part::Table(table)) = self.parts.last_mut() {
            table.of = Some(uid.to_owned());
        }
        self
    }

    /// The uids of all tokens that it names, but for HTR.
    pub fn tokens(&self) -> BTreeSet<String> {
        let uids = self.parts.iter().flat_map(|part| match part {
            Part::Line(_) => Vec::new(),
            Part::Sentence(text) => uids_in(text).collect(),
            Part::Facts(facts) => facts.iter().flat_map(|(_, cell)| cell.tokens()).collect(),
            Part::Table(table) => table.tokens().filter(|uid| is_uid(uid)).cloned().collect(),
        });
        uids.collect()
    }
    /// The same, with what is known of its tokens.
    pub fn named(mut self, names: Names) -> Self {
        self.names.extend(names);
        self
    }
    /// The same, where a token that is created has pieces, not cents.
    pub fn with_nft(mut self, symbol: &str) -> Self {
        self.names.add(symbol, Known { symbol: symbol.to_owned(), is_nft: true, ..Known::default() });
        self
    }
}

impl Cell {
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) | Self::Sentence(text) => text.is_empty(),
            Self::Amount { cents, .. } => cents.is_empty(),
            Self::In(amount, _) => amount.is_empty(),
        }
    }
    fn tokens(&self) -> Vec<String> {
        match self {
            Self::Text(_) => Vec::new(),
            Self::Sentence(text) => uids_in(text).collect(),
            Self::Amount { token, .. } => uids_in(token).collect(),
            Self::In(amount, _) => amount.tokens(),
        }
    }
    pub(super) fn text(&self, names: &Names) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Sentence(text) => names.within(text),
            Self::Amount { cents, token } => format!("{} {}", names.amount(cents, token), names.token(token)),
            Self::In(amount, what) => format!("{} in {what}", amount.text(names)),
        }
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.parts.iter().map(|part| self.part(part)).collect();
        f.write_str(&parts.join("\n\n"))
    }
}

impl Sheet {
    fn part(&self, part: &Part) -> String {
        match part {
            Part::Line(text) => text.clone(),
            Part::Sentence(text) => self.names.within(text),
            Part::Facts(facts) => {
                let facts: Vec<_> =
                    facts.iter().map(|(name, cell)| (*name, cell.text(&self.names))).collect();
                lines(facts.iter().map(|(name, value)| (*name, value.as_str())))
            }
            Part::Table(table) => {
                let table = table.written(&self.names, self.at_terminal);
                let is_wide = self.width.is_some_and(|width| table.width() > width);
                if is_wide { table.records() } else { table.text(self.colored) }
            }
        }
    }
}

/// A name and its value to a line.
fn lines<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let width = pairs.clone().map(|(name, _)| length(name)).max().unwrap_or(0) + GAP;
    let lines: Vec<_> = pairs.map(|(name, value)| format!("{name:<width$}{value}")).collect();
    lines.join("\n")
}

impl Table {
    fn tokens(&self) -> impl Iterator<Item = &String> {
        let token = self.columns.iter().position(Column::is_token);
        self.rows.iter().filter_map(move |row| row.get(token?)).chain(&self.of)
    }

    /// Its cells as people write what is in them.
    fn written(&self, names: &Names, at_terminal: bool) -> Self {
        let rows = self.rows.iter().map(|row| {
            let cells = self.columns.iter().zip(row);
            cells
                .map(|(column, cell)| match column.kind {
                    Kind::Token => names.token(cell),
                    Kind::Id => cell.chars().take(SHORT).collect(),
                    Kind::Transaction if at_terminal => short(cell),
                    _ => self.cell(column, row, cell, names),
                })
                .collect()
        });
        Self { columns: self.columns.clone(), rows: rows.collect(), of: None }
    }

    /// A cell that is no token.
    pub(super) fn cell(&self, column: &Column, row: &[String], cell: &str, names: &Names) -> String {
        let token = self.columns.iter().position(Column::is_token).and_then(|place| row.get(place));
        let token = token.or(self.of.as_ref());
        match (column.kind, token) {
            (Kind::Amount | Kind::Change, Some(uid)) => names.amount(cell, uid),
            (Kind::Amount | Kind::Change, None) => decimal(cell),
            _ => cell.to_owned(),
        }
    }

    fn widths(&self) -> Vec<usize> {
        let of = |(i, column): (usize, &Column)| {
            self.rows.iter().map(|row| length(&row[i])).fold(length(column.name), usize::max)
        };
        self.columns.iter().enumerate().map(of).collect()
    }

    fn width(&self) -> usize {
        self.widths().iter().sum::<usize>() + GAP * (self.columns.len() - 1)
    }

    fn text(&self, colored: bool) -> String {
        let widths = self.widths();
        let head = self.columns.iter().map(|column| column.name.to_uppercase()).collect();
        let mut text = String::new();
        for (row, is_head) in std::iter::once((&head, true)).chain(self.rows.iter().map(|row| (row, false))) {
            let mut line = String::new();
            for ((cell, column), width) in row.iter().zip(&self.columns).zip(&widths) {
                let gap = if line.is_empty() { 0 } else { GAP };
                let padded =
                    if column.is_right() { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
                let is_loss = colored && !is_head && column.kind == Kind::Change && cell.starts_with('-');
                let padded = if is_loss { format!("{RED}{padded}{PLAIN}") } else { padded };
                // Writing to a string can't fail.
                let _ = write!(line, "{:gap$}{padded}", "");
            }
            let line = line.trim_end();
            text += &if colored && is_head { format!("{BOLD}{line}{PLAIN}") } else { line.to_owned() };
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn records(&self) -> String {
        let record = |row: &Vec<String>| {
            let cells = self.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
            lines(cells.map(|(column, cell)| (column.name, cell.as_str())))
        };
        let records: Vec<_> = self.rows.iter().map(record).collect();
        records.join("\n\n")
    }
}

// Answers for spreadsheets and books (RFC 4180): amounts with decimals, tokens by symbol and by uid.

/// The tables of a sheet; where it has none, its names and values; or its lines.
pub fn csv(sheet: &Sheet) -> String {
    let tables = sheet.parts.iter().filter_map(|part| match part {
        Part::Table(table) => Some(of_table(table, sheet)),
        _ => None,
    });
    let facts = sheet.parts.iter().filter_map(|part| match part {
        Part::Facts(facts) => {
            let head = facts.iter().map(|(name, _)| (*name).to_owned());
            let values = facts.iter().map(|(_, cell)| cell.text(&sheet.names));
            Some(format!("{}\n{}", csv_line(head), csv_line(values)))
        }
        _ => None,
    });
    let lines = sheet.parts.iter().filter_map(|part| match part {
        // What is said where there is nothing is no value.
        Part::Line(text) if !text.contains(' ') => Some(csv_line([text.clone()])),
        _ => None,
    });
    let found = [tables.collect::<Vec<_>>(), facts.collect(), lines.collect()];
    found.into_iter().find(|parts| !parts.is_empty()).unwrap_or_default().join("\n\n")
}

fn of_table(table: &Table, sheet: &Sheet) -> String {
    let head = table.columns.iter().flat_map(|column| {
        let name = column.name.to_owned();
        if is_doubled(table, column) { vec![name.clone(), format!("{name} uid")] } else { vec![name] }
    });
    let rows = table.rows.iter().map(|row| {
        let cells = table.columns.iter().zip(row);
        csv_line(cells.flat_map(|(column, cell)| cells_of(table, sheet, row, column, cell)))
    });
    std::iter::once(csv_line(head)).chain(rows).collect::<Vec<_>>().join("\n")
}

fn cells_of(table: &Table, sheet: &Sheet, row: &[String], column: &Column, cell: &str) -> Vec<String> {
    if !column.is_token() {
        return vec![table.cell(column, row, cell, &sheet.names)];
    }
    let symbol = sheet.names.get(cell).map_or_else(
        || if matches!(cell, "HTR" | "00") { "HTR".to_owned() } else { String::new() },
        |known| known.symbol.clone(),
    );
    if !is_doubled(table, column) {
        return vec![symbol];
    }
    vec![symbol, if cell == "HTR" { "00".to_owned() } else { cell.to_owned() }]
}

/// Whether a token's uid stands beside its symbol, and has no column of its own.
fn is_doubled(table: &Table, column: &Column) -> bool {
    column.is_token() && table.columns.iter().all(|other| other.name != "uid")
}

fn csv_line(cells: impl IntoIterator<Item = String>) -> String {
    cells.into_iter().map(|cell| quoted(&cell)).collect::<Vec<_>>().join(",")
}

/// A spreadsheet takes what begins with such a sign for a formula, and strangers name tokens.
const FORMULAS: [char; 4] = ['=', '+', '@', '\t'];

fn quoted(cell: &str) -> String {
    let is_number = cell.parse::<f64>().is_ok();
    let is_formula = cell.starts_with(FORMULAS) || cell.starts_with('-') && !is_number;
    let cell = if is_formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}
