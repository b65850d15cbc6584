//! Compares stored keywords and identities with `tests/data/stored-words.txt`. Most of them are
//! names of types and fields, so a rename may change one. Then existing stores become stale or
//! unreadable, and this test fails.

use super::{BotContent, LeagueIdentity, default_path, rows, schema, write};
use crate::league::{Excluded, League, Pairing, Sequential};
use crate::pack::{Manifest, PackedBot, PackedFile};
use crate::schedule::Part;
use hattari_agents::agent::recorded::Answers;
use hattari_agents::agent::{AgentError, BACKENDS, Call, FaultScope};
use hattari_agents::games::{self, GameInfo};
use hattari_agents::packed::pack;
use hattari_agents::record::{Fault, FaultKind, JobId, Record};
use hattari_contests::PROTOCOLS;
use hattari_plugin::Choice;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::{env, fs};

const GOLDEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/stored-words.txt"
);

/// Entrants of the leagues below: one of every kind, with every setting.
const ENTRANTS: &str = r#"
entrants:
  - base
  - {name: script, bot: mine/mine.lua, config: {greed: 0.5, on: true, words: [a, b]}}
  - {name: library, bot: "libmine.so#bold", threads: 2, isolation: process}
  - {name: hurried, bot: module.wasm, budget: {decision_ms: 3, block_ms: 4000, memory_mb: 5, lua_steps: 6000, lua_memory_mb: 7, wasm_fuel: 800000}}
  - {name: program, command: [python3, "my bot.py", --fast]}
  - {name: guest, kind: uecda, command: [guest, -h, "{host}", -p, "{port}"], folder: clients, listen: "127.0.0.1:42485", start_s: 9}
  - {name: visitor, kind: uecda}
  - {name: eighth, bot: base}
"#;

/// Settings of a league that affect play, with values that differ from the defaults.
const SETTINGS: &str = "duplicate: true\nsame_deals: true\nfaults: forfeit\nrestarts: 2\n\
    budget: {decision_ms: 3, block_ms: 4000, memory_mb: 5, lua_steps: 6000, lua_memory_mb: 7, wasm_fuel: 800000}\n";

/// Settings that affect only the duration and the reports.
const READING: &str = "sequential: {rule: confidence-sequence, confidence: 0.9, precision: 0.01, pairs: [[base, script]]}\n\
    report: {confidence: 0.9, correction: holm, score_ratio: true, without_luck: true}\n";

/// Formats except `line-ups`, with the entrants `a` to `d`.
const FORMATS: [&str; 9] = [
    "{kind: pairs, a: [a], b: [b]}",
    "{kind: duel, a: [a], b: [b], field: [c, d]}",
    "{kind: challenge, challengers: [a, b], field: [c]}",
    "{kind: round-robin, size: 2, late: {a: 2}, withdrawn: {b: 3}}",
    "{kind: swiss, rounds: 3, size: 2, late: {a: 2}, withdrawn: {b: 3}}",
    "{kind: knockout, size: 2, through: 1, double: true, withdrawn: {b: 3}}",
    "{kind: ladder, size: 2, entrants: [a, d], withdrawn: {d: 3}}",
    "{kind: race, challengers: [a, b], field: [c], goal: best, error: 0.1, margin: 0.02}",
    "{kind: race, challengers: [a, b], field: [c], top: 1, error: 0.1, margin: 0.02, without_luck: true}",
];

/// Lines of the golden file.
#[derive(Default)]
struct Words(String);

impl Words {
    fn head(&mut self, text: &str) {
        self.0 += &format!("\n## {text}\n");
    }

    fn line(&mut self, name: impl Display, text: impl Display) {
        self.0 += &format!("{name}: {text}\n");
    }

    /// Writes the keywords that a type accepts in stored JSON, taken from the message about an
    /// unknown keyword.
    fn variants<T: DeserializeOwned>(&mut self, name: &str, wrong: Value) {
        let error = serde_json::from_value::<T>(wrong)
            .err()
            .expect("there is no such word")
            .to_string();
        self.line(
            name,
            listed(&error).unwrap_or_else(|| panic!("{name}: {error}")),
        );
    }
}

/// Returns the list in a message about an unknown keyword.
fn listed(error: &str) -> Option<&str> {
    error
        .split_once("expected ")
        .map(|(_, list)| list)
        .filter(|list| list.contains('`'))
}

fn league(text: &str) -> League {
    let (league, _) = League::parse(Path::new("x.yaml"), text.as_bytes(), &mut |_, _| Ok(()))
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    league
}

/// Returns the identity of a league with example versions of its programs.
fn identity(league: League) -> LeagueIdentity {
    let content = |number: usize| BotContent {
        kind: "script".into(),
        bot: "bold".into(),
        path: "libmine.so".into(),
        version: "1.0.0+src.0123456789abcdef".into(),
        hash: [
            "version 1.0.0, rules 1",
            "0123456789abcdef",
            "src.0123456789abcdef",
        ][number % 3]
            .into(),
        file: "fedcba9876543210".into(),
    };
    let contents = (0..league.entrants.len()).map(content).collect();
    LeagueIdentity {
        hattari: "0.0.0".into(),
        ..LeagueIdentity::new(league, contents)
    }
}

