//! Whole UECda leagues through the program: started and connecting clients together with bots of
//! every kind.

use super::client::{Ask, Client, Seen};
use crate::place;
use crate::support::{Folder, PROGRAM, Port, command, ended, no_faults, wait};
use std::fs;
use std::net::TcpListener;
use std::process::Command;

pub(super) fn league(folder: &Folder, name: &str, entrants: &str, more: &str) {
    let rules = format!("game: daihinmin\nformat: {{kind: line-ups, size: 5}}\n{more}");
    place::league(folder, name, &rules, entrants);
}

/// Returns an entrant whose client is our own program with one of our bots.
pub(super) fn joining(name: &str, more: &str) -> String {
    format!(
        "{{name: {name}, kind: uecda, command: [\"{PROGRAM}\", join, uecda, \"{{host}}:{{port}}\", --bot, {name}, --games, 10{more}]}}"
    )
}

const BOTS: [&str; 5] = ["default", "all-k", "base", "single", "all-s"];
const BLOCKS: &str = "blocks: 4\ndeals: 10";

#[test]
fn socket_clients_give_the_same_records_as_local_bots() {
    let folder = Folder::new().trusting();
    league(&folder, "here.yaml", &BOTS.join(", "), BLOCKS);
    folder.succeeds("run here.yaml --no-report");
    let here = folder.records("here.sqlite");
    assert_eq!(here.len(), 4);
    no_faults(&here);
    // All clients by socket, half of them with the other version; then mixed, with another number
    // of threads.
    let by_socket = BOTS.map(|bot| {
        joining(
            bot,
            if bot.len() > 5 {
                ", --protocol, 20140"
            } else {
                ""
            },
        )
    });
    league(&folder, "there.yaml", &by_socket.join(", "), BLOCKS);
    folder.succeeds("run there.yaml --no-report --jobs 1");
    assert_eq!(folder.records("there.sqlite"), here);
    let mixed = BOTS.map(|bot| match bot {
        "all-k" | "single" => joining(bot, ""),
        _ => bot.to_owned(),
    });
    league(&folder, "mixed.yaml", &mixed.join(", "), BLOCKS);
    folder.succeeds("run mixed.yaml --no-report --jobs 3");
    assert_eq!(folder.records("mixed.sqlite"), here);
    // A game of the league can be replayed with the same clients.
    folder
        .succeeds("replay mixed.yaml --block 2 --game 3")
        .says("the replayed block equals the stored record");
}

