//! The local network's HTTP and WebSocket faces, held to what the real services were recorded saying.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod control;
mod decode;
mod exact;
mod history;
mod mining;
mod shape;
mod shapes;
mod socket;
mod streams;
mod support;
