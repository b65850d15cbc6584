//! The workloads. Each is prepared in its own process; only its last step is counted.

use super::seats::{Open, compiled, game, opener};
use super::support;
use hattari_agents::agent::{self, Agent, Isolation, built_in};
use hattari_agents::record::JobId;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, FaultPolicy};
use hattari_double_dummy::{Position, Side, Solver, Strain, Suit};
use hattari_play::catalogue::{AgentSpec, Catalogue, FoundBot, SearchPath};
use hattari_play::plan::plan;
use hattari_play::store::{LeagueSource, Store, StoreWriter};
use hattari_play::trust;
use hattari_report::report::{Report, ReportFormat};
use hattari_report::standings::{ReportOptions, of_store};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{env, fs};

/// Source of the bot that is compiled for the gate, in the project folder.
const IN_C: &str = "bots/c/cautious.c";

/// Name of the program that compiles modules, in the folder of a workload.
const COMPILER: &str = "compiler";

/// The work to count, after its preparation.
pub(crate) type Work = Box<dyn FnMut()>;

/// A fixed amount of work whose cost the gate counts.
pub(crate) struct Workload {
    /// Name, used by filters and `gate.json`.
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// Plays a block with the same bot at all seats.
    Play {
        game: &'static str,
        preset: Option<&'static str>,
        players: usize,
        bot: Bot,
        deals: u32,
    },
    /// Computes double-dummy scores of all cards in random positions.
    DoubleDummy,
    /// Works on the store of a league, of which one of `parts` shards is played.
    Store {
        league: fn() -> String,
        parts: u32,
        work: fn(&Path) -> Work,
    },
}

