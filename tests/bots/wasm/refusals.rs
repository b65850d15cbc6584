//! Modules that are no bots, or that need unavailable functions.

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
    let bad_id = "the id `Big Bot` must consist of a-z, 0-9 and `-`, begin with a letter and have \
        at most 64 characters";
    let cases = [
        (
            "SHORT_ENTRY",
            "its `hattari_entry` has struct_size 16; at least 24 is required",
        ),
        ("NULL_GET_FACTORY", "its entry's get_factory is null"),
        (
            "NO_FACTORY",
            "its get_factory returned null for `hattari.bot-factory/1`",
        ),
        (
            "NULL_CREATE",
            "the function `create` of its factory is null",
        ),
        ("INIT", "its init function failed with HATTARI_E_NOMEM"),
        ("NO_BOTS", "it contains no bots"),
        (
            "MANY_BOTS",
            "it declares 4000000000 bots; at most 1024 are allowed",
        ),
        ("NULL_DESCRIPTOR", "descriptor 0 of 1: it is null"),
        (
            "SHORT_DESCRIPTOR",
            "descriptor 0 of 1: struct_size is 8; at least 36 is required",
        ),
        ("DUPLICATE_IDS", "two bots have the id `last`"),
        ("BAD_UTF8", "descriptor 0 of 1: `id` is not UTF-8"),
        ("BAD_ID", &format!("descriptor 0 of 1: {bad_id}")),
        (
            "BAD_GAME",
            "descriptor 0 of 1: the game `daihinmin` must have the form NAME/REVISION, for example \
             `daihinmin/1` (bot `last`)",
        ),
        (
            "NEWER",
            "it was built for version 2 of the C interface; this host supports version 1",
        ),
    ];
    let folder = Folder::new();
    for (fault, _) in cases {
        folder.module(
            "tests/plugins/faulty.c",
            &fault.to_lowercase().replace('_', "-"),
            &[&format!("-DFAULT_{fault}")],
        );
    }
    for (fault, message) in cases {
        let file = format!("bots/{}.wasm", fault.to_lowercase().replace('_', "-"));
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
    folder.run("1.sqlite", "").code(0).complains("0 faults");
}
