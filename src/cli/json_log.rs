//! Log lines as JSON objects, one a line (setting `log_format`).

use headless_wallet::calendar::UtcTime;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Writes them to standard error.
pub struct JsonLines;

/// What is known of a span, or of an event.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for JsonLines {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut line = Fields::default();
        for span in context.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
            if let Some(Fields(fields)) = span.extensions().get() {
                // `request_id` and `account_name`; all other names say of what they are.
                let named = fields.iter().map(|(name, value)| match name.as_str() {
                    "id" | "name" => (format!("{}_{name}", span.name()), value.clone()),
                    _ => (name.clone(), value.clone()),
                });
                line.0.extend(named);
            }
        }
        event.record(&mut line);
        line.0.insert("level".to_owned(), event.metadata().level().as_str().into());
        line.0.insert("time".to_owned(), now().into());
        // Where standard error is closed, there is nobody to tell.
        let _ = writeln!(std::io::stderr().lock(), "{}", Value::Object(line.0));
    }
}

/// `2026-01-31T18:30:00.123Z`.
fn now() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}.{:03}Z", UtcTime::from_unix(now.as_secs()).iso(), now.subsec_millis())
}
