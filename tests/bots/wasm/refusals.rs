//! Modules that are no bots, or that need unavailable functions.

use crate::plugins::REFUSED;
use crate::support::Folder;

/// Checks a file as a bot. Asserts that it is rejected with this message.
#[track_caller]
fn refused(name: &str, bytes: &[u8], message: &str) {
    let folder = Folder::new();
    folder.write(name, bytes);
    folder.refuses(["check", name], message);
}

#[test]
fn files_that_are_not_bot_modules_are_refused_with_a_message() {
    refused("text.wasm", b"hello", "it is not a WebAssembly module");
    refused(
        "empty.wasm",
        b"\0asm\x01\0\0\0",
        "it does not export `hattari_entry`",
    );
    refused(
        "broken.wasm",
        b"\0asm\x01\0\0\0hattari_entry",
        "build it again for wasm32",
    );
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn missing_imports_are_refused_by_name() {
    let folder = Folder::new();
    folder.write(
        "reaches.c",
        "__attribute__((import_module(\"env\"), import_name(\"open_socket\"))) int open_socket(int);\n\
         int hattari_entry[10]; int reach(void) { return open_socket(hattari_entry[0]); }\n",
    );
    let built = |more: &[&str]| {
        crate::support::wasm_cc(
            &folder.path("reaches.c"),
            &folder.path("reaches.wasm"),
            more,
        )
        .code(0);
        folder.hattari("check reaches.wasm").code(2)
    };
    built(&["-Wl,--export=reach"])
        .complains("it imports `open_socket` from `env`, which this host does not provide");
    built(&[])
        .complains("it was built for version 0 of the C interface; this host supports version 1");
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn modules_that_violate_the_interface_are_refused_like_libraries() {
    const NEWER: (&str, &str) = (
        "NEWER",
        "it was built for version 2 of the C interface; this host supports version 1",
    );
    let folder = Folder::new();
    let name = |fault: &str| fault.to_lowercase().replace('_', "-");
    // The linker refuses a module without the entry.
    let has_entry = |case: &(&str, &str)| case.0 != "NO_ENTRY";
    let cases = || REFUSED.into_iter().filter(has_entry).chain([NEWER]);
    for (fault, _) in cases() {
        let flag = format!("-DFAULT_{fault}");
        folder.module("tests/plugins/faulty.c", &name(fault), &[&flag]);
    }
    for (fault, message) in cases() {
        let file = format!("bots/{}.wasm", name(fault));
        let message = message
            .replace("least 32 is", "least 24 is")
            .replace("least 64 is", "least 36 is");
        folder.refuses(["check", &file], &format!("{file}: {message}; "));
    }
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn bots_that_fail_to_start_or_answer_report_the_reason() {
    for (fault, message) in [
        ("CREATE_FAILS", "create failed"),
        ("CREATE_NULL", "create returned HATTARI_OK but no bot"),
        ("NULL_ACT", "the function `act` of the bot is null"),
        ("ERROR", "HATTARI_E_FAIL"),
        ("OUT_OF_RANGE", "illegal action"),
        ("NO_ANSWER", "illegal action"),
    ] {
        let folder = Folder::new();
        folder.module(
            "tests/plugins/faulty.c",
            "faulty",
            &[&format!("-DFAULT_{fault}")],
        );
        let ended = folder.hattari("check bots/faulty.wasm --deals 3 --blocks 2 --time 1");
        ended.code(1).says(message);
    }
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn several_bots_of_a_module_are_selected_by_id() {
    let folder = Folder::of(
        "game: daihinmin\nentrants: [{name: one, bot: 'bots/two.wasm#last'}, {name: two, bot: 'bots/two.wasm#second'}, {name: a, \
         bot: random}, {name: b, bot: random}, {name: c, bot: random}]\nformat: {kind: line-ups, size: 5}\nblocks: 2\n",
    );
    folder.module("tests/plugins/faulty.c", "two", &["-DTWO_BOTS"]);
    folder.run("1.sqlite", "").complains("0 faults");
}