/// Returns the options of a preset, with given deals and with luck measurement as far as the game
/// supports them (given deals have no luck).
fn options(facts: &GameInfo, preset: &str) -> Vec<Value> {
    let deals = match facts.name() {
        "bridge" => "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54",
        "daihinmin" => "JK / S2",
        "tanhinmin" => "1 2 / 12",
        "stud" => "As / Ks",
        _ => "AsAh / KsKh",
    };
    let mut given = vec![vec![("deals".to_owned(), json!([deals]))]];
    match facts.name() {
        "bridge" => given.push(vec![("luck".to_owned(), json!("double-dummy"))]),
        "stud" => given[0].push(("balanced".to_owned(), json!(false))),
        _ => {}
    }
    let options = |given: &Vec<(String, Value)>| match facts.apply_overrides(preset, given) {
        Ok(rules) => rules.options,
        Err(error) => panic!("{} {preset}: {error:?}", facts.id),
    };
    given.iter().map(options).collect()
}

fn conditions(words: &mut Words) {
    words.head("conditions: options of every preset");
    let mut games = games::all();
    games.retain(|facts| facts.name() != "highcard");
    games.sort_by_key(|facts| facts.name());
    for facts in games {
        for preset in facts.presets {
            let mut league = league(&format!(
                "game: {}\npreset: {preset}\nseed: 7\nentrants: [a, b, c, d, e]\nformat: {{kind: line-ups, size: {}}}\nblocks: 2\n",
                facts.name(),
                facts.apply_overrides(preset, &[]).unwrap().players.0
            ));
            for options in options(facts, preset) {
                league.options = options;
                words.line(preset, identity(league.clone()).conditions());
            }
        }
        let all = options(facts, facts.presets[0]);
        let all: BTreeMap<_, _> = all
            .iter()
            .flat_map(|options| options.as_object().unwrap())
            .collect();
        for (option, _) in all.into_iter().filter(|(_, value)| value.is_string()) {
            let wrong = [(option.clone(), json!("?"))];
            let outcome = facts.apply_overrides(facts.presets[0], &wrong);
            for problem in outcome.err().unwrap_or_default() {
                if let Some(list) = listed(&problem.message) {
                    words.line(format_args!("{} {option}", facts.name()), list);
                }
            }
        }
    }
    words.head("conditions and versions: settings of a league, entrants of every kind");
    let text = format!(
        "game: daihinmin\nseed: 7\n{ENTRANTS}format: {{kind: line-ups, size: 5}}\nblocks: 2\n{SETTINGS}"
    );
    let identity = identity(league(&text));
    words.line("conditions", identity.conditions());
    identity
        .versions()
        .for_each(|(name, version)| words.line(name, version));
    words.variants::<hattari_agents::table::FaultPolicy>("faults", json!("?"));
}

fn identities(words: &mut Words) {
    words.head("league.identity: data from which a store restores its league");
    let text = format!(
        "game: daihinmin\nseed: 7\n{ENTRANTS}on_error: exclude\nisolation: process\n\
         format: {{kind: line-ups, size: 5, sample: 3, require: [[base, script]]}}\nblocks: 2\n{SETTINGS}{READING}"
    );
    let mut whole = league(&text);
    let last = whole.entrants.last().unwrap().clone();
    whole.excluded = vec![Excluded::new(&last, "it is not there")];
    words.line("identity", write::json(&identity(whole)));
    for format in FORMATS {
        let text = format!(
            "game: holdem\nseed: 7\nentrants: [a, b, c, d]\nformat: {format}\nblocks: 10\n"
        );
        words.line("format", write::json(&league(&text).format));
    }
    // A rule of version 0.2 is read and written unchanged.
    let betting = json!({"rule": {"rule": "betting", "low": -1.0, "high": 1.0, "confidence": 0.95, "grid": 1000}});
    let betting: Sequential = serde_json::from_value(betting).unwrap();
    words.line("sequential", write::json(&betting));
    let text = "game: holdem\nseed: 7\nentrants: [a, b]\nformat: {kind: line-ups, size: 2}\nblocks: 2\n\
                sequential: {rule: sprt, h0: 0, h1: 0.1, sd: 1}\n";
    words.line("sequential", write::json(&league(text).sequential));
    words.variants::<crate::league::Format>("format", json!({"kind": "?"}));
    words.variants::<crate::league::OnError>("on_error", json!("?"));
    words.variants::<crate::league::Correction>("correction", json!("?"));
    words.variants::<hattari_agents::agent::Isolation>("isolation", json!("?"));
    // Modules require the feature `wasm`.
    let kinds = BACKENDS
        .iter()
        .map(|kind| kind.name())
        .filter(|name| *name != "wasm");
    words.line("kinds of bots", kinds.collect::<Vec<_>>().join(", "));
    let protocols = PROTOCOLS.iter().map(|protocol| protocol.handshake.name);
    words.line("protocols", protocols.collect::<Vec<_>>().join(", "));
    words.line("without", super::MISSING_LIMITS_SEPARATOR);
}

