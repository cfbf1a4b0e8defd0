//! Answers for people: names with values, and tables, which turn into names with values where a terminal is
//! too narrow.

use std::fmt::{self, Write};
use std::io::IsTerminal;

/// What is between two columns.
const GAP: usize = 2;

/// Something to read: parts with an empty line between them.
#[derive(Default)]
pub struct Sheet {
    parts: Vec<Part>,
    /// How wide the terminal is; without one, lines are as long as they are.
    width: Option<usize>,
}

enum Part {
    Line(String),
    Pairs(Vec<(&'static str, String)>),
    Table(Table),
}

/// Rows under a head.
pub struct Table {
    columns: &'static [Column],
    rows: Vec<Vec<String>>,
}

/// One column.
pub struct Column {
    name: &'static str,
    right: bool,
}

impl Column {
    /// A column of texts.
    pub const fn text(name: &'static str) -> Self {
        Self { name, right: false }
    }
    /// A column of numbers.
    pub const fn number(name: &'static str) -> Self {
        Self { name, right: true }
    }
}

impl Sheet {
    /// A sheet for standard output.
    pub fn new() -> Self {
        Self { parts: Vec::new(), width: terminal_width() }
    }
    /// Adds a line.
    pub fn line(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Line(text.into()));
        self
    }
    /// Adds names with values; those that are empty are left out.
    pub fn pairs(mut self, pairs: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let pairs: Vec<_> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        if !pairs.is_empty() {
            self.parts.push(Part::Pairs(pairs));
        }
        self
    }
    /// Adds a table, or a line that says that there is nothing in it.
    pub fn table(mut self, columns: &'static [Column], rows: Vec<Vec<String>>, nothing: &str) -> Self {
        self.parts.push(match rows.is_empty() {
            true => Part::Line(nothing.to_owned()),
            false => Part::Table(Table { columns, rows }),
        });
        self
    }
}

/// The columns of the terminal that standard output is: `COLUMNS` where that is set.
pub fn terminal_width() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    set.filter(|columns| *columns > 0).or_else(|| {
        let is_terminal = std::io::stdout().is_terminal();
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout()).filter(|_| is_terminal)?;
        Some(width.0.into())
    })
}

fn length(text: &str) -> usize {
    text.chars().count()
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.parts.iter().map(|part| part.text(self.width)).collect();
        f.write_str(&parts.join("\n\n"))
    }
}

impl Part {
    fn text(&self, width: Option<usize>) -> String {
        match self {
            Self::Line(text) => text.clone(),
            Self::Pairs(pairs) => lines(pairs.iter().map(|(name, value)| (*name, value.as_str()))),
            Self::Table(table) if width.is_some_and(|width| table.width() > width) => table.records(),
            Self::Table(table) => table.text(),
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
    fn widths(&self) -> Vec<usize> {
        let of = |(i, column): (usize, &Column)| {
            self.rows.iter().map(|row| length(&row[i])).fold(length(column.name), usize::max)
        };
        self.columns.iter().enumerate().map(of).collect()
    }

    fn width(&self) -> usize {
        self.widths().iter().sum::<usize>() + GAP * (self.columns.len() - 1)
    }

    fn text(&self) -> String {
        let widths = self.widths();
        let head = self.columns.iter().map(|column| column.name.to_uppercase()).collect();
        let mut text = String::new();
        for row in std::iter::once(&head).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, column), width) in row.iter().zip(self.columns).zip(&widths) {
                let gap = if line.is_empty() { 0 } else { GAP };
                let cell = if column.right { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
                // Writing to a string can't fail.
                let _ = write!(line, "{:gap$}{cell}", "");
            }
            text += line.trim_end();
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
