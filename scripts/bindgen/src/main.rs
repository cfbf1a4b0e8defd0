//! `bindgen INPUT.wasm NAME FOLDER`: what `wasm-bindgen --target bundler` does.

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, name, folder] = arguments.as_slice() else {
        return Err("usage: bindgen INPUT.wasm NAME FOLDER".into());
    };
    Bindgen::new().bundler(true)?.typescript(true).input_path(input).out_name(name).generate(folder)?;
    Ok(())
}
