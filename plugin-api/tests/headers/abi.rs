//! Generates `hattari.h`, the interface itself.

use crate::model::{Entry, Model, Struct, c_constant, c_type_name};
use crate::{abi32, layout};
use hattari_plugin::headers::comment::{WIDTH, block, define, paragraphs};
use hattari_plugin::headers::layout::{WASM, WIDE, asserts};

const TITLE: &str =
    "hattari.h: interface between the arena Hattari and a library of bots. C11, C++11 and later.";
const ORIGIN: &str = "Generated from plugin-api/src/abi.rs; changes to this file are lost.";

const PREAMBLE: &str = r#"#ifndef HATTARI_H
#define HATTARI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exports a symbol from the library. Hide all other symbols when you build it. */
#if defined(_WIN32)
#define HATTARI_EXPORT __declspec(dllexport)
#else
#define HATTARI_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define HATTARI_ASSERT_(fact) static_assert(fact, #fact)
#else
#define HATTARI_ASSERT_(fact) _Static_assert(fact, #fact)
#endif
"#;

const CLOSING: &str = r"
#ifdef __cplusplus
}
#endif

#endif /* HATTARI_H */
";

/// Returns the text of the header.
pub(crate) fn header(model: &Model) -> String {
    let resolve = |target: &str| model.resolve(target);
    let mut opening = vec![TITLE.to_owned(), ORIGIN.to_owned()];
    // The first paragraph is for readers of the Rust file.
    opening.extend(paragraphs(&model.doc, &resolve).into_iter().skip(1));
    let mut out = block(&opening, "") + PREAMBLE + "\n";
    for it in model.structs() {
        let name = c_type_name(&it.name);
        out.push_str(&format!("typedef struct {name} {name};\n"));
    }
    let mut group = "";
    for item in &model.items {
        match item {
            Entry::Constant { name, value, doc } => {
                let stem = stem(name);
                if stem != group {
                    out.push('\n');
                }
                group = stem;
                out.push_str(&define(
                    &c_constant(name),
                    value,
                    &paragraphs(doc, &resolve),
                ));
            }
            Entry::Alias { name, target, doc } => {
                // Status codes follow directly.
                group = "E";
                let comment = block(&paragraphs(doc, &resolve), "");
                out.push_str(&format!(
                    "\n{comment}typedef {target} {};\n",
                    c_type_name(name)
                ));
            }
            Entry::Struct(it) => {
                group = "";
                out.push('\n');
                out.push_str(&structure(it, &resolve));
            }
        }
    }
    out.push_str(
        "\n/* The only symbol that a library exports. The library defines it; the host finds it by name. */\n",
    );
    out.push_str("HATTARI_EXPORT extern const hattari_library_entry hattari_entry;\n");
    out.push_str("\n/* Checks that the library is built with the layout of the host. */\n");
    out + &asserts(WIDE, &layout::of_interface())
        + &asserts(WASM, &abi32::of_interface(model))
        + CLOSING
}

/// Returns the common part of the names of a group of constants; the status codes are one group.
fn stem(name: &str) -> &str {
    match name.split('_').next().unwrap_or(name) {
        "OK" => "E",
        "ENTRY" | "FACTORY" | "SERVICE" => "SERVICE",
        stem => stem,
    }
}

fn structure(it: &Struct, resolve: &dyn Fn(&str) -> String) -> String {
    let mut out = block(&paragraphs(&it.doc, resolve), "");
    out.push_str(&format!("struct {} {{\n", c_type_name(&it.name)));
    for field in &it.fields {
        out.push_str(&block(&paragraphs(&field.doc, resolve), "    "));
        out.push_str(&format!("    {};\n", fold(&field.declaration)));
    }
    out + "};\n"
}

/// Breaks a long declaration into one argument per line.
fn fold(declaration: &str) -> String {
    if declaration.chars().count() + 5 <= WIDTH {
        return declaration.to_owned();
    }
    let (head, arguments) = declaration
        .rsplit_once('(')
        .expect("only declarations of functions are long");
    format!(
        "{head}(\n        {}",
        arguments.replace(", ", ",\n        ")
    )
}