/// Runs a client of the test that connects to a port and plays with `answer` until it is stopped.
/// Returns the messages of each match.
pub(super) fn comers<T>(
    port: &Port,
    answer: fn(&mut Client, Ask<'_>) -> std::io::Result<()>,
    during: impl FnOnce() -> T,
) -> (T, Vec<Seen>) {
    place::comers(
        port,
        |address| Ok(Client::come(address, 20070, "comer")?.play(&mut { answer })),
        during,
    )
}

#[test]
fn several_clients_on_one_port_are_matched_to_entrants_by_name() {
    let folder = Folder::new();
    let port = Port::free();
    let at = |name| format!("{{name: {name}, kind: uecda, listen: {port}}}");
    let [first, second] = ["default", "all-k"].map(at);
    let there = format!("{first}, {second}, base, single, all-s");
    let here = BOTS.join(", ");
    for (file, entrants) in [("x.yaml", &there), ("y.yaml", &here)] {
        league(&folder, file, entrants, "blocks: 2\ndeals: 5");
    }
    let bots = ["all-k", "default"].map(|bot| {
        folder.start(format!(
            "join uecda 127.0.0.1:{port} --bot {bot} --games 5 --matches 2 --wait 60"
        ))
    });
    folder
        .succeeds("run x.yaml --no-report")
        .complains("waiting for a client of `default`");
    for bot in bots {
        let said = wait(bot).code(0).err;
        assert_eq!(said.matches("5 games").count(), 2, "{said}");
    }
    folder
        .succeeds("run x.yaml --dry-run")
        .says("may be by another program");
    let list = folder.succeeds("store list x.yaml").out;
    let unknown = list.lines().filter(|line| line.trim_end().ends_with(" -"));
    assert_eq!(unknown.count(), 2, "{list}");
    folder.succeeds("run y.yaml --no-report");
    assert_eq!(folder.records("x.sqlite"), folder.records("y.sqlite"));
}

#[test]
fn bundled_client_leagues_run_after_unpacking_to_any_folder() {
    let folder = Folder::new().trusting();
    ended(&mut command(folder.root(), "show paths --unpack --to all")).code(0);
    for name in ["uecda", "acpc"] {
        let league = format!("all/leagues/{name}.yaml");
        folder
            .succeeds(format!("run {league} --blocks 1 --no-report"))
            .complains("0 faults");
    }
}

#[test]
fn setup_errors_of_clients_are_explained() {
    let folder = Folder::new().trusting();
    let run = |entrant: &str| {
        let entrants = format!("base, single, all-s, default, {entrant}");
        league(&folder, "x.yaml", &entrants, BLOCKS);
        folder.hattari("run x.yaml --no-report").code(2)
    };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    run(&format!("{{name: me, kind: uecda, listen: {port}}}"))
        .complains("another league or server uses this address");
    // A dry run does not need connected clients.
    folder.succeeds("run x.yaml --dry-run");
    let free = Port::free();
    run(&format!(
        "{{name: me, kind: uecda, listen: {free}, start_s: 1}}"
    ))
    .complains([
        "entrant `me` does not start: no client connected to 127.0.0.1:",
        "start a client that connects to",
    ]);
    run("{name: me, kind: uecda, command: [./no-such-client, \"{port}\"]}")
        .complains("the command `./no-such-client` cannot be started");
    run("{name: me, kind: uecda, command: [sh, -c, \"echo no cards >&2; exit 4\"]}")
        .complains("exit status: 4 before it connected; it wrote: no cards");
    run("{name: me, kind: uecda, command: [sleep, 100], start_s: 1}")
        .complains("no client connected to 127.0.0.1:");
    run("{name: me, kind: uecda, bot: base}").complains("has no key `bot`");
    run("{name: me, kind: uecdaa}").complains("did you mean `uecda`?");
    let join = |arguments: &str| folder.hattari(("join uecda", arguments)).code(2);
    join(&format!("127.0.0.1:{free} --bot base --wait 0"))
        .complains("no server accepts connections");
    join("127.0.0.1:1 --bot nobody").complains("no bot `nobody`");
    join("127.0.0.1:1 --bot base --protocol 20060").complains("use 20070 or 20140");
}

#[test]
fn a_client_runs_in_its_own_folder_and_its_output_is_reported() {
    let folder = Folder::new().trusting();
    let script = format!(
        "#!/bin/sh\ncat parameters; cat \"$1\" >&2; printf 'red\\033[31m\\n'\nexec '{PROGRAM}' join uecda \"$2\" --bot base --games 5 --quiet\n"
    );
    fs::create_dir_all(folder.path("clients/others")).unwrap();
    folder.write("clients/guest", script);
    ended(
        Command::new("chmod")
            .arg("+x")
            .arg(folder.path("clients/guest")),
    )
    .code(0);
    folder.write("clients/parameters", "strength 9\n");
    folder.write("note", "of the league\n");
    let run = |more: &str, code: i32| {
        let entrants = format!(
            "default, all-k, single, all-s, {{name: guest, kind: uecda, \
             command: [clients/guest, note, \"{{host}}:{{port}}\"]{more}}}"
        );
        league(&folder, "x.yaml", &entrants, "blocks: 1\ndeals: 5");
        folder
            .hattari("run x.yaml --no-report --restart")
            .code(code)
    };
    const SAID: &str = "strength 9 | of the league | red [31m";
    run("", 0).complains(&format!("output of `guest`: {SAID}"));
    folder
        .succeeds("report x.yaml")
        .says("The program of guest printed: strength 9");
    folder.succeeds("report x.yaml --html");
    assert!(folder.read("x.html").contains(SAID));
    no_faults(&folder.records("x.sqlite"));
    run(", folder: clients/others", 0).complains(["parameters: No such file", "| of the league |"]);
    run(", folder: nowhere", 2).complains([
        "entrant `guest` does not start: its `folder`, ",
        "is not a folder",
    ]);
}
