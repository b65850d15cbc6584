//! Costs of library functions: no call takes longer than its steps allow, whatever its arguments.
//! `costs.txt` lists the calls.

use super::table::play_block;
use hattari_agents::agent::output::{self, OutputCapture};
use hattari_agents::agent::reference::First;
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{Agent, AgentFactory};
use hattari_agents::record::{Fault, FaultKind};
use hattari_agents::table::{BlockPlan, FaultPolicy};
use hattari_plugin::games::bridge::Bridge;
use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_plugin::games::holdem::Holdem;
use hattari_plugin::games::stud::Stud;
use hattari_plugin::games::tanhinmin::Tanhinmin;
use hattari_plugin::games::{Game, GameTypes};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// Number of steps per decision in these tests, a tenth of a league's.
const STEPS: u32 = 100_000;
/// Maximum processor time per step, so that a decision with a league's 1,000,000 steps ends within
/// two seconds. A build with checks, running beside other tests with the same caches, gets twice as
/// much.
const STEP_MAX: Duration = Duration::from_micros(if cfg!(debug_assertions) { 4 } else { 2 });

/// Returns the sections of `costs.txt`. The first contains the preparations.
fn sections() -> impl Iterator<Item = &'static str> {
    let (_, sections) = include_str!("costs.txt").split_once("\n== ").unwrap();
    sections.split("\n== ")
}

/// Returns the source of a preparation.
fn preparation(name: &str) -> &'static str {
    let lines = sections().next().unwrap().lines();
    let parts = lines.filter_map(|line| line.split_once(" |"));
    let found = parts.into_iter().find(|(other, _)| *other == name);
    found.expect(name).1
}

/// A call: the function with its library, the preparation, and the source.
struct Case {
    function: String,
    preparation: &'static str,
    call: String,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for section in sections().skip(1) {
        let (library, lines) = section.split_once('\n').unwrap();
        for line in lines.lines() {
            let [name, preparation, call] = line
                .splitn(3, " | ")
                .collect::<Vec<_>>()
                .try_into()
                .expect(line);
            let function = if library == "globals" {
                name.to_owned()
            } else {
                format!("{library}.{name}")
            };
            let call = call.replace("F(", &format!("{function}("));
            cases.push(Case {
                function,
                preparation,
                call,
            });
        }
    }
    cases
}

/// Returns the script of a case. `is_caught` is true to catch errors of its calls.
fn source(case: &Case, is_caught: bool) -> String {
    let prepared = preparation(case.preparation).replace('@', &"1".repeat(100_000));
    let call = &case.call;
    let call = if is_caught {
        format!("pcall(function(...) {call} end, ...)")
    } else {
        call.clone()
    };
    format!(
        "local args = {{}} {prepared} local function run(...) while true do {call} end end
        return {{ act = function(view, legal) run(table.unpack(args)) return 1 end }}"
    )
}

/// Plays until the first fault. Returns the fault and the processor time used.
fn play<G: Game + 'static>(source: &str, players: usize, steps: u32) -> (Option<Fault>, Duration) {
    let limits = ScriptLimits {
        steps,
        ..ScriptLimits::default()
    };
    let script = Script::compile("costs.lua", source.as_bytes()).unwrap();
    let script = script.with_limits(limits).in_game(G::ID);
    // In the other games another seat could end the deal before the script decides.
    let seats = if G::ID == Daihinmin::ID { 1 } else { players };
    let agents = (0..seats)
        .map(|_| {
            script
                .open("{}")
                .unwrap_or_else(|agent_error| panic!("{source:.300}: {}", agent_error.message))
        })
        .collect();
    let start = clock();
    let fault = first_fault::<G>(agents, players);
    (fault, clock() - start)
}

/// Returns the processor time of this thread.
fn clock() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap(),
    )
}

/// Plays a deal until the first fault. Seats without an agent play the first action.
fn first_fault<G: Game + 'static>(
    mut agents: Vec<Box<dyn Agent>>,
    players: usize,
) -> Option<Fault> {
    agents.resize_with(players, || Box::new(First::<G>::default()));
    let plan = BlockPlan {
        deals: 1,
        faults: FaultPolicy::Forfeit,
        ..BlockPlan::default()
    };
    let record = play_block::<G>(G::Options::default(), plan, (0, 1), &mut agents);
    record.faults.into_iter().next()
}

/// Plays in the game whose library contains the function.
fn play_where(function: &str, source: &str, steps: u32) -> (Option<Fault>, Duration) {
    match function.split_once('.') {
        Some(("double_dummy", _)) => play::<Bridge>(source, 4, steps),
        Some(("poker", _)) => play::<Holdem>(source, 2, steps),
        _ => play::<Daihinmin>(source, 5, steps),
    }
}

/// Returns the names of all functions that a script can reach by name in one game.
fn functions<G: Game + 'static>(players: usize) -> BTreeSet<String> {
    let source = "
        local function tell(library, before)
            for name, value in library do
                if type(value) == 'function' then print(before .. name) end
                if type(value) == 'table' and value ~= library then tell(value, before .. name .. '.') end
            end
        end
        local all = _G._G or getmetatable(_G).__index
        local told = false
        return { act = function() if not told then told = true tell(all, '') end return 1 end }";
    let _listener = OutputCapture::begin();
    play::<G>(source, players, 1_000_000);
    let lines = output::take();
    assert!(
        lines.iter().all(|line| !line.contains("further lines")),
        "{lines:?}"
    );
    lines.into_iter().collect()
}