fn rows_and_files(words: &mut Words) {
    words.head("rows of records");
    words.variants::<FaultKind>("fault", json!("?"));
    let mut record = Record::new(
        JobId {
            line_up: 1,
            block: 2,
        },
        2,
    );
    record.add_deal(&[300, -300], None);
    record.add_deal(&[-1, 1], Some(&[300, -300]));
    let fault = Fault {
        entrant: 1,
        kind: FaultKind::IllegalAction,
        deal: 1,
        decision: 2,
        message: "words".into(),
    };
    record.add_fault(fault);
    record.forfeits = 2;
    record.digest = 0x0123_4567_89ab_cdef;
    record.luck = vec![5, -5];
    let mut answers = Answers::new(2);
    answers.note(
        0,
        Call::Decision,
        Ok(Some(&Choice {
            action: 3,
            amount: 400,
        })),
    );
    answers.note(
        1,
        Call::ForcedDecision,
        Err(&AgentError::new(FaultKind::Clock, "late").with_scope(FaultScope::Run)),
    );
    let answers = answers.pack();
    let mut bytes = Vec::new();
    let columns = rows::encode(&record, &mut bytes);
    words.line("record", serde_json::to_string(&record).unwrap());
    words.line("blobs", columns.map(|blob| hex(&bytes[blob])).join(" "));
    words.line("luck", hex(&pack(record.luck.iter().copied())));
    words.line(
        "checksum",
        format_args!(
            "{:016x}",
            rows::checksum(9, &record, Some(rows::hash(&answers)))
        ),
    );
    words.line("answers", hex(&answers));
    words.line("layout", schema::LAYOUT);
    let tables = schema::TABLES.lines();
    let tables = tables.map(|line| line.split("--").next().unwrap_or_default().trim());
    let tables: Vec<_> = tables.filter(|line| !line.is_empty()).collect();
    words.line("tables", tables.join(" "));

    words.head("parts of a league, and the names of their stores");
    let pairings = vec![
        Pairing {
            entrants: vec![0, 3],
            blocks: 0..10,
        },
        Pairing {
            entrants: vec![2, 5],
            blocks: 4..5,
        },
    ];
    let parts = [
        Part::WHOLE,
        Part::Shard {
            number: 2,
            count: 3,
        },
        Part::of([0, 1, 2, 7]),
        Part::Pairings(pairings),
    ];
    for part in parts {
        words.line(&part, default_path(Path::new("x.yaml"), &part).display());
    }

    words.head("packs");
    let bot = PackedBot {
        bot: "bold".into(),
        file: Some("files/libmine.so".into()),
        hash: "0123456789abcdef".into(),
        machine: Some("linux x86_64".into()),
    };
    let file = PackedFile {
        path: "files/libmine.so".into(),
        size: 3,
        sha256: "00".into(),
    };
    let bots = [("mine".to_owned(), bot)].into();
    let league = "files/x.yaml".into();
    let manifest = Manifest {
        format: crate::pack::FORMAT,
        hattari: "0.0.0".into(),
        league,
        bots,
        files: vec![file],
    };
    words.line("list", serde_json::to_string(&manifest).unwrap());
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn stored_texts_match_the_golden_file() {
    let mut words = Words(
        "# Texts in stores and packs. If a line changes, stores of users become stale or unreadable: keep the stored word of a renamed type or field\n\
         # (`#[serde(rename = …)]`), or raise the layout or generation and describe the change in CHANGELOG.md.\n"
            .into(),
    );
    conditions(&mut words);
    identities(&mut words);
    rows_and_files(&mut words);
    if env::var_os("UPDATE").is_some() {
        fs::write(GOLDEN, &words.0).unwrap();
    }
    let golden = fs::read_to_string(GOLDEN).unwrap_or_default();
    let (old, new): (Vec<&str>, Vec<&str>) = (golden.lines().collect(), words.0.lines().collect());
    let only = |sign: char, lines: &[&str], others: &[&str]| -> String {
        let lines = lines.iter().filter(|line| !others.contains(line));
        lines.map(|line| format!("{sign} {line}\n")).collect()
    };
    assert!(
        old == new,
        "stored words have changed, which makes stores of users stale:\n{}{}If only a name has changed, keep the stored word (`#[serde(rename = …)]`). If stores \
         have to become stale, say so in CHANGELOG.md and run\n  UPDATE=1 cargo test -p hattari-play --lib stored_format_tests",
        only('-', &old, &new),
        only('+', &new, &old)
    );
}
