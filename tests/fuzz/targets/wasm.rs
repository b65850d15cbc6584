#![no_main]

#[path = "../bodies/mod.rs"]
#[allow(dead_code, reason = "this is one of the bodies")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::wasm::run(data));
