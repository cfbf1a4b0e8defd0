//! `wallet list`: the wallets that a server runs.

use super::call::Call;
use super::csv;
use super::failure::Failure;
use super::flags::Flags;
use super::service::Service;
use super::table::{Column, Sheet};
use headless_wallet::operations;

use serde_json::{Value, json};

/// What to print.
pub async fn list(service: &Service, flags: &Flags) -> Result<String, Failure> {
    const COLUMNS: [Column; 2] = [Column::text("wallet"), Column::text("state")];
    let asked = json!({"wallet_ids": "*"});
    let health = service.health(&Call::get(operations::HEALTH.path, &asked)).await?;
    let checks = health["checks"].as_object().into_iter().flat_map(serde_json::Map::values);
    let text = |check: &Value, name: &str| check[0][name].as_str().unwrap_or_default().to_owned();
    let rows: Vec<_> =
        checks.map(|check| vec![text(check, "componentId"), state(&text(check, "output"))]).collect();
    if flags.json {
        let wallets: Vec<_> = rows.iter().map(|row| json!({"id": row[0], "state": row[1]})).collect();
        return Ok(json!({"success": true, "wallets": wallets}).to_string());
    }
    let sheet = Sheet::new().table(&COLUMNS, rows, "No wallets: `headless-wallet wallet start` starts one.");
    Ok(if flags.is_csv() { csv::csv(&sheet) } else { sheet.to_string() })
}

/// `ready`, or the state that the wallet is in.
fn state(output: &str) -> String {
    match output.split_once("Current state: ") {
        Some((_, state)) => state.to_owned(),
        None => "Ready".to_owned(),
    }
}
