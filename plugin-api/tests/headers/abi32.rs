//! Generates `src/abi32.rs`: the structs of the interface in memory with 4-byte pointers.

use crate::build::{run, scratch};
use crate::layout::{breaks, write_layouts};
use crate::model::{Model, Shape, c_type_name, parse};
use crate::{all_headers, check_committed, include, package};
use hattari_plugin::headers::layout::Layout;
use std::collections::BTreeMap;
use std::fs;

const OPENING: &str = "\
//! Layout of the structs of [`abi`](crate::abi) in WebAssembly memory, where pointers have 4 bytes.
//! Used by hosts.
//!
//! A pointer is an address in the memory of the module; a function pointer is an index into its
//! function table. Structs that C passes or returns by value are passed by address. Numbers are
//! little-endian. [`abi`](crate::abi) documents the fields.
//!
//! Generated from `src/abi.rs`; changes to this file are lost.

use bytemuck::{Pod, Zeroable};
use core::mem::offset_of;

/// Declares structs and checks their sizes and the offsets of their fields, both in bytes.
macro_rules! structs {
    ($($name:ident: $size:literal { $($offset:literal: $field:ident: $ty:ty,)* })*) => {$(
        #[doc = concat!(\"The layout of [`abi::\", stringify!($name), \"`](crate::abi::\", stringify!($name), \").\")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Pod, Zeroable)]
        pub struct $name {
            $(
                #[doc = concat!(\"The bytes from \", $offset, \" on; `gap` is padding.\")]
                pub $field: $ty,
            )*
        }

        const _: () = {
            assert!(size_of::<$name>() == $size);
            $(assert!(offset_of!($name, $field) == $offset);)*
        };
    )*};
}

structs! {
";

/// A Rust struct: the layout and its padding.
struct Packed {
    name: String,
    layout: Layout,
    /// Offset, name and Rust type of each field, including padding.
    fields: Vec<(usize, String, String)>,
}

/// Computes the layout of every struct as C compilers for WebAssembly do: each field is aligned to
/// its size, including 8-byte numbers.
fn pack(model: &Model) -> Vec<Packed> {
    let mut known: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut packed = Vec::new();
    for it in model.structs() {
        let (mut at, mut most) = (0, 1);
        let (mut places, mut fields) = (Vec::new(), Vec::new());
        let gap = |at: &mut usize, fields: &mut Vec<(usize, String, String)>, align: usize| {
            let end = at.next_multiple_of(align);
            if end > *at {
                fields.push((*at, "gap".to_owned(), format!("[u8; {}]", end - *at)));
            }
            *at = end;
        };
        for field in &it.fields {
            let (size, align, ty) = match &field.shape {
                Shape::Pointer => (4, 4, "u32".to_owned()),
                Shape::Number(name) => {
                    let bits: usize = name[1..]
                        .parse()
                        .expect("number types of abi.rs end with their number of bits");
                    (bits / 8, bits / 8, name.clone())
                }
                Shape::Struct(name) => {
                    let (size, align) = known[name];
                    (size, align, name.clone())
                }
            };
            gap(&mut at, &mut fields, align);
            most = most.max(align);
            places.push((field.name.clone(), at, size));
            fields.push((at, field.name.clone(), ty));
            at += size;
        }
        gap(&mut at, &mut fields, most);
        known.insert(it.name.clone(), (at, most));
        let layout = Layout {
            name: c_type_name(&it.name),
            size: at,
            grows: it.grows(),
            fields: places,
        };
        packed.push(Packed {
            name: it.name.clone(),
            layout,
            fields,
        });
    }
    packed
}

/// Returns only the layouts.
pub(crate) fn of_interface(model: &Model) -> Vec<Layout> {
    pack(model)
        .into_iter()
        .map(|packed| packed.layout)
        .collect()
}

/// Returns the text of the file.
fn source(model: &Model) -> String {
    let mut out = OPENING.to_owned();
    for Packed {
        name,
        layout,
        fields,
    } in pack(model)
    {
        out.push_str(&format!("    {name}: {} {{\n", layout.size));
        for (offset, field, ty) in fields {
            out.push_str(&format!("        {offset}: {field}: {ty},\n"));
        }
        out.push_str("    }\n");
    }
    out + "}\n"
}

const RULE: &str = "\
# Layout of the interface in WebAssembly memory, where pointers have 4 bytes: name, offset and size of every field in bytes.
# The rules are those of layout.txt. Records of games have the same layout on all platforms.
";

#[test]
fn webassembly_structs_match_the_rust_types() {
    check_committed(&package().join("src/abi32.rs"), &source(&parse()));
}

#[test]
fn the_layout_is_compatible_with_existing_modules() {
    let path = include().join("layout-wasm.txt");
    let new = RULE.to_owned() + &write_layouts(&of_interface(&parse()));
    let old = fs::read_to_string(&path).unwrap_or_default();
    let breaks = breaks(&old, &new);
    assert!(
        breaks.is_empty(),
        "this breaks existing modules:\n  {}",
        breaks.join("\n  ")
    );
    check_committed(&path, &new);
}

#[test]
fn the_layout_is_compatible_with_modules_of_the_first_release() {
    let first = fs::read_to_string(package().join("../tests/abi-v1/layout-wasm.txt")).unwrap();
    assert_eq!(
        breaks(&first, &write_layouts(&of_interface(&parse()))),
        [""; 0]
    );
}

/// The headers contain assertions of the layout, so it is enough that they compile.
#[test]
#[ignore = "needs clang (apt-get install clang)"]
fn clang_confirms_the_layout_for_webassembly() {
    let file = scratch("wasm-headers.c");
    let includes = all_headers()
        .iter()
        .map(|(name, _)| format!("#include \"{name}\"\n"))
        .collect::<String>();
    fs::write(
        &file,
        includes + "_Static_assert(sizeof(hattari_decision) == 48, \"of wasm32\");\n",
    )
    .unwrap();
    let include = format!("-I{}", include().display());
    run(
        "clang",
        [
            "--target=wasm32",
            "-std=c11",
            "-Wall",
            "-Werror",
            "-fsyntax-only",
            &include,
            &file.display().to_string(),
        ],
    );
}
