//! Measures the cost of hosting: deals per second with one bot at all seats, on one thread and on
//! all, for every game and backend. Also measures the overhead of a call through the C interface,
//! and random playouts of daihinmin without agents.
//!
//! Run with `cargo bench -p hattari`. Words after `--` select rows by game or row name (`cargo
//! bench -p hattari -- lua base`, `cargo bench -p hattari -- holdem`); `--seconds 5` extends the
//! measurement.

use hattari_agents::agent::built_in;
use hattari_agents::agent::script::Script;
use hattari_agents::agent::{self, Isolation};
use hattari_agents::agent::{Agent, AgentFactory};
use hattari_agents::games::{self, GameInfo};
use hattari_agents::record::JobId;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{AnyGame, BlockPlan, FaultPolicy};
use hattari_play::catalogue::{AgentSpec, Catalogue, FoundBot, SearchPath, UnreadFile};
use hattari_play::trust;
use seats::{Open, compiled, game, opener};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

#[path = "agents/calls.rs"]
mod calls;
#[path = "agents/seats.rs"]
mod seats;
#[path = "../../tests/support/mod.rs"]
mod support;

/// A minimal script: it plays the first action, as the built-in reference bot does.
const LEAST: &str = "return { act = function(view, legal) return 1 end }";

/// The bots to measure for a game: compiled bots in the host's process, in separate processes, and
/// as WebAssembly modules.
struct Chosen {
    game: &'static str,
    players: usize,
    bots: &'static [&'static str],
    isolated: &'static [&'static str],
    modules: &'static [&'static str],
}

const CHOSEN: [Chosen; 6] = [
    Chosen {
        game: "daihinmin",
        players: 5,
        bots: &["last", "cautious", "random", "default", "base", "all-k"],
        isolated: &["last", "cautious", "base", "all-k"],
        modules: &["last", "cautious", "base", "all-k"],
    },
    Chosen {
        game: "holdem",
        players: 2,
        bots: &["call", "random", "honest"],
        isolated: &["call", "honest"],
        modules: &[],
    },
    Chosen {
        game: "holdem",
        players: 6,
        bots: &["call", "random", "honest"],
        isolated: &["call", "honest"],
        modules: &[],
    },
    Chosen {
        game: "stud",
        players: 2,
        bots: &["call", "random", "honest"],
        isolated: &["call"],
        modules: &[],
    },
    Chosen {
        game: "bridge",
        players: 4,
        bots: &["random", "cheap"],
        isolated: &["cheap"],
        modules: &[],
    },
    Chosen {
        game: "tanhinmin",
        players: 4,
        bots: &["random", "boss"],
        isolated: &["boss"],
        modules: &[],
    },
];

/// A row of the table.
struct Row {
    name: String,
    open: Open,
}

/// The result of a measurement.
#[derive(Clone, Copy, Default)]
struct Played {
    games: u64,
    decisions: u64,
    /// Total processor time of all threads.
    busy: Duration,
}

fn main() {
    // Trust the project's own libraries.
    trust::set_policy(trust::TrustPolicy::Grant);
    agent::use_program(Path::new(support::PROGRAM));
    let mut arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let mut seconds = 1.0;
    if let Some(at) = arguments
        .iter()
        .position(|argument| argument == "--seconds")
    {
        seconds = arguments
            .get(at + 1)
            .and_then(|value| value.parse().ok())
            .expect("--seconds 2.5");
        arguments.drain(at..=at + 1);
    }
    let wanted = |name: &str| {
        arguments.is_empty() || arguments.iter().any(|word| name.contains(word.as_str()))
    };
    let (time, folder) = (
        Duration::from_secs_f64(seconds),
        tempfile::tempdir().expect("a folder for libraries"),
    );
    let catalogue = catalogue(folder.path());
    for chosen in &CHOSEN {
        measure(chosen, &catalogue, time, &wanted);
    }
    if wanted("playouts") {
        let (playouts, busy) = calls::playouts(time);
        println!(
            "random playouts of daihinmin without agents, one thread: {:.0} per second\n",
            rate(playouts, busy)
        );
    }
    if wanted("call") {
        calls::calls(&catalogue, time);
    }
}

