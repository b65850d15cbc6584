//! Which bots play where, and that it makes no difference.

use crate::support::{Folder, library, project_bots, target};
use hattari::check::self_test::{CASES, HEADERS, build};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn what_plays_in_a_process_plays_as_it_does_in_the_host() {
    let folder = Folder::new();
    let league = |isolation: &str| {
        format!(
            "game: daihinmin\nseed: 5\nentrants: [base, all-k, default, random, {{name: odd, bot: single, isolation: none}}]\n\
             format: {{kind: line-ups, size: 5}}\nblocks: 6\ndeals: 40\nduplicate: true\n{isolation}"
        )
    };
    folder.write("inside.yaml", league(""));
    folder.write("apart.yaml", league("isolation: process\n"));
    let inside = folder.hattari(&["run", "inside.yaml", "--no-report"]).code(0);
    assert!(!inside.err.contains("in processes of their own"), "{}", inside.err);
    let apart = folder.hattari(&["run", "apart.yaml", "--no-report"]).code(0);
    apart.complains("in processes of their own: `base`, `all-k`, `default`, `random`");
    assert_eq!(folder.records("inside.yaml"), folder.records("apart.yaml"));
    // A league may go on in the other way.
    let longer = league("isolation: process\n").replace("blocks: 6", "blocks: 7");
    folder.write("inside.yaml", &longer);
    folder.hattari(&["run", "inside.yaml", "--no-report"]).code(0);
    let report = folder.hattari(&["report", "apart.yaml", "--format", "json"]);
    assert!(report.out.contains("own process"), "{}", report.out);
}

#[test]
fn a_library_that_crashes_when_it_is_looked_at_harms_nobody() {
    let folder = Folder::new();
    for (name, text) in HEADERS {
        folder.write(&format!("sources/{name}"), text);
    }
    folder.library("bots/c/cautious.c", "cautious", &[]);
    let case = CASES.iter().find(|case| case.name == "crashes-when-loaded").unwrap();
    let crash = folder.path("bots").join(library("crash"));
    fs::rename(build(&folder.path("sources"), case).unwrap(), crash).unwrap();
    let listed = folder.hattari(&["bots", "--json"]).code(1).json();
    let ours: Vec<&Value> = listed["bots"].as_array().unwrap().iter().filter(|bot| bot["name"] == "cautious").collect();
    assert_eq!(ours[0]["isolation"], "process");
    let broken = listed["broken"][0]["cause"].as_str().unwrap();
    assert!(broken.starts_with("while it was loaded: its process died of signal 11"), "{broken}");
}

#[test]
fn the_project_s_own_bots_are_trusted_and_no_others() {
    let folder = Folder::new();
    fs::create_dir(folder.path("bots")).unwrap();
    let copy = folder.path("bots").join(library("copy"));
    fs::copy(project_bots(), copy).unwrap();
    let bots = folder.hattari(&["bots", "--json"]).code(0).json();
    let bots = bots["bots"].as_array().unwrap();
    let own = |bot: &Value| Path::new(bot["path"].as_str().unwrap()).starts_with(target());
    let compiled = || bots.iter().filter(|bot| bot["kind"] == "compiled");
    assert!(compiled().any(own) && !compiled().all(own));
    for bot in compiled() {
        assert_eq!(bot["isolation"], if own(bot) { "none" } else { "process" }, "{bot}");
    }
    // A link does not make a stranger's library the project's, nor the other way round.
    let link = folder.path("bots").join(library("link"));
    std::os::unix::fs::symlink(project_bots(), &link).unwrap();
    let path = format!("bots/{}#base", library("link"));
    folder.hattari(&["check", &path, "--deals", "2"]).code(0).says("in the host's process");
    let path = format!("bots/{}#base", library("copy"));
    folder.hattari(&["check", &path, "--deals", "2"]).code(0).says("in a process of its own").says("memory");
    folder.hattari(&["check", &path, "--deals", "2", "--isolation", "none"]).code(0).says("in the host's process");
}

#[test]
fn isolation_is_for_compiled_bots() {
    let folder = Folder::new();
    folder.write("mine.lua", "return { act = function() return 1 end }");
    let entrants = "entrants: [{name: mine, bot: mine.lua, isolation: process}]";
    let league = |more: &str| {
        let format = "format: {kind: challenge, challengers: [mine], field: [mine, mine, mine, mine]}";
        format!("game: daihinmin\n{more}{format}\nblocks: 1\n")
    };
    folder.write("x.yaml", league(&format!("{entrants}\n")));
    folder.hattari(&["run", "x.yaml"]).code(2).complains("entrant `mine`: `isolation: process` is for compiled bots");
    folder.write("x.yaml", league("entrants: [{name: mine, bot: mine.lua}]\nisolation: process\n"));
    folder.hattari(&["run", "x.yaml", "--no-report"]).code(0);
}

#[test]
fn a_worker_by_itself_says_what_it_is() {
    let folder = Folder::new();
    let ended = folder.hattari(&["worker", "x.so"]);
    assert_ne!(ended.code, 0);
    ended.complains("a worker is started by `hattari` itself");
}
