//! Attacks by several bots together, over several blocks, or on the host's own tools. Attacks by a
//! single bot are in `bots/faulty`.

use crate::support::{Folder, descendants, library, stat, until, until_gone};
use hattari_agents::record::{FaultKind, Record};
use std::fs;
use std::path::Path;

/// Returns a league with one or more untrusted bots.
fn league(entrants: &str, more: &str) -> String {
    format!(
        "game: daihinmin\nseed: 77\nentrants: [{entrants}]\nformat: {{kind: line-ups, size: 5}}\n{more}"
    )
}

/// Returns the names of five bots: this one and four that take the first action.
fn among_first(folder: &Folder, bot: &str) -> String {
    format!("{bot}, {}, {{name: f4, bot: first}}", three_first(folder))
}

/// Returns a folder with this bot from `tests/plugins` and a league of it and four others.
pub(super) fn with_bot(bot: &str, flags: &[&str], more: &str) -> Folder {
    let folder = Folder::new();
    folder.library(&format!("tests/plugins/{bot}.c"), bot, flags);
    let entrants = among_first(&folder, bot);
    folder.write("x.yaml", league(&entrants, more));
    folder
}

/// Returns the names of three bots that take the first action.
fn three_first(folder: &Folder) -> &'static str {
    folder.library("tests/plugins/first.c", "first", &[]);
    "{name: f1, bot: first}, {name: f2, bot: first}, {name: f3, bot: first}"
}

fn faults(records: &[Record]) -> Vec<&str> {
    records
        .iter()
        .flat_map(|record| record.faults.iter().map(|fault| fault.message.as_str()))
        .collect()
}

/// Adds a name to the libraries that a 64-bit ELF file needs. With `is_behind` it goes after the
/// end of the list, where the loader does not look, otherwise in place of the first entry. The name
/// must already be in the string table, for example as a library path.
fn need(file: &Path, name: &str, is_behind: bool) {
    let mut bytes = fs::read(file).unwrap();
    let number = |bytes: &[u8], at: usize, size: usize| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&bytes[at..at + size]);
        usize::try_from(u64::from_le_bytes(word)).unwrap()
    };
    let sections = number(&bytes, 0x28, 8);
    let (size, count) = (number(&bytes, 0x3a, 2), number(&bytes, 0x3c, 2));
    let section = |index: usize| sections + index * size;
    let dynamic = (0..count)
        .map(section)
        .find(|&at| number(&bytes, at + 4, 4) == 6)
        .unwrap();
    let texts = section(number(&bytes, dynamic + 40, 4));
    let (start, length) = (number(&bytes, texts + 24, 8), number(&bytes, texts + 32, 8));
    let wanted = [name.as_bytes(), &[0]].concat();
    let offset = bytes[start..start + length]
        .windows(wanted.len())
        .position(|part| part == wanted)
        .unwrap();
    let list = number(&bytes, dynamic + 24, 8);
    let tag = |place: usize| number(&bytes, list + place * 16, 8);
    let place = if is_behind {
        (0..).find(|&place| tag(place) == 0).unwrap() + 1
    } else {
        (0..).find(|&place| tag(place) == 1).unwrap()
    };
    assert!(
        (place + 1) * 16 <= number(&bytes, dynamic + 32, 8),
        "the list is full"
    );
    let entry = list + place * 16;
    bytes[entry..entry + 8].copy_from_slice(&1_u64.to_le_bytes());
    bytes[entry + 8..entry + 16].copy_from_slice(&(offset as u64).to_le_bytes());
    fs::write(file, bytes).unwrap();
}

