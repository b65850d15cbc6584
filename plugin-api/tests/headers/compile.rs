//! Compiles the headers, and bots that use them, with C and C++ compilers.

use crate::build::{WARNINGS, c_compilers, cxx_compilers, exported_symbols, run, scratch};
use crate::{all_headers, include, layout, package};
use hattari_plugin::headers::layout::Layout;
use std::fs;
use std::path::{Path, PathBuf};

fn check_alone(compiler: &str, language: &str, standards: &[&str]) {
    for (name, _) in all_headers() {
        for standard in standards {
            // Each header is compiled alone, so that a missing include is an error.
            let file = scratch(&format!("alone-{standard}-{name}.{language}"));
            fs::write(
                &file,
                format!(
                    "#include \"{name}\"\n#include \"{name}\"\nint main(void) {{ return 0; }}\n"
                ),
            )
            .unwrap();
            let mut arguments = vec![
                "-fsyntax-only".to_owned(),
                format!("-std={standard}"),
                format!("-I{}", include().display()),
            ];
            arguments.extend(WARNINGS.iter().map(|&flag| flag.to_owned()));
            arguments.push(file.display().to_string());
            run(compiler, arguments);
        }
    }
}

#[test]
fn headers_compile_as_c_without_a_warning() {
    for compiler in c_compilers() {
        check_alone(&compiler, "c", &["c11", "c17"]);
    }
}

#[test]
fn headers_compile_as_cxx_without_a_warning() {
    for compiler in cxx_compilers() {
        check_alone(&compiler, "cpp", &["c++11", "c++17", "c++20"]);
    }
}

/// Returns a C program that prints the layout in the format of the golden file, without marks.
fn probe(layouts: &[Layout]) -> String {
    let mut out: String = all_headers()
        .iter()
        .map(|(name, _)| format!("#include \"{name}\"\n"))
        .collect();
    out.push_str("#include <stdio.h>\n\nint main(void)\n{\n");
    for Layout { name, fields, .. } in layouts {
        out.push_str(&format!(
            "    printf(\"{name} sizeof %zu\\n\", sizeof({name}));\n"
        ));
        for (field, ..) in fields {
            out.push_str(&format!(
                "    printf(\"{name}.{field} %zu %zu\\n\", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));\n"
            ));
        }
    }
    out + "    return 0;\n}\n"
}

#[test]
fn c_and_rust_have_the_same_layout() {
    let layouts = layout::all();
    let mut expected = String::new();
    for Layout {
        name, size, fields, ..
    } in &layouts
    {
        expected.push_str(&format!("{name} sizeof {size}\n"));
        fields.iter().for_each(|(field, offset, size)| {
            expected.push_str(&format!("{name}.{field} {offset} {size}\n"))
        });
    }
    let source = scratch("probe.c");
    fs::write(&source, probe(&layouts)).unwrap();
    for compiler in c_compilers() {
        let program = scratch(&format!("probe-{}", compiler.replace(['/', ' '], "-")));
        let include = format!("-I{}", include().display());
        let (source, output) = (source.display().to_string(), program.display().to_string());
        run(
            &compiler,
            [
                "-std=c11", "-Wall", "-Werror", &include, "-o", &output, &source,
            ],
        );
        assert_eq!(run(&output, [""; 0]), expected);
    }
}

/// Builds a library with the command in the guide, with warnings as errors, and checks its exports.
fn check_library(source: &Path, include: &Path) {
    let stem = source
        .file_stem()
        .expect("a source has a name")
        .to_string_lossy()
        .into_owned();
    for compiler in c_compilers() {
        let library = scratch(&format!(
            "lib{stem}-{}.so",
            compiler.replace(['/', ' '], "-")
        ));
        let mut arguments: Vec<String> =
            ["-O2", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden"]
                .map(String::from)
                .into();
        arguments.extend(WARNINGS.iter().map(|&flag| flag.to_owned()));
        arguments.push(format!("-I{}", include.display()));
        if cfg!(target_os = "linux") {
            // A missing symbol is an error here, not later in a league.
            arguments.push("-Wl,-z,defs".to_owned());
        }
        arguments.extend([
            "-o".to_owned(),
            library.display().to_string(),
            source.display().to_string(),
        ]);
        run(&compiler, arguments);
        assert_eq!(
            exported_symbols(&library),
            ["hattari_entry"],
            "{}",
            source.display()
        );
    }
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no C files", folder.display());
    files
}

#[test]
fn c_bots_are_built_by_one_command_and_export_one_symbol() {
    for source in c_files(&package().join("../bots/c")) {
        check_library(&source, &include());
    }
}

#[test]
fn c_bots_compile_as_cxx_without_a_warning() {
    // A bot with only `decide`, and one with a state.
    for source in ["template.c", "cautious.c"].map(|name| package().join("../bots/c").join(name)) {
        for compiler in cxx_compilers() {
            let mut arguments = ["-fsyntax-only", "-x", "c++", "-std=c++11", "-I"]
                .map(str::to_owned)
                .to_vec();
            arguments.push(include().display().to_string());
            arguments.extend(WARNINGS.iter().map(|&flag| flag.to_owned()));
            arguments.push(source.display().to_string());
            run(&compiler, arguments);
        }
    }
}

#[test]
fn a_bot_of_the_first_release_is_built_with_its_frozen_headers() {
    let frozen = package().join("../tests/abi-v1");
    for source in c_files(&frozen) {
        check_library(&source, &frozen);
    }
}
