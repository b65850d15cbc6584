//! What hosting costs: games a second with one bot at all seats, on one thread and on all; what a call through the C interface
//! adds; random playouts of the rules alone.
//!
//! `cargo bench -p hattari`; words after `--` choose rows (`cargo bench -p hattari -- lua base`), `--seconds 5` measures longer.

use bytemuck::Zeroable;
use hattari::agent::reference::{First, Random};
use hattari::agent::script::Script;
use hattari::agent::{Agent, BlockStart, Seatable};
use hattari::catalogue::{Catalogue, SearchPath};
use hattari::record::JobId;
use hattari::seeds::{Purpose, Seeds};
use hattari::table::{BlockPlan, FaultPolicy, Table};
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::{Action, Daihinmin, Event, PLAYERS, View};
use hattari_plugin::games::{Game, GameTypes, Grant, chance};
use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

#[path = "../../tests/support/mod.rs"]
mod support;

/// The least that a script can be.
const LEAST: &str = "return { act = function(view, legal) return #legal end }";

/// Opens an agent on the thread that plays it.
type Open = Box<dyn Fn() -> Box<dyn Agent> + Send + Sync>;

/// What one row of the table plays.
struct Row {
    name: String,
    open: Open,
}

/// What came of a time of play.
#[derive(Clone, Copy, Default)]
struct Played {
    games: u64,
    decisions: u64,
    /// Processor time of all threads together.
    busy: Duration,
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let mut seconds = 1.0;
    if let Some(at) = arguments.iter().position(|argument| argument == "--seconds") {
        seconds = arguments.get(at + 1).and_then(|value| value.parse().ok()).expect("--seconds 2.5");
        arguments.drain(at..=at + 1);
    }
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|word| name.contains(word.as_str()));
    let (time, folder) = (Duration::from_secs_f64(seconds), tempfile::tempdir().expect("a folder for libraries"));
    let game = Daihinmin::new(<Daihinmin as Game>::Options::default()).expect("the default rules");
    let threads = thread::available_parallelism().map_or(1, usize::from);

    println!("daihinmin, preset uecda, the same bot at all seats, blocks of 100 games; by processor time");
    println!("{:<34}{:>13}{:>16}{:>16}{:>13}", "", "1 thread", "all threads", "decisions", "ns of a");
    println!("{:<34}{:>13}{:>16}{:>16}{:>13}", "", "games/s", format!("({threads}) games/s"), "of a game", "decision");
    for row in rows(folder.path()).into_iter().filter(|row| wanted(&row.name)) {
        let one = play(&game, &row, 1, time);
        let all = play(&game, &row, threads, time);
        println!(
            "{:<34}{:>13.0}{:>16.0}{:>16.1}{:>13.0}",
            row.name,
            rate(one.games, one.busy),
            rate(all.games, all.busy) * float(threads as u64),
            float(one.decisions) / float(one.games.max(1)),
            one.busy.as_secs_f64() * 1e9 / float(one.decisions.max(1)),
        );
    }
    if wanted("playouts") {
        let (playouts, busy) = playouts(&game, time);
        println!("\nrandom playouts of the rules alone, one thread: {:.0} a second", rate(playouts, busy));
    }
    if wanted("call") {
        calls(folder.path(), time);
    }
}

fn rows(folder: &Path) -> Vec<Row> {
    let agent = |name: &str, open: Open| Row { name: name.to_owned(), open };
    let mut rows = vec![
        agent("host's own: first action", Box::new(|| Box::new(First::<Daihinmin>::default()))),
        agent("host's own: random", Box::new(|| Box::new(Random::<Daihinmin>::default()))),
    ];
    let catalogue = catalogue(folder);
    for (kind, name) in [
        ("C", "last"),
        ("C", "cautious"),
        ("compiled", "random"),
        ("compiled", "default"),
        ("compiled", "base"),
        ("compiled", "all-k"),
    ] {
        rows.push(seated(format!("{kind}: {name}"), find(&catalogue, name)));
    }
    let least = Script::compile("least.lua", LEAST.as_bytes()).unwrap_or_else(|misstep| panic!("{}", misstep.message));
    rows.push(seated("lua: the least".to_owned(), Arc::new(least)));
    let is_script = |bot: &&hattari::catalogue::Found| bot.kind == hattari::catalogue::Kind::Script;
    for bot in catalogue.bots().iter().filter(is_script).filter(|bot| bot.plays(Daihinmin::ID)) {
        let seatable = bot.seat().unwrap_or_else(|misstep| panic!("{}", misstep.message));
        rows.push(seated(format!("lua: {}", bot.name), seatable));
    }
    rows
}

fn seated(name: String, seatable: Arc<dyn Seatable>) -> Row {
    let open = move || seatable.open("{}").unwrap_or_else(|misstep| panic!("{}", misstep.message));
    Row { name, open: Box::new(open) }
}

/// The project's bots, and two in C that are built for the bench.
fn catalogue(folder: &Path) -> Catalogue {
    let bots = support::project_bots().parent().expect("a folder").to_owned();
    for (source, name) in [("tests/plugins/faulty.c", "last"), ("bots/c/cautious.c", "cautious")] {
        let output = folder.join(support::library(name));
        if !output.exists() {
            support::cc(&support::project().join(source), &output, &["-O2"]);
        }
    }
    let mut search = SearchPath::default();
    search.add_bots(folder);
    search.add_bots(&bots);
    search.add_bots(&support::project().join("scripts"));
    Catalogue::discover(&search)
}

