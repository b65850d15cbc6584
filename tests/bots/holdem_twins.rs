//! Tests that the hold'em bots in Lua decide like the compiled ones. At every decision of a
//! compiled bot the script is called as well, and must return the same action and amount.

use crate::support::{own_bot, project};
use hattari::agent::script::Script;
use hattari::agent::{Agent, AgentError, AgentFactory, BlockStart, Observation, Turn};
use hattari::record::JobId;
use hattari::seeds::Chance;
use hattari::table::{BlockPlan, FaultPolicy, Table};
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use hattari_plugin::games::holdem::{Holdem, Options};
use std::cell::RefCell;
use std::rc::Rc;

/// Counts of comparisons.
#[derive(Default)]
struct Compared {
    decisions: u64,
    /// Number of decisions with an amount.
    raises: u64,
}

/// A compiled bot with its Lua twin. The choice of the compiled bot is played.
struct Twins {
    compiled: Box<dyn Agent>,
    script: Box<dyn Agent>,
    compared: Rc<RefCell<Compared>>,
}

impl Agent for Twins {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), AgentError> {
        self.script.block_start(start)?;
        self.compiled.block_start(start)
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), AgentError> {
        self.script.deal_start(seen)?;
        self.compiled.deal_start(seen)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        let script = self.script.act(turn)?;
        let compiled = self.compiled.act(turn)?;
        let mut compared = self.compared.borrow_mut();
        assert_eq!(
            script, compiled,
            "decision {} of all that were compared",
            compared.decisions
        );
        compared.decisions += 1;
        compared.raises += u64::from(compiled.amount != 0);
        Ok(compiled)
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), AgentError> {
        self.script.deal_end(seen, payoffs)?;
        self.compiled.deal_end(seen, payoffs)
    }
}

fn compiled(id: &str, config: &str) -> Box<dyn Agent> {
    own_bot("holdem", id).open(config).unwrap()
}

/// Plays blocks of `id` with this config against others. Returns the counts of comparisons.
fn compare(id: &str, config: &str, options: &Options, others: &[&str], deals: u32) -> Compared {
    let script = Script::load(&project().join(format!("scripts/holdem/{id}-lua.lua"))).unwrap();
    let game = Holdem::new(options.clone()).unwrap();
    let mut table = Table::new(&game);
    let plan = BlockPlan {
        deals,
        duplicate: true,
        faults: FaultPolicy::Substitute,
        ..BlockPlan::default()
    };
    let compared = Rc::new(RefCell::new(Compared::default()));
    let twins = Twins {
        compiled: compiled(id, config),
        script: script.open(config).unwrap(),
        compared: Rc::clone(&compared),
    };
    let mut agents: Vec<Box<dyn Agent>> = vec![Box::new(twins)];
    agents.extend(others.iter().map(|other| compiled(other, "{}")));
    for block in 0..2 {
        let job = JobId { line_up: 0, block };
        let (record, _) = table
            .play_block(job, plan, &Chance::alone(20), &mut agents, &mut ())
            .unwrap();
        assert!(record.faults.is_empty(), "{:?}", record.faults);
    }
    drop(agents);
    Rc::into_inner(compared).unwrap().into_inner()
}

const SIX: [&str; 5] = [
    "call",
    "random",
    "small-bluff",
    "honest",
    "small-bluff-published",
];

#[test]
fn honest_in_lua_decides_like_the_compiled_one() {
    let quick = r#"{"samples": 100, "all_samples": true}"#;
    let heads_up = compare("honest", quick, &Options::default(), &["small-bluff"], 150);
    let six = compare(
        "honest",
        quick,
        &Options::preset("serial").unwrap(),
        &SIX,
        40,
    );
    let other = compare(
        "honest",
        r#"{"samples": 37, "all_samples": true, "exact_max": 50000, "seed": 77}"#,
        &Options::default(),
        &["call"],
        20,
    );
    for compared in [&heads_up, &six, &other] {
        assert!(
            compared.decisions > 100 && compared.raises > 20,
            "{} {}",
            compared.decisions,
            compared.raises
        );
    }
}

#[test]
fn small_bluff_in_lua_decides_like_the_compiled_one() {
    let quick = r#"{"samples": 100, "all_samples": true}"#;
    let heads_up = compare("small-bluff", quick, &Options::default(), &["honest"], 150);
    let bluffing = compare(
        "small-bluff",
        r#"{"samples": 50, "all_samples": true, "bluff": 0.3, "seed": 5}"#,
        &Options::default(),
        &SIX,
        40,
    );
    let capped = compare(
        "small-bluff",
        quick,
        &Options {
            raises_max: 1,
            ..Options::default()
        },
        &SIX[..2],
        60,
    );
    for compared in [&heads_up, &bluffing, &capped] {
        assert!(
            compared.decisions > 100 && compared.raises > 20,
            "{} {}",
            compared.decisions,
            compared.raises
        );
    }
}

#[test]
fn invalid_settings_are_refused() {
    for (id, config, why) in [
        ("honest", r#"{"sampels": 10}"#, "unknown setting 'sampels'"),
        ("honest", r#"{"samples": 0}"#, "at least 1"),
        (
            "honest",
            r#"{"all_samples": false}"#,
            "`all_samples` must be true",
        ),
        (
            "small-bluff",
            r#"{"bluff": 1.5}"#,
            "`bluff` must be a probability",
        ),
    ] {
        let script = Script::load(&project().join(format!("scripts/holdem/{id}-lua.lua"))).unwrap();
        let agent_error = script
            .open(config)
            .err()
            .unwrap_or_else(|| panic!("{config} is refused"));
        assert!(agent_error.message.contains(why), "{}", agent_error.message);
    }
}