#[test]
fn files_named_by_a_library_are_not_made_visible_to_it() {
    let folder = Folder::new();
    folder.write("secret.yaml", "seed: 4711\n");
    let secret = folder.path("secret.yaml").display().to_string();
    let flags = [
        format!("-DSECRET=\"{secret}\""),
        format!("-Wl,-rpath,{secret}"),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let built = folder.library("tests/plugins/reader.c", "reader", &flags);
    let entrants = among_first(&folder, "reader");
    folder.write("x.yaml", league(&entrants, "blocks: 2\ndeals: 8\n"));
    let whole = folder.play("x.yaml");
    assert!(faults(&whole).is_empty(), "{whole:?}");
    // Like an attacker who knows how the host once read the list.
    need(&built, &secret, true);
    folder.succeeds("run x.yaml --no-report --restart");
    assert_eq!(folder.records("x.yaml"), whole);
    // In the list itself: the library then cannot be loaded.
    need(&built, &secret, false);
    folder
        .hattari("show bots --json")
        .code(1)
        .says("the system cannot load it")
        .never_says("4711");
}

#[test]
fn libraries_beside_a_bot_are_not_loaded_and_a_fix_is_suggested() {
    let folder = Folder::new();
    let beside = folder.library(
        "tests/plugins/first.c",
        "beside",
        &["-Wl,-soname,libbeside.so"],
    );
    let place = beside.parent().unwrap().display().to_string();
    let flags = [
        format!("-L{place}"),
        "-Wl,--no-as-needed".to_owned(),
        "-lbeside".to_owned(),
        format!("-Wl,-rpath,{place}"),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    folder.library("bots/c/cautious.c", "needy", &flags);
    let check = folder
        .hattari([
            "check",
            &format!("bots/{}", library("needy")),
            "--deals",
            "1",
        ])
        .code(2);
    check.complains([
        "libbeside.so: cannot open shared object file",
        "cannot load libraries from other folders",
    ]);
}

#[test]
fn blocks_are_independent_for_any_number_of_threads() {
    let folder = with_bot("counts-blocks", &[], "blocks: 12\ndeals: 6\n");
    let play = |jobs: &str| {
        let store = format!("{jobs}.sqlite");
        folder.run(&store, ["--jobs", jobs]);
        folder.records(&store)
    };
    let alone = play("1");
    assert!(faults(&alone).is_empty());
    assert_eq!(alone, play("2"));
    assert_eq!(alone, play("5"));
}

#[test]
fn a_bot_that_kills_itself_after_a_bad_block_gains_nothing() {
    let folder = Folder::new();
    let play = |name: &str, flags: &[&str]| {
        folder.library("tests/plugins/rerolls.c", "rerolls", flags);
        let entrants = among_first(&folder, "rerolls");
        let name = format!("{name}.yaml");
        folder.write(&name, league(&entrants, "blocks: 6\ndeals: 20\n"));
        folder
            .succeeds(format!("run {name} --no-report"))
            .never_says("is restarted");
        folder.records(&name)
    };
    let honest = play("honest", &[]);
    assert!(faults(&honest).is_empty());
    assert_eq!(play("cheat", &["-DCHEATS"]), honest);
}

/// For each way to end a bad block, at the last deal or later: the block counts as played or has a
/// fault, and all other blocks are unchanged.
#[test]
fn no_way_to_end_a_bad_block_gives_an_advantage() {
    let folder = Folder::new();
    let entrants = among_first(&folder, "ends-badly");
    let budget = "budget: {decision_ms: 300, memory_mb: 64}\n";
    folder.write(
        "x.yaml",
        league(&entrants, &format!("blocks: 6\ndeals: 8\n{budget}")),
    );
    let play = |way: &str, moment: &str| {
        folder.library(
            "tests/plugins/ends-badly.c",
            "ends-badly",
            &[&format!("-DWAY={way}"), moment],
        );
        let store = format!("{way}{moment}.sqlite");
        folder.run(&store, "");
        folder.records(&store)
    };
    let honest = play("NONE", "-DHONEST");
    let bad: Vec<bool> = honest.iter().map(|record| record.sum[0] < 24).collect();
    assert!(
        faults(&honest).is_empty() && bad.contains(&true) && bad.contains(&false),
        "{bad:?}"
    );
    let mut ended = 0;
    for way in 0..8 {
        for moment in ["-DAT_DEAL_END", "-DAT_DESTROY"] {
            for ((record, honest), bad) in
                play(&way.to_string(), moment).iter().zip(&honest).zip(&bad)
            {
                let has_fault = record.fault_counts[0] > 0;
                assert!(
                    record == honest || (*bad && has_fault),
                    "way {way} {moment}: {record:?}"
                );
                ended += usize::from(has_fault);
            }
        }
    }
    assert!(ended > 12, "most ways are faults: {ended}");
}

#[test]
fn two_bots_cannot_communicate_through_their_clocks() {
    let folder = Folder::new();
    folder.library("tests/plugins/sends.c", "sends", &[]);
    folder.library("tests/plugins/receives.c", "receives", &[]);
    let others = three_first(&folder);
    folder.write(
        "x.yaml",
        league(
            &format!("sends, receives, {others}"),
            "blocks: 1\ndeals: 10\n",
        ),
    );
    assert!(faults(&folder.play("x.yaml")).is_empty());
}

/// Two bots that try to signal each other with the futex wakes that the kernel makes when a thread
/// ends. They use words in the program's libc, in a copy that the loader is asked for, and in a
/// page of libc that was moved.
#[test]
fn two_bots_cannot_signal_each_other_with_futex_wakes() {
    let folder = Folder::new();
    let others = three_first(&folder);
    for way in [
        &[][..],
        &["-DROBUST"],
        &["-DMAPPED"],
        &["-DMAPPED", "-DROBUST"],
        &["-DMOVED"],
    ] {
        // The sender uses the words that all processes share, or those of the copy.
        let of_sender: Vec<&str> = way
            .iter()
            .copied()
            .filter(|flag| *flag != "-DMOVED")
            .collect();
        folder.library("tests/plugins/wakes.c", "wakes", &of_sender);
        folder.library("tests/plugins/is-woken.c", "is-woken", way);
        let entrants = format!(
            "{{name: wakes, bot: wakes, threads: 2}}, {{name: is-woken, bot: is-woken, threads: 16}}, {others}"
        );
        folder.write(
            "x.yaml",
            league(&entrants, "blocks: 1\ndeals: 16\nrestarts: 100\n"),
        );
        folder.succeeds("run x.yaml --no-report --restart");
        let record = folder.records("x.yaml").remove(0);
        let told = record
            .faults
            .iter()
            .filter(|fault| fault.entrant == 3)
            .map(|fault| fault.message.as_str());
        // The only possible remains are threads that wait where nobody can wake them.
        assert!(
            told.into_iter()
                .all(|message| message.contains("of its threads still run")),
            "{way:?}: {record:?}"
        );
        // The sender may crash.
        assert_eq!(record.fault_counts[..3], [0; 3], "{way:?}: {record:?}");
    }
}

#[test]
fn a_bot_can_start_only_as_many_threads_as_the_league_allows() {
    let folder = Folder::new();
    folder.library("tests/plugins/starts-threads.c", "starts-threads", &[]);
    for (threads, started) in [(0, "0 threads"), (1, "1 threads"), (3, "3 threads")] {
        let entrants = among_first(
            &folder,
            &format!("{{name: starts-threads, bot: starts-threads, threads: {threads}}}"),
        );
        let name = format!("{threads}.yaml");
        folder.write(&name, league(&entrants, "blocks: 1\ndeals: 4\n"));
        let records = folder.play(&name);
        let told = faults(&records);
        assert!(
            !told.is_empty() && told.iter().all(|message| message.contains(started)),
            "{threads}: {told:?}"
        );
        assert!(
            records[0]
                .faults
                .iter()
                .all(|fault| fault.kind == FaultKind::Error)
        );
    }
    let entrants = among_first(
        &folder,
        "{name: starts-threads, bot: starts-threads, threads: 65}",
    );
    folder.write("65.yaml", league(&entrants, "blocks: 1\ndeals: 4\n"));
    folder.refuses("run 65.yaml", "`threads`");
}

#[test]
fn a_process_that_never_exits_has_no_huge_pages_and_is_killed_with_the_host() {
    let more = "blocks: 1\ndeals: 10\nbudget: {decision_ms: 600000}\n";
    let folder = with_bot("spins", &[], more);
    let mut host = folder.start("run x.yaml --no-report --quiet");
    // The playing process uses processor time and does nothing else: half a second is 50 ticks.
    let spinning = until("it spins", || {
        descendants(host.id())
            .into_iter()
            .find(|&process| stat(process, 11).is_some_and(|ticks| ticks > 50))
    });
    let all = descendants(host.id());
    assert!(all.contains(&spinning));
    // A huge page stays in memory, but is not counted, while a small part of it is mapped.
    let status = fs::read_to_string(format!("/proc/{spinning}/status")).unwrap();
    assert!(status.contains("\nTHP_enabled:\t0\n"), "{status}");
    host.kill().unwrap();
    host.wait().unwrap();
    until_gone(&all);
}
