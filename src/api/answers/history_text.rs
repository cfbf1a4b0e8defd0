//! A history as JSON text, written straight into one buffer: all of a big wallet's is megabytes, and little
//! text in it can need escaping. The text is that of [`HistoryEntry`](super::HistoryEntry) for each entry.

use super::history::DecodedScript;
use super::kinds::{Weight, write_amount};
use super::nano::CallContext;
use crate::api::answer::As;
use crate::api::{AmountForm, Compat};
use crate::ledger::nano::VertexNano;
use crate::ledger::{Network, Part, ScriptBytes, SpentOutput, TokenUid, Vertex, VertexId};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;

/// About what an entry of one input and two outputs takes.
const ENTRY_BYTES: usize = 1_400;
/// Most room that is taken ahead because the entries before took so much.
const MAX_AHEAD: usize = 1 << 20;
/// Scripts remembered while a history is written.
const MAX_SCRIPTS: usize = 4_096;

/// The answer of tx-history, to be given its entries one after the other.
pub struct HistoryText {
    json: Vec<u8>,
    /// Entries written, and about how many there will be.
    written: usize,
    entries: usize,
    keyed: bool,
    network: Network,
    compat: Compat,
    form: AmountForm,
    /// Where scripts were written already, with what they say: the same addresses come again and again, and
    /// each costs two hashes and a long division.
    scripts: HashMap<ScriptBytes, Range<usize>>,
}

impl HistoryText {
    /// About what so many entries take, or much more where they have many outputs.
    pub const fn least_bytes(entries: usize) -> usize {
        entries.saturating_mul(ENTRY_BYTES)
    }

    /// The beginning of about `entries` entries: an object keyed by transaction id if it is `keyed`, else an
    /// array. It is written at the end of `json`. Scripts are read with the addresses of `network`.
    pub fn new(mut json: Vec<u8>, entries: usize, keyed: bool, network: Network, compat: Compat) -> Self {
        json.reserve(2 + Self::least_bytes(entries));
        json.push(if keyed { b'{' } else { b'[' });
        let form = AmountForm::current();
        Self { json, written: 0, entries, keyed, network, compat, form, scripts: HashMap::new() }
    }

    pub fn push(&mut self, vertex: &Vertex) {
        if let Some(average) = self.json.len().checked_div(self.written) {
            self.json.push(b',');
            // Each time that the text outgrows its room it is copied, and what it was in is wiped.
            let left = self.entries.saturating_sub(self.written);
            self.json.reserve(average.saturating_mul(left).min(MAX_AHEAD));
        }
        self.written += 1;
        if self.keyed {
            self.id(vertex.id);
            self.json.push(b':');
        }
        self.text(b"{\"tx_id\":");
        self.id(vertex.id);
        self.text(b",\"version\":");
        self.integer(vertex.version);
        self.text(b",\"weight\":");
        self.value(&As::<Weight, _>::new(vertex.weight));
        self.text(b",\"timestamp\":");
        self.integer(vertex.timestamp);
        self.text(b",\"is_voided\":");
        self.text(if vertex.voided { b"true" } else { b"false" });
        self.text(b",\"inputs\":");
        self.list(&vertex.inputs, |to, index, input| {
            if let Some(json) = &input.output.unknown {
                return to.text(json.as_bytes());
            }
            to.spent_output(&input.output);
            to.text(b",\"tx_id\":");
            to.id(input.spends.tx);
            to.text(b",\"index\":");
            to.integer(input.spends.index);
            to.others(vertex, Part::Input(index));
            to.json.push(b'}');
        });
        self.text(b",\"outputs\":");
        self.list(&vertex.outputs, |to, index, output| {
            if let Some(json) = &output.output.unknown {
                return to.text(json.as_bytes());
            }
            to.spent_output(&output.output);
            to.text(b",\"spent_by\":");
            to.id_or_null(output.spent_by);
            to.others(vertex, Part::Output(index));
            to.json.push(b'}');
        });
        self.text(b",\"parents\":");
        self.list(&vertex.parents, |to, _, parent| to.id(*parent));
        if let Some((name, symbol)) = &vertex.creates {
            self.text(b",\"token_name\":");
            self.value(name);
            self.text(b",\"token_symbol\":");
            self.value(symbol);
            self.text(b",\"tokens\":[]");
        }
        if let Some(nano) = &vertex.nano {
            self.nano(nano);
        }
        if self.compat.history_has_more_fields() {
            if let Some(height) = vertex.height {
                self.text(b",\"height\":");
                self.integer(height);
            }
            self.text(b",\"first_block\":");
            self.id_or_null(vertex.first_block);
            self.text(b",\"processingStatus\":\"finished\"");
        }
        self.others(vertex, Part::Whole);
        self.json.push(b'}');
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.json.push(if self.keyed { b'}' } else { b']' });
        self.json
    }

