//! Ids of approvals and tasks by their beginnings, as tables show them.

use super::call::Call;
use super::failure::Failure;
use super::service::Service;
use super::short::SHORT;
use headless_wallet::operations;

use serde_json::{Map, Value};

/// Digits of a whole id.
const WHOLE: usize = 32;
/// The most tasks that a server lists.
const MOST: u64 = 1_000;

/// Puts whole ids in the place of beginnings. What begins none stays, and the server says so.
pub async fn resolve(service: &Service, fields: &mut Map<String, Value>) -> Result<(), Failure> {
    let all = Map::new();
    let most = Map::from_iter([("limit".to_owned(), Value::from(MOST))]);
    for (name, list, of, query) in [
        ("approvalId", "approvals", &operations::LIST_APPROVALS, &all),
        ("taskId", "tasks", &operations::LIST_TASKS, &most),
    ] {
        let Some(short) = fields.get(name).and_then(Value::as_str) else { continue };
        if !(SHORT..WHOLE).contains(&short.len()) {
            continue;
        }
        let answer = service.ask(&Call::get(of.path, query)).await?.json;
        let ids = answer[list].as_array().into_iter().flatten().filter_map(|one| one[name].as_str());
        let meant: Vec<_> = ids.filter(|id| id.starts_with(short)).collect();
        match meant[..] {
            [] => {}
            [id] => {
                let id = Value::from(id);
                fields.insert(name.to_owned(), id);
            }
            ref several => {
                let (number, several) = (several.len(), several.join(", "));
                return Err(Failure::Failed(format!("{number} {list} begin with {short}: {several}")));
            }
        }
    }
    Ok(())
}