#[derive(Clone, Copy)]
enum Bot {
    Compiled(&'static str),
    Script(&'static str),
    /// `bots/c/cautious.c` as a library in a separate process. The work of that process is not
    /// counted, so the choice of the bot does not matter.
    Process,
    /// `bots/c/cautious.c` as a WebAssembly module.
    Wasm,
}

const fn play(
    name: &'static str,
    game: &'static str,
    players: usize,
    bot: Bot,
    deals: u32,
) -> Workload {
    Workload {
        name,
        kind: Kind::Play {
            game,
            preset: None,
            players,
            bot,
            deals,
        },
    }
}

const fn store(
    name: &'static str,
    league: fn() -> String,
    parts: u32,
    work: fn(&Path) -> Work,
) -> Workload {
    Workload {
        name,
        kind: Kind::Store {
            league,
            parts,
            work,
        },
    }
}

/// All workloads. Each takes callgrind a few seconds.
pub(crate) const ALL: [Workload; 13] = [
    store("report-50", challengers, 1, report),
    play("lua-styles", "daihinmin", 5, Bot::Script("styles"), 50),
    play("daihinmin", "daihinmin", 5, Bot::Compiled("base"), 5_000),
    play("holdem-2", "holdem", 2, Bot::Compiled("call"), 20_000),
    play("holdem-6", "holdem", 6, Bot::Compiled("call"), 8_000),
    Workload {
        name: "bridge-3nt",
        kind: Kind::Play {
            game: "bridge",
            preset: Some("3nt"),
            players: 4,
            bot: Bot::Compiled("random"),
            deals: 1_000,
        },
    },
    play("tanhinmin", "tanhinmin", 4, Bot::Compiled("random"), 20_000),
    play("lua-minimal", "daihinmin", 5, Bot::Script("minimal"), 100),
    play("process", "daihinmin", 5, Bot::Process, 500),
    play("wasm", "daihinmin", 5, Bot::Wasm, 500),
    Workload {
        name: "double-dummy-10",
        kind: Kind::DoubleDummy,
    },
    store("plan-sequential", sequential, 4, plan_units),
    store("open-store", many_blocks, 1, open),
];

/// Writes a program that compiles modules for the processor that valgrind emulates. Code that uses
/// other features would be rejected.
fn write_compiler(file: &Path) {
    let valgrind = env::var_os("PATH").and_then(|path| {
        env::split_paths(&path)
            .map(|folder| folder.join("valgrind"))
            .find(|file| file.is_file())
    });
    let valgrind = valgrind.expect("valgrind is installed");
    let text = format!(
        "#!/bin/sh\nexec {} --tool=none --quiet {} \"$@\"\n",
        valgrind.display(),
        support::PROGRAM
    );
    fs::write(file, text).expect("the folder is writable");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(file, mode).expect("the file can be changed");
}

impl Workload {
    /// Returns `true` if the workload plays deals.
    pub(crate) fn is_play(&self) -> bool {
        matches!(self.kind, Kind::Play { .. })
    }

    /// Writes the input files of the workload to `folder`. Not run under callgrind.
    pub(crate) fn stage(&self, folder: &Path) {
        match self.kind {
            Kind::Store { league, parts, .. } => {
                fs::write(folder.join("league.yaml"), league()).expect("the folder is writable");
                let shard = format!("1/{parts}");
                let run = [
                    "run",
                    "league.yaml",
                    "--jobs",
                    "1",
                    "--restart",
                    "--no-report",
                    "--quiet",
                    "--shard",
                    &shard,
                ];
                support::hattari(folder, [&run[..], &["--store", "league.sqlite"]].concat())
                    .code(0);
            }
            Kind::Play {
                bot: Bot::Process, ..
            } => {
                let library = folder.join(support::library("cautious"));
                support::cc(&support::project().join(IN_C), &library, &["-O2"]);
            }
            Kind::Play { bot: Bot::Wasm, .. } => {
                write_compiler(&folder.join(COMPILER));
                let module = folder.join("cautious.wasm");
                support::wasm_cc(&support::project().join(IN_C), &module, &[]).code(0);
            }
            Kind::Play { .. } | Kind::DoubleDummy => {}
        }
    }

    /// Prepares the work; a workload that plays deals gets `percent` of its usual size.
    pub(crate) fn prepare(&self, folder: &Path, percent: u32) -> Work {
        match self.kind {
            Kind::Play {
                game,
                preset,
                players,
                bot,
                deals,
            } => prepare_play(game, preset, players, (bot, folder), deals * percent / 100),
            Kind::DoubleDummy => prepare_double_dummy(),
            Kind::Store { work, .. } => work(folder),
        }
    }
}

fn prepare_play(
    name: &str,
    preset: Option<&str>,
    players: usize,
    (bot, folder): (Bot, &Path),
    deals: u32,
) -> Work {
    // Trust the project's own bots in this process.
    trust::set_policy(trust::TrustPolicy::Grant);
    hattari_bots::ALL
        .iter()
        .for_each(|bots| built_in::add(bots));
    let game = &*Box::leak(game(name, preset));
    let open = opener_of(game.id(), bot, folder);
    let mut agents: Vec<Box<dyn Agent>> = (0..players).map(|_| open()).collect();
    let (mut table, seeds) = (game.table(), LineUpSeeds::new(1));
    let mut play = move |block, deals| {
        let plan = BlockPlan {
            deals,
            duplicate: false,
            faults: FaultPolicy::Stop,
            luck: true,
            ..BlockPlan::default()
        };
        let outcome = table.play_block(
            JobId { line_up: 0, block },
            plan,
            &seeds,
            &mut agents,
            &mut (),
        );
        let (record, _) = outcome.unwrap();
        assert!(record.faults.is_empty(), "{:?}", record.faults);
    };
    // Tables that are computed at their first use are not counted.
    play(0, 10);
    Box::new(move || play(1, deals))
}

/// Returns a function that opens a bot; `folder` contains the files written by [`Workload::stage`].
fn opener_of(game: &str, bot: Bot, folder: &Path) -> Open {
    let mut search = SearchPath::default();
    search.add_bots(&support::project().join("scripts"));
    let catalogue = Catalogue::discover(&search);
    let file = |name: &str| {
        let path = folder.join(name).display().to_string();
        catalogue
            .find(game, &path, Path::new(""))
            .expect("the bot has been compiled")
    };
    let found = match bot {
        Bot::Compiled(name) => return opener(compiled(&catalogue, game, name, Isolation::None)),
        Bot::Script(name) => {
            let is_it = |bot: &&FoundBot| {
                bot.name == name && bot.kind.name() == "script" && bot.plays(game)
            };
            catalogue
                .bots()
                .iter()
                .find(is_it)
                .expect("the project contains the script")
                .clone()
        }
        Bot::Process => {
            agent::use_program(Path::new(support::PROGRAM));
            file(&support::library("cautious"))
        }
        Bot::Wasm => {
            agent::use_program(&folder.join(COMPILER));
            file("cautious.wasm")
        }
    };
    let seat = found.agent_factory_with(&AgentSpec::default());
    opener(seat.unwrap())
}

fn prepare_double_dummy() -> Work {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut positions: Vec<Position> = Vec::new();
    for strain in [Strain::NoTrump, Strain::Trump(Suit::Spades)] {
        positions
            .extend((0..20).map(|_| super::positions::random_position(&mut rng, 10, 4, strain, 0)));
    }
    let mut solver = Solver::default();
    Box::new(move || {
        for position in &positions {
            black_box(solver.tricks_by_card(position, Side::NorthSouth));
        }
    })
}

/// Returns a league of heads-up hold'em. All entrants, e0 to the last, are `random`.
fn league(entrants: usize, rest: &str) -> String {
    let names: Vec<String> = (0..entrants)
        .map(|n| format!("{{name: e{n}, bot: random}}"))
        .collect();
    format!(
        "game: holdem\nseed: 1\nisolation: none\ndeals: 4\nentrants: [{}]\n{rest}\n",
        names.join(", ")
    )
}

/// Returns a league of 49 challengers against one more entrant. A round robin has 1,225 line-ups,
/// whose tests would take callgrind a minute.
fn challengers() -> String {
    let challengers: Vec<String> = (0..49).map(|n| format!("e{n}")).collect();
    let challengers = challengers.join(", ");
    league(
        50,
        &format!(
            "format: {{kind: challenge, challengers: [{challengers}], field: [e49]}}\nblocks: 8"
        ),
    )
}

/// Returns a league of 10,005 blocks.
fn many_blocks() -> String {
    league(30, "format: {kind: line-ups, size: 2}\nblocks: 23")
}

/// Returns a league of 780 comparisons that stop independently.
fn sequential() -> String {
    let rule = "sequential: {rule: confidence-sequence, confidence: 0.95, precision: 0.01}";
    league(
        40,
        &format!("format: {{kind: line-ups, size: 2}}\nblocks: 100\n{rule}"),
    )
}

fn read(folder: &Path) -> Store {
    Store::read(&folder.join("league.sqlite")).unwrap()
}

fn report(folder: &Path) -> Work {
    let folder = folder.to_owned();
    Box::new(move || {
        let (standings, samples) =
            of_store(&read(&folder), None, &ReportOptions::default()).expect("standings");
        let report = Report {
            standings: &standings,
            samples: &samples,
            replays: None,
        };
        report
            .write(
                ReportFormat::Markdown,
                Some(&folder.join("report.md")),
                false,
            )
            .expect("a report");
    })
}

fn plan_units(folder: &Path) -> Work {
    let folder = folder.to_owned();
    Box::new(move || {
        let store = read(&folder);
        let plan = plan(store.league(), Some(&store), 100).unwrap();
        assert!(
            plan.open != 0 && plan.played != 0,
            "a league that is partly played: {plan:?}"
        );
    })
}

fn open(folder: &Path) -> Work {
    let (folder, identity) = (folder.to_owned(), read(folder).identity.clone());
    Box::new(move || {
        let source = LeagueSource {
            file: folder.join("league.yaml"),
            text: many_blocks(),
        };
        let (writer, _) =
            StoreWriter::open(&folder.join("league.sqlite"), &identity, &source).unwrap();
        black_box(&writer);
    })
}
