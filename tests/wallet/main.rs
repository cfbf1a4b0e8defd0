//! The wallet's state machine: the reference wallet's vectors, what each refusal says, and a model that
//! recomputes everything from scratch and must agree after every step.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are outside of test functions")]

mod addresses;
mod amounts_v2;
mod building;
mod calls;
mod effects;
mod filter;
mod history;
mod locks;
mod model;
mod paging;
mod plans;
mod refusals;
mod selection;
mod sums;
mod support;
mod templates;
mod views;
