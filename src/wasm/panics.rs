//! What happens when this package has a fault.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    pub(super) fn log_error(what: &JsValue);
}

/// A panic is a fault of this package. It ends the instance, so it must at least be seen.
#[wasm_bindgen(start)]
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        log_error(&format!("headless-wallet: internal error, please report it: {panic}").into());
    }));
}
