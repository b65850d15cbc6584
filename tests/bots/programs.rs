//! Program bots in other languages: they play, need to be trusted once, and each misbehaviour is a
//! fault with a clear message.
#![cfg(unix)]

use crate::support::{Folder, JsonPart, has, json_lines, python};
use hattari_agents::record::{Fault, FaultKind};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Returns the messages from Hattari that the guide describes: names, and names of their members.
fn messages_of_host() -> Vec<(&'static str, Vec<&'static str>)> {
    let guide = include_str!("../../bots/programs/README.md");
    let (_, guide) = guide.split_once("\n## Messages\n").unwrap();
    let guide = guide.split("\n## ").next().unwrap();
    let messages = guide.split("\n### `").skip(1);
    let of_host = messages.filter(|message| message.contains("\n*Sent by Hattari.*"));
    let read = |message: &'static str| {
        let (name, text) = message.split_once('`').unwrap();
        let rows = text.lines();
        let members = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next());
        (name, members.collect())
    };
    of_host.map(read).collect()
}

/// A program in Python that plays the first legal action, with places where tests insert other
/// code.
pub(super) const PLAIN: &str = r#"# Plays the first.
# hattari-game: tanhinmin
import json, os, signal, sys, time

def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()

def hello():
    say({"type": "hello", "protocol": 1})

def ready(block):
    say({"type": "ready"})

def act(turn):
    say({"id": turn["id"], "action": 1})

def end():
    pass

#here
hello()
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if message["type"] == "block_start":
        ready(message)
    elif message["type"] == "act":
        act(message)
    elif message["type"] == "block_end":
        break
end()
"#;

/// Returns a league with the program `x.py` in every line-up.
pub(super) fn league(python: &str) -> String {
    format!(
        "game: tanhinmin\nseed: 4\nentrants:\n  - {{name: x, command: [{python}, x.py]}}\n  - eager\n  - boss\n  - random\n\
         format: {{kind: line-ups, size: 4}}\nblocks: 1\ndeals: 2\nrestarts: 1\nbudget: {{decision_ms: 400}}\n"
    )
}

/// Returns a folder with this league and its program, with `instead` inserted at one place.
fn folder(instead: &str) -> Folder {
    let folder = Folder::of(&league(&python::with("json"))).trusting();
    folder.write("x.py", PLAIN.replace("#here", instead));
    folder
}

/// Plays the league and returns the faults of the program.
pub(super) fn faults(folder: &Folder) -> Vec<Fault> {
    let records = folder.play("x.yaml");
    records
        .into_iter()
        .flat_map(|record| record.faults)
        .collect()
}

