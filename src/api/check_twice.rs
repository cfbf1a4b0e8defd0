//! Fields that hathor-wallet-headless checks twice, for their type and their value: what fails both is noted
//! twice.

use super::check::{Checker, Field};
use serde_json::Value;

/// What a text must be.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// The end of a sentence that begins with the field's path.
    pub must: &'static str,
    /// Whether a text is.
    pub fits: fn(&str) -> bool,
}

impl<'a> Checker<'a> {
    /// Which texts are of a form: the type of all is looked at before what any holds. Those that `may_lack`
    /// are left out.
    pub(crate) fn fit(&mut self, fields: &[Field<'a>], form: Option<&Form>, may_lack: bool) -> Vec<bool> {
        let Some(form) = form else { return vec![true; fields.len()] };
        let lacks = |field: &Field<'_>| may_lack && field.value.is_none();
        for field in fields.iter().filter(|field| !lacks(field)) {
            if !field.value.is_some_and(Value::is_string) {
                self.invalid(field, if field.value.is_none() { "is required" } else { "must be a string" });
            }
        }
        let fits = |field| {
            let fits = lacks(field) || (form.fits)(&written(field.value));
            if !fits {
                self.invalid(field, form.must);
            }
            fits && field.value.is_none_or(Value::is_string)
        };
        fields.iter().map(fits).collect()
    }

    /// The elements of an array that must be there and have some.
    pub(crate) fn some_elements(&mut self, field: &Field<'a>, must: &'static str) -> Vec<Field<'a>> {
        if !field.value.is_some_and(Value::is_array) {
            self.invalid(field, if field.value.is_none() { "is required" } else { must });
        }
        // Of an array, the first element stands for all.
        let first = field.value.and_then(Value::as_array).map(|elements| elements.first());
        if written(first.unwrap_or(field.value)).is_empty() {
            self.invalid(field, must);
        }
        field.elements().collect()
    }
}

/// A value as the second check sees it: as a text.
fn written(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(elements)) => {
            let elements: Vec<_> = elements.iter().map(|element| written(Some(element))).collect();
            elements.join(",")
        }
        Some(Value::Object(_)) => "[object Object]".to_owned(),
        Some(other) => other.to_string(),
    }
}