#[test]
fn every_function_costs_steps_for_all_arguments() {
    let mut reached = functions::<Daihinmin>(5);
    reached.append(&mut functions::<Tanhinmin>(2));
    reached.append(&mut functions::<Holdem>(2));
    reached.append(&mut functions::<Stud>(2));
    reached.append(&mut functions::<Bridge>(4));
    let cases = cases();
    let covered: BTreeSet<String> = cases.iter().map(|case| case.function.clone()).collect();
    let missing: Vec<_> = reached.symmetric_difference(&covered).collect();
    assert!(
        missing.is_empty(),
        "functions without a line in costs.txt, or lines without a function: {missing:?}"
    );
    let mut wrong = String::new();
    for case in &cases {
        let play = |is_caught| play_where(&case.function, &source(case, is_caught), STEPS);
        let (mut fault, mut took) = play(false);
        if fault
            .as_ref()
            .is_some_and(|fault| fault.kind == FaultKind::Error)
        {
            assert!(
                took < STEP_MAX * STEPS,
                "{} | {} | {}: {took:?} up to an error",
                case.function,
                case.preparation,
                case.call
            );
            (fault, took) = play(true);
        }
        let fault = fault.map_or_else(
            || "no fault".to_owned(),
            |fault| format!("{:?} {}", fault.kind, fault.message),
        );
        let is_limit = fault.starts_with("Time") || fault.starts_with("Memory");
        if took > STEP_MAX * STEPS || !is_limit {
            writeln!(
                wrong,
                "{} | {} | {}: {took:?}, {fault:.200}",
                case.function, case.preparation, case.call
            )
            .unwrap();
        }
        if std::env::var_os("SHOW_COSTS").is_some() {
            println!(
                "{:>9.0} ns/step  {} | {} | {}: {fault:.60}",
                took.as_nanos() as f64 / f64::from(STEPS),
                case.function,
                case.preparation,
                case.call
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A script that exhausts its budget has a fault within [`STEP_MAX`] times the number of steps of a
/// decision.
#[test]
fn expensive_scripts_exhaust_their_steps_in_time() {
    let most = STEP_MAX * 1_000_000;
    let (_, scripts) = include_str!("dear.txt").split_once("\n== ").unwrap();
    let mut wrong = String::new();
    for script in scripts.split("\n== ") {
        let (head, body) = script.split_once('\n').unwrap();
        let (name, outcome) = head.split_once(": ").unwrap();
        let body = body
            .replace('@', &"1".repeat(240_000))
            .replace('~', &"x = x * 3 % 7 ".repeat(15_000));
        let start = clock();
        let opened =
            Script::compile("dear.lua", body.as_bytes()).and_then(|script| script.open("{}"));
        let (to_open, start) = (clock() - start, clock());
        let (came, message) = match opened {
            Err(agent_error) => (FaultKind::Start, agent_error.message),
            Ok(agent) => match first_fault::<Daihinmin>(vec![agent], 5) {
                Some(fault) => (fault.kind, fault.message),
                None => (FaultKind::Refused, "it plays".to_owned()),
            },
        };
        let took = to_open.max(clock() - start);
        let is_right = match outcome {
            "steps" => came == FaultKind::Time && message.starts_with("more than 1000000 steps"),
            "memory" => came == FaultKind::Memory,
            "start" => came == FaultKind::Start && message.starts_with("more than 10000000 steps"),
            "error" => came == FaultKind::Error,
            "plays" => came == FaultKind::Refused,
            other => panic!("{other}"),
        };
        if !is_right || took > most {
            writeln!(wrong, "{name}: {outcome} is expected within {most:?}, after {took:?} came {came:?} {message:.200}")
                .unwrap();
        }
        if std::env::var_os("SHOW_COSTS").is_some() {
            println!("{took:>10.2?} {name} {came:?} {message:.80}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Operators have no function that could charge steps, so each of their steps counts more.
#[test]
fn operators_cost_steps_for_all_operands() {
    for (preparation, call) in [
        ("text", "local x = s + 0"),
        ("text", "local x = s < u"),
        ("text", "local x = s .. 'x'"),
        ("text", "local x = -s"),
        ("fraction", "local x = s + 0"),
        ("list", "local x = #t"),
        ("holes", "for _ in t do end"),
        ("holes", "for _ in pairs(t) do end"),
        ("hash", "table.clear(t) for _ in t do end"),
        ("hash", "t[{}] = 1 t[next(t)] = nil"),
        ("text", "pcall(function() return view[s] end)"),
        ("args", "local x = { ... }"),
        ("args", "(function(...) return ... end)(...)"),
        ("args", "local function f() end f(...)"),
    ] {
        let case = Case {
            function: String::new(),
            preparation,
            call: call.to_owned(),
        };
        let source = source(&case, false).replace(
            "act = function(view, legal) run",
            "act = function(now, legal) view = now run",
        );
        let (fault, took) = play::<Daihinmin>(&source, 5, STEPS);
        let fault = fault.unwrap_or_else(|| panic!("{call}"));
        assert!(
            matches!(fault.kind, FaultKind::Time | FaultKind::Memory),
            "{call}: {}",
            fault.message
        );
        assert!(took < STEP_MAX * STEPS, "{call}: {took:?}");
    }
}