/// Plays the league. Asserts that the program has faults, and that all of them fit.
#[track_caller]
pub(super) fn all_faults(folder: &Folder, fits: impl Fn(&Fault) -> bool) {
    let faults = faults(folder);
    assert!(!faults.is_empty() && faults.iter().all(fits), "{faults:?}");
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn a_program_plays_without_faults_and_its_answers_are_recorded() {
    let folder = folder("print('thinking', file=sys.stderr)");
    assert_eq!(faults(&folder), []);
    // Its games can be replayed without starting it, so its file may be missing.
    fs::remove_file(folder.path("x.py")).unwrap();
    let replay = folder.succeeds("replay x.yaml --block 0");
    replay.says(["x ", "replayed from the recorded answers"]);
    folder.succeeds("report x.yaml").says("printed: thinking");
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn numbers_of_a_program_are_stored_with_its_answers() {
    let folder = folder(
        r#"
turns = 0
def act(turn):
    global turns
    turns += 1
    numbers = {"turn": turns, "half": 0.5}
    if turns == 3:
        numbers = {f"n{i}": i for i in range(17)}
    say({"id": turn["id"], "action": 1, "log": numbers})
"#,
    );
    let faults = faults(&folder);
    assert_eq!(faults.len(), 1);
    has(
        &faults[0].message,
        "act: log: a decision can have at most 16 names",
    );
    let report = folder.report("x.yaml --play");
    let rows = report["numbers"].list();
    assert!(
        rows.iter()
            .any(|row| row["name"] == "turn" && row["bot"] == "x")
    );
    let halves = rows.iter().filter(|row| row["name"] == "half");
    assert!(halves.clone().count() > 0 && halves.clone().all(|row| row["value"] == 0.5));
    folder
        .succeeds("replay x.yaml")
        .says("logs: half = 0.5, turn = 1\n");
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn each_block_has_its_own_process_which_receives_all_data() {
    let note = r#"
loads = json.loads
def note(line):
    open("all", "a").write(line)
    return loads(line)
json.loads = note
def ready(block):
    open("blocks", "a").write(json.dumps([os.getpid(), block]) + "\n")
    say({"log": "ready for " + block["game"]})
    say({"type": "ready"})
def act(turn):
    open("turns", "a").write(json.dumps(turn) + "\n")
    say({"id": turn["id"] - 1 if turn["id"] > 1e9 else turn["id"], "action": len(turn["legal"]), "amount": 0})
"#;
    let folder = folder(note);
    folder.edit("x.yaml", "blocks: 1", "blocks: 3");
    folder.edit("x.yaml", "x.py]}", "x.py], config: {greed: 0.5}}");
    assert_eq!(faults(&folder), []);
    let lines = |file| json_lines(&folder.read(file));
    let mut processes: Vec<u64> = lines("blocks")
        .iter()
        .map(|block| block[0].natural())
        .collect();
    processes.sort_unstable();
    processes.dedup();
    assert_eq!(processes.len(), 3);
    let block = &lines("blocks")[0][1];
    assert_eq!(block["game"], "tanhinmin/1");
    assert_eq!(block["players"], 4);
    assert_eq!(block["deals"], 2);
    assert_eq!(block["config"]["greed"], 0.5);
    assert_eq!(block["protocol"], 1);
    assert!(
        (1..=4).contains(&block["player"].natural()) && block["seed"].natural() < 1 << 53,
        "{block}"
    );
    let told = lines("all");
    let messages = messages_of_host();
    assert_eq!(messages.len(), 5);
    for (name, mut expected) in messages {
        let said = told
            .iter()
            .find(|said| said["type"] == name)
            .unwrap_or_else(|| panic!("no {name}"));
        let mut members: Vec<&str> = said
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        expected.push("type");
        members.sort_unstable();
        expected.sort_unstable();
        assert_eq!(members, expected, "{name}");
    }
    let turns = lines("turns");
    let turn = &turns[0];
    assert!((1..=4).contains(&turn["view"]["seat"].natural()), "{turn}");
    assert!(
        turn["view"]["hand"][0].is_string() && turn["legal"][0]["kind"].is_string(),
        "{turn}"
    );
    assert_eq!(turn["budget_us"], 400_000);
    // All events are sent exactly once; the first of a deal is the lead.
    let told = turns.iter().flat_map(|turn| turn["events"].list()).count();
    assert!(told > turns.len(), "{told} events in {} turns", turns.len());
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn a_python_program_that_never_flushes_plays() {
    let say = "def say(message): print(json.dumps(message))";
    assert_eq!(faults(&folder(say)), []);
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn each_kind_of_misbehaviour_is_reported_as_a_fault() {
    use FaultKind::{Crash, Error, IllegalAction, IllegalAmount, Refused, Start, Time};
    for (instead, kind, words) in [
        (
            "sys.exit(3)",
            Start,
            "start: its process ended with exit code 3",
        ),
        ("import no_such_module", Start, "it wrote: "),
        (
            "def hello(): print('hello')",
            Start,
            "stdout must contain only JSON objects (got `hello`)",
        ),
        (
            "def hello(): say({'type': 'hello', 'protocol': 9})",
            Start,
            "protocol version 9; this host supports version 1",
        ),
        (
            "def ready(block): say({'refuse': 'four are\\x1b[2J too many'})",
            Refused,
            "four are [2J too many",
        ),
        (
            "def ready(block): raise ValueError('no config')",
            Start,
            "ValueError: no config",
        ),
        (
            "def act(turn): say({'id': turn['id'], 'action': 0})",
            IllegalAction,
            "the answer must be the index of a legal action, from 1 to ",
        ),
        (
            "def act(turn): say({'id': turn['id'], 'action': 99})",
            IllegalAction,
            "(got 99)",
        ),
        (
            "def act(turn): say({'id': turn['id'], 'action': 1, 'amount': 0.5})",
            IllegalAmount,
            "the amount must be an integer (got 0.5)",
        ),
        (
            "def act(turn): say({'id': turn['id'], 'error': 'I am lost'})",
            Error,
            "I am lost",
        ),
        (
            "def act(turn): print('let me think', flush=True)",
            Error,
            "(got `let me think`)",
        ),
        (
            "def act(turn): say({'id': turn['id'], 'acton': 1})",
            Error,
            "unknown field 'acton', expected one of 'id', 'action'",
        ),
        (
            "def act(turn): say({'action': 1})",
            Error,
            "the answer has no `id`; it must repeat the `id` of the `act` message, 1",
        ),
        (
            "def act(turn): say({'id': turn['id'] + 1, 'action': 1})",
            Error,
            "the answer has `id` 2, but the `act` message has `id` 1",
        ),
        (
            "def act(turn): [say({'id': turn['id'], 'action': 1}) for _ in 'xx']",
            Error,
            "it",
        ),
        (
            "def act(turn): sys.stdout.write(''.join(json.dumps({'id': turn['id'] + n, 'action': 1}) + '\\n' for n in (0, 1))); \
             sys.stdout.flush()",
            Error,
            "act: it sent the answer to decision 2 before it received `act`",
        ),
        (
            "def act(turn): sys.stdout.write('x' * 100_000); sys.stdout.flush()",
            Error,
            "a line of more than 65536 bytes",
        ),
        (
            "def act(turn):\n    while True: say({'log': 'x' * 60_000, 'level': 'debug'})",
            Error,
            "more than 1048576 bytes without an answer",
        ),
        (
            "def act(turn): time.sleep(60)",
            Time,
            "act: no answer within 800ms; its process was killed",
        ),
        (
            "def act(turn): raise KeyError('deep')",
            Crash,
            "act: its process ended with exit code 1; it wrote: ",
        ),
        (
            "def act(turn): os.kill(os.getpid(), signal.SIGSEGV)",
            Crash,
            "act: its process was terminated by signal 11 (SIGSEGV",
        ),
        (
            "def act(turn): os.close(1); time.sleep(60)",
            Crash,
            "act: it closed its standard input or output",
        ),
        (
            "def end(): sys.exit(7)",
            Crash,
            "block_end: its process ended with exit code 7",
        ),
        (
            "def end(): time.sleep(60)",
            Time,
            "block_end: it did not exit within 10s",
        ),
    ] {
        let folder = folder(instead);
        // A program that does not start is reported before the league begins, unless it started in
        // the trial.
        let run = folder.hattari("run x.yaml --no-report");
        if run.code == 2 {
            assert_eq!(kind, Start, "{instead}: {}", run.err);
            assert!(
                run.err.contains(words) && run.err.contains("`x` does not start"),
                "{instead}:\n{}",
                run.err
            );
            continue;
        }
        let mut run = run.code(0);
        if kind == Start {
            run = run.complains("x could not be started in ");
        }
        let records = folder.records("x.yaml");
        let faults: Vec<&Fault> = records.iter().flat_map(|record| &record.faults).collect();
        let first = faults
            .first()
            .unwrap_or_else(|| panic!("{instead}: no fault\n{}", run.err));
        assert_eq!(first.kind, kind, "{instead}: {}", first.message);
        assert!(
            first.message.contains(words),
            "{instead}: {}",
            first.message
        );
        assert!(
            faults
                .iter()
                .all(|fault| !fault.message.contains(char::is_control)),
            "{instead}: {faults:?}"
        );
    }
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn memory_is_limited_if_the_league_sets_a_limit() {
    let greedy = "def act(turn): len(bytearray(300 << 20)); say({'id': turn['id'], 'action': 1})";
    let folder = folder(greedy);
    folder.edit("x.yaml", "decision_ms: 400", "decision_ms: 60000");
    assert_eq!(faults(&folder), []);
    folder.edit("x.yaml", "decision_ms: 60000", "memory_mb: 128");
    folder.succeeds("run x.yaml --no-report --restart");
    all_faults(&folder, |fault| fault.message.contains("MemoryError"));
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn a_program_that_never_reads_has_a_time_fault() {
    // So many deals that the messages do not fit into the pipe.
    let folder = folder("def ready(block): say({'type': 'ready'}); time.sleep(60)");
    folder.edit("x.yaml", "deals: 2", "deals: 400");
    all_faults(&folder, |fault| fault.kind == FaultKind::Time);
}

#[test]
fn settings_of_a_program_in_a_league_are_validated() {
    for (entrant, words) in [
        (
            "{command: [python3, x.py]}",
            "an entrant with `command` needs a name",
        ),
        (
            "{name: x, bot: eager, command: [python3, x.py]}",
            "`bot` or `command`, but this one has both",
        ),
        (
            "{name: x, command: [python3, x.py], threads: 2}",
            "`threads` is available for compiled bots only",
        ),
        (
            "{name: x, command: [./no-such-program]}",
            "the command `./no-such-program` cannot be started",
        ),
        (
            "{name: x, command: [sh, -c, exit], folder: nowhere}",
            "its `folder`",
        ),
        (
            "{name: x, command: [./plain]}",
            "a script begins with a line such as `#!/usr/bin/env python3`",
        ),
        (
            "{name: x, command: [./missing]}",
            "the program after `#!` in its first line does not exist",
        ),
        (
            "{name: x, command: [./inside]}",
            "name a program, not a folder",
        ),
    ] {
        let league = league("python3").replace("{name: x, command: [python3, x.py]}", entrant);
        let folder = Folder::of(&league).trusting();
        folder.write("inside/file", "");
        for (name, text) in [("plain", "echo\n"), ("missing", "#!/no/program\n")] {
            folder.write(name, text);
            fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder.refuses("run x.yaml --no-report", words);
    }
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn a_program_can_be_checked_and_watched_by_its_path() {
    python::with("json");
    let folder = Folder::new();
    folder.write("x.py", PLAIN);
    let check = |more: &str| folder.hattari(("check x.py --deals 2 --blocks 1", more));
    check("").code(2).complains([
        "cannot check x",
        "confirm with `--trust`",
        "`--isolation process`",
    ]);
    check("--trust").code(0).says([
        "x (x.py), tanhinmin/1",
        "`python3 x.py`",
        "runs without a sandbox",
        "decisions",
    ]);
}

/// Changed programs and folders are tested in `trust.rs`.
#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn a_program_is_not_started_without_trust() {
    let folder = Folder::of(&league(&python::with("json")));
    folder.write("x.py", "open('started', 'a')");
    folder.refuses(
        "run x.yaml --no-report",
        ["--trust", "x.py` in ", "as a program"],
    );
    folder.succeeds("run x.yaml --dry-run");
    assert!(!folder.path("started").exists());
}

#[test]
#[ignore = "needs Python 3 (apt-get install python3)"]
fn a_program_is_packed_with_its_league() {
    let folder = folder("");
    folder.succeeds("cluster pack x.yaml -o x.hattari");
    let other = Folder::new().trusting();
    fs::copy(folder.path("x.hattari"), other.path("x.hattari")).unwrap();
    other
        .succeeds("run x.hattari --no-report")
        .complains("0 faults");
    folder.write("x.yaml", league("PYTHON").replace("PYTHON, ", "./"));
    folder.refuses("cluster pack x.yaml", "files in a pack are not executable");
}
