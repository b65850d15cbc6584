//! Texts from bots and leagues are inert in terminals, CSV files, Markdown and pages.

use crate::support::{Folder, has, project};

/// Returns true if a text has control characters for a terminal, or invisible characters.
fn acts(text: &str) -> bool {
    text.chars().any(|c| {
        c != '\n'
            && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    })
}

#[test]
fn output_of_bots_is_escaped_everywhere() {
    let script = project().join("scripts/faulty/paints.lua");
    let name = "=1+cmd|' <b>`x";
    let league = format!(
        "game: daihinmin\nseed: 5\nentrants: [{{name: \"{name}\", bot: \"{}\"}}, base, all-k, default, pair]\n\
         format: {{kind: line-ups, size: 5}}\nblocks: 2\ndeals: 1\n",
        script.display()
    );
    let folder = Folder::of(&league);
    let run = folder.succeeds("-v run x.yaml");
    has(&run.err, "painted");
    let mut told = vec![("run", run.out), ("run's log", run.err)];
    let check = format!("-v check {} --game daihinmin --time 0.2", script.display());
    for arguments in [
        "report x.yaml",
        "report x.yaml --format markdown",
        "report x.yaml --format json",
        "report x.yaml --format html",
        "replay x.yaml --deal 0",
        "store records x.yaml",
        &check,
    ] {
        let ended = folder.hattari(arguments);
        assert!(!ended.out.is_empty(), "{arguments:?}: {}", ended.err);
        told.extend([(arguments, ended.out), ("its error output", ended.err)]);
    }
    for (what, text) in &told {
        assert!(!acts(text), "{what}:\n{text:?}");
        // Only the program begins a line; in the source of a page, lines have no meaning.
        let is_page = text.starts_with("<!DOCTYPE");
        assert!(
            is_page || !text.lines().any(|line| line.starts_with("| forged")),
            "{what}:\n{text}"
        );
    }
    let of = |format: &str| {
        folder
            .succeeds(format!("report x.yaml --format {format}"))
            .out
    };
    let markdown = of("markdown");
    assert!(
        markdown.contains("\\<script>") && !markdown.replace("\\<", "").contains("<script"),
        "{markdown}"
    );
    let page = of("html");
    assert!(
        !page.contains("<script>alert") && !page.contains("' <b>"),
        "a page takes nothing for markup"
    );

    folder.succeeds("report x.yaml --format csv --output sheets");
    let sheet = folder.read("sheets/standings.csv");
    assert!(
        sheet.contains(&format!("'{name}")) && !acts(&sheet),
        "{sheet}"
    );
    let sheet = folder.read("sheets/faults.csv");
    assert!(
        sheet.contains("forged: all limits hold") && !acts(&sheet),
        "{sheet}"
    );
}