fn find(catalogue: &Catalogue, name: &str) -> Arc<dyn Seatable> {
    let compiled = catalogue.bots().iter().find(|bot| bot.name == name).unwrap_or_else(|| panic!("no bot {name}"));
    compiled.seat().unwrap_or_else(|misstep| panic!("{}", misstep.message))
}

/// Plays blocks on so many threads for a while.
fn play(game: &Daihinmin, row: &Row, threads: usize, time: Duration) -> Played {
    let seeds = Seeds::league(1);
    let plan = BlockPlan { deals: 100, duplicate: false, same_deals: false, faults: FaultPolicy::Stop, budget_us: 0 };
    let work = |line_up: u32| {
        let mut table = Table::new(game);
        let mut agents: Vec<Box<dyn Agent>> = (0..PLAYERS).map(|_| (row.open)()).collect();
        let (mut played, mut start, mut before) = (Played::default(), Instant::now(), busy());
        for block in 0.. {
            let job = JobId { line_up, block };
            let outcome = table.play_block(job, plan, &seeds, &mut agents, &mut ());
            let (record, timing) = outcome.unwrap_or_else(|stopped| panic!("{}: {}", row.name, stopped.0.message));
            // The first block warms up.
            if block == 0 {
                (start, before) = (Instant::now(), busy());
                continue;
            }
            played.games += u64::from(record.deals);
            played.decisions += timing.decisions.iter().sum::<u64>();
            if start.elapsed() >= time {
                break;
            }
        }
        Played { busy: busy().saturating_sub(before), ..played }
    };
    let played: Vec<Played> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|number| scope.spawn(move || work(u32::try_from(number).expect("a handful of threads"))))
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker that ends well")).collect()
    });
    let sum = |a: Played, b: &Played| Played {
        games: a.games + b.games,
        decisions: a.decisions + b.decisions,
        busy: a.busy + b.busy,
    };
    played.iter().fold(Played::default(), sum)
}

/// Plays deals of the rules alone, every action drawn.
fn playouts(game: &Daihinmin, time: Duration) -> (u64, Duration) {
    let deals = Seeds::league(1).purpose(Purpose::Deals);
    let (mut deal, mut actions) = (game.new_deal(), Vec::new());
    let mut payoffs = [0; PLAYERS];
    let (mut count, start, before) = (0, Instant::now(), busy());
    while start.elapsed() < time {
        let mut block = game.new_block(PLAYERS, 100);
        for _ in 0..100 {
            let mut chance = deals.stream(count);
            game.deal(&mut block, &mut chance, &mut deal);
            while game.to_act(&deal).is_some() {
                game.legal(&deal, &mut actions);
                let index = chance::below(&mut chance, u32::try_from(actions.len()).expect("few actions"));
                game.apply(&mut deal, Grant { action: actions[index as usize], amount: 0 });
            }
            game.finish(&mut block, &deal, &mut payoffs);
            count += 1;
        }
    }
    (count, busy().saturating_sub(before))
}

/// Prints what a call of `act` costs for a bot that does nothing, by each way of hosting.
fn calls(folder: &Path, time: Duration) {
    let (view, actions) = (View::zeroed(), [Action::zeroed(); 8]);
    let decision = abi::Decision {
        struct_size: abi::struct_size::<abi::Decision>(),
        view_size: abi::struct_size::<View>(),
        view: std::ptr::from_ref(&view).cast(),
        history: std::ptr::null(),
        actions: actions.as_ptr().cast(),
        history_count: 0,
        history_stride: abi::struct_size::<Event>(),
        action_count: 8,
        action_stride: abi::struct_size::<Action>(),
        budget_us: 0,
    };
    let timed = abi::Decision { budget_us: 1_000_000, ..decision };
    let last = find(&catalogue(folder), "last").open("{}").unwrap_or_else(|misstep| panic!("{}", misstep.message));
    println!("\na call of a bot that does nothing, one thread:");
    let rows: [(&str, Box<dyn Agent>, &abi::Decision); 3] = [
        ("in the host", Box::new(First::<Daihinmin>::default()), &decision),
        ("through the C interface", last, &decision),
        ("the same with a time limit", find(&catalogue(folder), "last").open("{}").expect("opened before"), &timed),
    ];
    for (name, mut agent, decision) in rows {
        let start = BlockStart { game: Daihinmin::ID, options_json: "{}", players: 5, player: 0, deals: 1, seed: 1 };
        agent.block_start(&start).unwrap_or_else(|misstep| panic!("{}", misstep.message));
        let (mut calls, start, before) = (0_u64, Instant::now(), busy());
        while start.elapsed() < time {
            for _ in 0..100_000 {
                black_box(agent.act(black_box(decision))).unwrap_or_else(|misstep| panic!("{}", misstep.message));
            }
            calls += 100_000;
        }
        println!("{name:<34}{:>13.2} ns", busy().saturating_sub(before).as_secs_f64() * 1e9 / float(calls));
    }
}

/// Processor time of this thread so far, so that what else the machine does is not counted; the time of day where the system
/// does not tell.
fn busy() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// So many a second on one thread.
fn rate(count: u64, busy: Duration) -> f64 {
    float(count) / busy.as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn float(count: u64) -> f64 {
    count as f64
}
