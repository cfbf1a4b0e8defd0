//! The clients of full node and mining service, against recorded answers of the real ones and against a server that
//! misbehaves on command.

mod faults;
mod history;
mod push;
mod recorded;
mod server;
