//! Answers for spreadsheets and books (RFC 4180): amounts with decimals, tokens by symbol and by uid.

use super::table::{Column, Part, Sheet, Table};

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
            Some(format!("{}\n{}", line(head), line(values)))
        }
        _ => None,
    });
    let lines = sheet.parts.iter().filter_map(|part| match part {
        // What is said where there is nothing is no value.
        Part::Line(text) if !text.contains(' ') => Some(line([text.clone()])),
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
        line(cells.flat_map(|(column, cell)| cells_of(table, sheet, row, column, cell)))
    });
    std::iter::once(line(head)).chain(rows).collect::<Vec<_>>().join("\n")
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

fn line(cells: impl IntoIterator<Item = String>) -> String {
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
