//! `wallet tokens`: all that the wallet has or had.

use super::call::Call;
use super::csv;
use super::failure::Failure;
use super::flags::Flags;
use super::names::{self, Names, is_uid};
use super::service::Service;
use super::table::{Column, Sheet};
use headless_wallet::operations;

use serde_json::{Map, Value, json};

/// What to print.
pub async fn list(service: &Service, flags: &Flags) -> Result<String, Failure> {
    const COLUMNS: [Column; 5] = [
        Column::token("token"),
        Column::text("name"),
        Column::amount("available"),
        Column::amount("locked"),
        Column::text("uid"),
    ];
    let uids = names::of_wallet(service).await?;
    let names = Names::of_uids(service, uids.iter().filter(|uid| is_uid(uid)).cloned().collect()).await;
    let (mut rows, mut tokens) = (Vec::new(), Vec::new());
    for uid in uids {
        let token = Map::from_iter([("token".to_owned(), Value::from(uid.as_str()))]);
        let balance = service.ask(&Call::get(operations::BALANCE.path, &token)).await?.json;
        let known = match uid.as_str() {
            "00" => Some(("Hathor".to_owned(), "HTR".to_owned())),
            uid => names.get(uid).map(|known| (known.name.clone(), known.symbol.clone())),
        };
        let (name, symbol) = known.unzip();
        let amount = |which: &str| balance[which].to_string();
        rows.push(vec![
            uid.clone(),
            name.clone().unwrap_or_default(),
            amount("available"),
            amount("locked"),
            uid.clone(),
        ]);
        tokens.push(json!({
            "uid": uid, "name": name, "symbol": symbol,
            "available": balance["available"], "locked": balance["locked"],
        }));
    }
    if flags.json {
        return Ok(json!({"success": true, "tokens": tokens}).to_string());
    }
    let sheet = Sheet::new().table(&COLUMNS, rows, "No tokens.").named(names);
    Ok(if flags.is_csv() { csv::csv(&sheet) } else { sheet.to_string() })
}
