//! The server as its callers meet it: HTTP over loopback, on a local network of its own.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used)]

#[path = "../common/alone.rs"]
mod alone;
mod amounts;
mod approvals;
mod approvals_told;
#[cfg(target_os = "linux")]
mod attack;
mod audit;
mod bad_fields;
mod browsers;
#[cfg(target_os = "linux")]
mod cases;
mod cluster;
mod command_line;
mod command_line_direct;
#[cfg(unix)]
mod command_line_events;
#[cfg(target_os = "linux")]
mod command_line_files;
mod command_line_places;
mod command_line_proposals;
mod command_line_shown;
#[cfg(target_os = "linux")]
mod command_line_terminal;
mod command_line_tokens;
mod compat;
mod config;
mod conformance;
mod deployment;
mod docs;
mod dry_run;
mod edge;
mod events;
mod exact_header;
mod external;
mod failing_services;
mod fireblocks;
mod forwarding;
mod history;
mod hsm;
mod http;
mod keys;
mod large_bodies;
mod limits;
mod local_network;
mod local_pages;
mod messages;
mod multisig;
mod nano;
mod neighbours;
mod nested_json;
mod observing;
mod outbox;
mod p2sh;
mod plugins;
#[path = "../common/postgres.rs"]
mod postgres;
mod probes;
mod process;
mod raw;
mod real_statuses;
mod reloading;
mod repeating;
mod rights;
#[cfg(target_os = "linux")]
mod seeds;
#[cfg(target_os = "linux")]
mod signals;
#[cfg(unix)]
mod signer;
mod signing_file;
#[cfg(unix)]
mod signing_rights;
mod slow_clients;
mod support;
mod swap_events;
mod swap_guard;
mod swap_server;
mod swap_service;
mod swaps;
mod tasks;
mod templates;
#[cfg(unix)]
mod trusted_files;
mod typos;
mod unknown_fields;
mod wallets;
mod webhooks;
#[cfg(target_os = "linux")]
mod wiped_memory;
