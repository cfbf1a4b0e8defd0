//! Time and tasks: the only file that says how native and wasm32 differ in them.