/// Measures the selected rows of one game.
fn measure(chosen: &Chosen, catalogue: &Catalogue, time: Duration, wanted: &dyn Fn(&str) -> bool) {
    let facts = games::named(chosen.game).unwrap();
    let game: &'static dyn AnyGame = Box::leak(game(facts.id, None));
    let whole = wanted(chosen.game);
    let rows: Vec<Row> = rows(facts, game, chosen, catalogue)
        .into_iter()
        .filter(|row| whole || wanted(&row.name))
        .collect();
    if rows.is_empty() {
        return;
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (preset, players) = (facts.presets[0], chosen.players);
    println!(
        "{}, preset {preset}, the same bot at all {players} seats; rates per second of CPU time",
        chosen.game
    );
    let head = |[one, all, decisions, decision, luck]: [&str; 5]| {
        println!(
            "{:<34}{one:>13}{all:>16}{decisions:>16}{decision:>13}{luck:>11}",
            ""
        );
    };
    head([
        "1 thread",
        "all threads",
        "decisions",
        "ns per",
        "to measure",
    ]);
    head([
        "deals/s",
        &format!("({threads}) deals/s"),
        "per deal",
        "decision",
        "luck, %",
    ]);
    for row in &rows {
        let one = play(game, row, players, 1, time, true);
        let all = play(game, row, players, threads, time, true);
        let bare = play(game, row, players, 1, time, false);
        let luck = 100.0 * (1.0 - rate(one.games, one.busy) / rate(bare.games, bare.busy));
        println!(
            "{:<34}{:>13.0}{:>16.0}{:>16.1}{:>13.0}{luck:>11.0}",
            row.name,
            rate(one.games, one.busy),
            rate(all.games, all.busy) * float(threads as u64),
            float(one.decisions) / float(one.games.max(1)),
            one.busy.as_secs_f64() * 1e9 / float(one.decisions.max(1)),
        );
    }
    println!();
}

fn rows(
    facts: &GameInfo,
    game: &'static dyn AnyGame,
    chosen: &Chosen,
    catalogue: &Catalogue,
) -> Vec<Row> {
    let agent = |name: &str, open: Open| Row {
        name: name.to_owned(),
        open,
    };
    let mut rows = vec![
        agent("host's own: first action", Box::new(|| game.first())),
        agent("host's own: random", Box::new(|| game.random())),
    ];
    for name in chosen.bots {
        rows.push(seated(
            format!("compiled: {name}"),
            compiled(catalogue, facts.id, name, Isolation::None),
        ));
    }
    for name in chosen.isolated {
        rows.push(seated(
            format!("compiled, own process: {name}"),
            compiled(catalogue, facts.id, name, Isolation::Process),
        ));
    }
    for name in chosen.modules {
        let Some(factory) = module(catalogue, facts.id, name) else {
            continue;
        };
        rows.push(seated(format!("WebAssembly: {name}"), factory));
    }
    let is_script = |bot: &&FoundBot| bot.kind.name() == "script" && bot.plays(facts.id);
    let scripts: Vec<&FoundBot> = catalogue.bots().iter().filter(is_script).collect();
    if !scripts.is_empty() {
        let least = Script::compile("least.lua", LEAST.as_bytes());
        let least = least.unwrap();
        rows.push(seated("lua: the least".to_owned(), Arc::new(least)));
    }
    for bot in scripts {
        let factory = bot.agent_factory_with(&AgentSpec::default()).unwrap();
        rows.push(seated(format!("lua: {}", bot.name), factory));
    }
    rows
}

fn seated(name: String, factory: Arc<dyn AgentFactory>) -> Row {
    Row {
        name,
        open: opener(factory),
    }
}

/// Finds the project's bots and two C bots that are compiled for the benchmark.
fn catalogue(folder: &Path) -> Catalogue {
    hattari_bots::ALL
        .iter()
        .for_each(|bots| built_in::add(bots));
    for (source, name) in [
        ("tests/plugins/faulty.c", "last"),
        ("bots/c/cautious.c", "cautious"),
    ] {
        let output = folder.join(support::library(name));
        if !output.exists() {
            support::cc(&support::project().join(source), &output, &["-O2"]);
        }
        let output = folder.join(format!("{name}.wasm"));
        support::wasm_cc(&support::project().join(source), &output, &[]).code(0);
    }
    let mut search = SearchPath::default();
    search.add_bots(folder);
    search.add_bots(
        support::project_module()
            .parent()
            .expect("the module is in a folder"),
    );
    search.add_bots(&support::project().join("scripts"));
    Catalogue::discover(&search)
}

/// Returns the bot with this name in one of the modules.
fn module(catalogue: &Catalogue, game: &str, name: &str) -> Option<Arc<dyn AgentFactory>> {
    let in_file = |file: &UnreadFile| {
        catalogue
            .find(
                game,
                &format!("{}#{name}", file.path.display()),
                Path::new(""),
            )
            .ok()
    };
    let found = catalogue.unread_files().iter().find_map(in_file)?;
    Some(found.agent_factory_with(&AgentSpec::default()).unwrap())
}

/// Plays blocks of 100 games on a number of threads for a given time.
fn play(
    game: &dyn AnyGame,
    row: &Row,
    players: usize,
    threads: usize,
    time: Duration,
    luck: bool,
) -> Played {
    let seeds = LineUpSeeds::new(1);
    let plan = BlockPlan {
        deals: 100,
        duplicate: false,
        faults: FaultPolicy::Stop,
        luck,
        ..BlockPlan::default()
    };
    let work = |line_up: u32| {
        let mut table = game.table();
        let mut agents: Vec<Box<dyn Agent>> = (0..players).map(|_| (row.open)()).collect();
        let (mut played, mut start, mut before) = (Played::default(), Instant::now(), busy());
        for block in 0.. {
            let job = JobId { line_up, block };
            let outcome = table.play_block(job, plan, &seeds, &mut agents, &mut ());
            let (record, timing) =
                outcome.unwrap_or_else(|end| panic!("{}: {}", row.name, end.fault().message));
            assert!(
                record.faults.is_empty(),
                "{}: {:?}",
                row.name,
                record.faults
            );
            // The first block is a warm-up.
            if block == 0 {
                (start, before) = (Instant::now(), busy());
                continue;
            }
            played.games += u64::from(record.deals);
            played.decisions += timing.iter().map(|time| time.decisions).sum::<u64>();
            if start.elapsed() >= time {
                break;
            }
        }
        Played {
            busy: busy().saturating_sub(before),
            ..played
        }
    };
    let played = support::on_threads(threads, threads, |number| {
        work(u32::try_from(number).expect("there are few threads"))
    });
    let sum = |a: Played, b: &Played| Played {
        games: a.games + b.games,
        decisions: a.decisions + b.decisions,
        busy: a.busy + b.busy,
    };
    played.iter().fold(Played::default(), sum)
}

/// Returns the processor time of this thread and the worker processes it has started, so that other
/// load is not counted. Falls back to wall-clock time if the system does not report it.
fn busy() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let nanos = |folder: &str| {
        let told = std::fs::read_to_string(format!("/proc/{folder}/schedstat")).ok()?;
        told.split(' ').next()?.parse::<u64>().ok()
    };
    let workers = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    let of_workers: u64 = workers.split_whitespace().filter_map(nanos).sum();
    nanos("thread-self").map_or_else(
        || START.elapsed(),
        |own| Duration::from_nanos(own + of_workers),
    )
}

/// Returns the rate per second of processor time on one thread.
fn rate(count: u64, busy: Duration) -> f64 {
    float(count) / busy.as_secs_f64()
}

fn float(count: u64) -> f64 {
    count as f64
}
