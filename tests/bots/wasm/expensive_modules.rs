//! Modules that are small files but expensive to compile or inspect.

use crate::support::{Folder, project};

/// Returns a number in LEB128 encoding.
fn leb(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// Reads a LEB128 number. Returns it and the position after it.
fn read_leb(bytes: &[u8], mut at: usize) -> (u64, usize) {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[at];
        at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return (number, at);
        }
    }
}

/// Returns the module of the first release with additional unused functions. `bodies` do not
/// include their size and their end.
fn module_with(bodies: &[Vec<u8>]) -> Vec<u8> {
    const TYPES: u8 = 1;
    const FUNCTIONS: u8 = 3;
    const CODE: u8 = 10;
    let source = std::fs::read(project().join("tests/abi-v1/first.wasm")).unwrap();
    let (mut module, mut at, mut ty) = (source[..8].to_vec(), 8, 0);
    while at < source.len() {
        let kind = source[at];
        let (size, start) = read_leb(&source, at + 1);
        at = start + usize::try_from(size).unwrap();
        let mut section = source[start..at].to_vec();
        if [TYPES, FUNCTIONS, CODE].contains(&kind) {
            let (count, rest) = read_leb(&section, 0);
            let more: Vec<u8> = match kind {
                TYPES => {
                    ty = count;
                    vec![0x60, 0, 0]
                }
                FUNCTIONS => bodies.iter().flat_map(|_| leb(ty)).collect(),
                _ => bodies
                    .iter()
                    .flat_map(|body| {
                        [leb(body.len() as u64 + 1), body.clone(), vec![0x0b]].concat()
                    })
                    .collect(),
            };
            let count = count
                + if kind == TYPES {
                    1
                } else {
                    bodies.len() as u64
                };
            section = [leb(count), section[rest..].to_vec(), more].concat();
        }
        module.push(kind);
        module.extend(leb(section.len() as u64));
        module.extend(section);
    }
    module
}

/// Returns a function body with this number of 32-bit local variables.
fn body(locals: u64, code: Vec<u8>) -> Vec<u8> {
    [vec![1], leb(locals), vec![0x7f], code].concat()
}

const GET: u8 = 0x20;
const SET: u8 = 0x21;
const LOOP: [u8; 2] = [0x03, 0x40];
const IF: [u8; 2] = [0x04, 0x40];
const CONST_1: [u8; 2] = [0x41, 1];
const ADD: u8 = 0x6a;
const DROP: u8 = 0x1a;
const BRANCH_IF: [u8; 2] = [0x0d, 0];
const END: u8 = 0x0b;

fn with(instruction: u8, local: u64) -> Vec<u8> {
    [vec![instruction], leb(local)].concat()
}

/// Sets every variable before many branches, some of them in the branches, and reads all of them
/// afterwards.
fn branches(locals: u64, count: u64) -> Vec<u8> {
    let mut code = Vec::new();
    (1..locals).for_each(|local| code.extend([with(GET, 0), with(SET, local)].concat()));
    for number in 0..count {
        let set = with(SET, 1 + number % (locals - 1));
        code.extend([with(GET, 0), IF.to_vec(), CONST_1.to_vec(), set, vec![END]].concat());
    }
    (0..locals).for_each(|local| code.extend([with(GET, local), vec![DROP]].concat()));
    body(locals, code)
}

/// Nested loops in which the innermost reads and sets all variables.
fn loops(locals: u64, count: u64) -> Vec<u8> {
    let mut code = Vec::new();
    (0..count).for_each(|_| code.extend(LOOP));
    for local in 0..locals {
        let set = with(SET, (local * 7 + 1) % locals);
        code.extend([with(GET, local), CONST_1.to_vec(), vec![ADD], set].concat());
    }
    (0..count).for_each(|_| code.extend([with(GET, 0), BRANCH_IF.to_vec(), vec![END]].concat()));
    body(locals, code)
}

#[test]
fn a_function_of_many_variables_and_branches_is_refused() {
    for function in [branches(10_000, 20_000), loops(3000, 1000)] {
        let folder = Folder::new();
        folder.write("bomb.wasm", module_with(&[function]));
        folder.refuses(
            "check bomb.wasm",
            "the product must be at most 4000000; build it with optimisation, and split its largest functions",
        );
    }
}

#[test]
fn a_compilation_that_takes_too_much_memory_is_stopped() {
    let folder = Folder::new();
    folder.write("bomb.wasm", module_with(&[loops(3900, 500)]));
    folder.refuses(
        "check bomb.wasm",
        "compiling it takes more than 1024 MiB of memory, which is the limit",
    );
}

#[test]
fn many_small_functions_are_accepted() {
    let folder = Folder::new();
    folder.write(
        "fine.wasm",
        module_with(&[branches(100, 200), loops(100, 10)]),
    );
    folder
        .succeeds("check fine.wasm --time 1 --blocks 1")
        .says("no errors");
}

#[test]
fn listing_and_dry_runs_do_not_compile_unused_modules() {
    // Compiling this module would give an error.
    const BROKEN: &[u8] = b"\0asm\x01\0\0\0hattari_entry";
    let folder = Folder::of(
        "game: daihinmin\nentrants: [random, default, base, all-k, single]\nformat: {kind: line-ups, size: 5}\nblocks: 1\n",
    );
    folder.write("bots/some.wasm", BROKEN);
    let listed = folder.succeeds("show bots");
    listed.says([
        "`hattari check` with the path lists its bots",
        "bots/some.wasm",
    ]);
    let listed = folder.succeeds("show bots --json").json();
    assert_eq!(listed["unopened"][0]["name"], "some");
    assert_eq!(listed["unopened"][0]["kind"], "wasm");
    folder.succeeds("run --dry-run x.yaml");
    folder.refuses("check some", "build it again for wasm32");
}

#[test]
fn a_module_is_found_by_its_file_name() {
    let folder = Folder::of(
        "game: daihinmin\nentrants: [mine, default, base, all-k, single]\nformat: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 1\n",
    );
    folder.copy("tests/abi-v1/first.wasm", "bots/mine.wasm");
    folder.run("1.sqlite", "").complains("0 faults");
    // A file that cannot be used is reported, and no other bot is used in its place.
    folder.write("bots/mine.wasm", b"\0asm\x01\0\0\0hattari_entry");
    folder
        .try_run("2.sqlite", "")
        .code(2)
        .complains("bots/mine.wasm: ");
}