    fn nano(&mut self, nano: &VertexNano) {
        let call = match nano {
            VertexNano::Blueprint { public_key } => {
                self.text(b",\"nc_pubkey\":");
                return self.value(&hex::encode(public_key));
            }
            VertexNano::Call(call) => call,
        };
        self.text(b",\"nc_id\":");
        self.id(call.contract);
        self.text(b",\"nc_seqnum\":");
        self.integer(call.seqnum);
        if let Some(blueprint) = call.blueprint {
            self.text(b",\"nc_blueprint_id\":");
            self.id(blueprint);
        }
        self.text(b",\"nc_method\":");
        self.value(&call.method);
        self.text(b",\"nc_args\":");
        self.value(&hex::encode(&call.args));
        self.text(b",\"nc_address\":");
        self.value(&call.caller.to_string());
        self.text(b",\"nc_context\":");
        self.value(&CallContext(call));
    }

    /// An object without its end.
    fn spent_output(&mut self, output: &SpentOutput) {
        let form = if output.token_data.is_authority() { AmountForm::Cents } else { self.form };
        write_amount(&mut self.json, "{\"value\":", output.value, form);
        self.text(b",\"token_data\":");
        self.integer(output.token_data.0);
        self.text(b",\"script\":");
        self.script(&output.script);
        self.text(b",\"token\":");
        match output.token {
            TokenUid::Native => self.text(b"\"00\""),
            TokenUid::Custom(id) => self.id(id),
        }
    }

    /// A script in base64, and what it says.
    fn script(&mut self, script: &[u8]) {
        if let Some(written) = self.scripts.get(script) {
            return self.json.extend_from_within(written.clone());
        }
        let start = self.json.len();
        self.json.push(b'"');
        let digits = self.json.len();
        self.json.resize(digits + script.len().div_ceil(3) * 4, 0);
        STANDARD.encode_slice(script, &mut self.json[digits..]).expect("four digits for three bytes");
        self.text(b"\",\"decoded\":");
        self.value(&DecodedScript::read(script, self.network));
        if self.scripts.len() < MAX_SCRIPTS {
            self.scripts.insert(ScriptBytes::from_slice(script), start..self.json.len());
        }
    }

    /// What the node says of a part that is not declared.
    fn others(&mut self, vertex: &Vertex, part: Part) {
        if let Some(others) = vertex.extra.of(part) {
            self.json.push(b',');
            self.text(others.as_bytes());
        }
    }

    /// Inputs, outputs or parents: there are at most 255 of each.
    fn list<T>(&mut self, elements: &[T], write: impl Fn(&mut Self, u8, &T)) {
        self.json.push(b'[');
        for (index, element) in (0..=u8::MAX).zip(elements) {
            if index > 0 {
                self.json.push(b',');
            }
            write(self, index, element);
        }
        self.json.push(b']');
    }
    fn id_or_null(&mut self, id: Option<VertexId>) {
        match id {
            Some(id) => self.id(id),
            None => self.text(b"null"),
        }
    }
    fn id(&mut self, id: VertexId) {
        self.json.push(b'"');
        self.json.extend_from_slice(&id.digits());
        self.json.push(b'"');
    }
    fn integer(&mut self, value: impl itoa::Integer) {
        self.json.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }
    fn value(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut self.json, value).expect("writing to memory and no failing parts");
    }
    fn text(&mut self, text: &[u8]) {
        self.json.extend_from_slice(text);
    }
}
