//! Generates the JavaScript half of a WebAssembly module: `bindings MODULE.wasm FOLDER`.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = words.as_slice() else {
        eprintln!("bindings: write MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindings = Bindgen::new();
    bindings.input_path(module).out_name("airlag").typescript(true);
    // Names of functions are a fifth of the size.
    bindings.remove_name_section(true);
    match bindings.web(true).and_then(|bindings| bindings.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bindings: {module}: {error}");
            ExitCode::FAILURE
        }
    }
}
