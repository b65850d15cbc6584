//! Tests that bots in Lua decide like the compiled ones. At every decision of a compiled bot the
//! script is called as well, and must return the same action and amount.

use crate::support::{own_bot, project};
use hattari_agents::agent::script::Script;
use hattari_agents::agent::{Agent, AgentError, AgentFactory, Notice, Turn};
use hattari_agents::record::JobId;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, Decider, FaultPolicy, Table, TakenStep, TypedObserver};
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{self, Action, Daihinmin, kind};
use hattari_plugin::games::holdem::{self, Holdem};
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
    name: String,
    compiled: Box<dyn Agent>,
    script: Box<dyn Agent>,
    compared: Rc<RefCell<Compared>>,
}

impl Agent for Twins {
    fn notify(&mut self, notice: &Notice<'_>) -> Result<(), AgentError> {
        self.script.notify(notice)?;
        self.compiled.notify(notice)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        let script = self.script.act(turn)?;
        let compiled = self.compiled.act(turn)?;
        let mut compared = self.compared.borrow_mut();
        let number = compared.decisions;
        assert_eq!(script, compiled, "{}, decision {number}", self.name);
        compared.decisions += 1;
        compared.raises += u64::from(compiled.amount != 0);
        Ok(compiled)
    }
}

/// Plays two blocks of a bot with its config and its twin against each of the line-ups. Returns the
/// counts of comparisons.
fn compare<G: Game + 'static>(
    script: &str,
    (id, config): (&str, &str),
    options: G::Options,
    line_ups: &[&[&str]],
    (deals, duplicate): (u32, bool),
    observer: &mut impl TypedObserver<G>,
) -> Compared {
    let script = Script::load(&project().join(script)).unwrap();
    let name = G::ID.split('/').next().unwrap();
    let compiled = |id: &str, config: &str| own_bot(name, id).open(config).unwrap();
    let game = G::new(options).unwrap();
    let mut table = Table::new(&game);
    let plan = BlockPlan {
        deals,
        duplicate,
        faults: FaultPolicy::Substitute,
        ..BlockPlan::default()
    };
    let compared = Rc::default();
    for (line_up, others) in (0..).zip(line_ups) {
        let twins = Twins {
            name: format!("{id} with {others:?}"),
            compiled: compiled(id, config),
            script: script.open(config).unwrap(),
            compared: Rc::clone(&compared),
        };
        let mut agents: Vec<Box<dyn Agent>> = vec![Box::new(twins)];
        agents.extend(others.iter().map(|other| compiled(other, "{}")));
        for block in 0..2 {
            let job = JobId { line_up, block };
            let (record, _) = table
                .play_block(job, plan, &LineUpSeeds::new(20), &mut agents, observer)
                .unwrap();
            assert!(record.faults.is_empty(), "{:?}", record.faults);
        }
    }
    compared.take()
}

const STYLES: &str = "scripts/daihinmin/styles.lua";

/// Counts of the gifts and sequences of entrant 0, the twins.
#[derive(Default)]
struct Counts {
    gifts: u64,
    sequences: u64,
}

impl TypedObserver<Daihinmin> for Counts {
    fn acted(
        &mut self,
        _: &Daihinmin,
        _: &<Daihinmin as Game>::Deal,
        step: &TakenStep<'_, Daihinmin>,
    ) {
        if step.entrant != 0 || step.decider != Decider::Bot {
            return;
        }
        let Action { kind, .. } = step.choice.action;
        self.gifts += u64::from(kind == kind::GIVE);
        self.sequences += u64::from(kind == kind::SEQUENCE);
    }
}

#[test]
fn all_k_in_lua_decides_like_the_compiled_one() {
    let line_ups: [&[&str]; 4] = [
        &["base", "single-s", "default", "random"],
        &["all-k", "single-k", "pair-k", "base-k"],
        &["random"; 4],
        &["all-sk", "pair-s", "plain", "default"],
    ];
    let (mut counts, rules) = (Counts::default(), daihinmin::Options::default());
    let all_k = ("all-k", "{}");
    let compared =
        compare::<Daihinmin>(STYLES, all_k, rules, &line_ups, (300, false), &mut counts).decisions;
    assert!(compared > 20_000, "{compared} decisions");
    assert!(counts.gifts > 500, "{} gifts", counts.gifts);
    assert!(counts.sequences > 200, "{} sequences", counts.sequences);
}

#[test]
fn styles_in_lua_decide_like_the_compiled_ones_with_every_switch_and_under_other_rules() {
    let style = |history: bool, single: &str, group: &str, stairs: bool, groups: &str| {
        format!(
            r#"{{"history": {history}, "lock_single": "{single}", "lock_group": "{group}", "stairs": {stairs}, "groups": "{groups}"}}"#
        )
    };
    let back = r#"{"eleven_back": true}"#;
    let plain = r#"{"sequences": false, "lock": false}"#;
    for (id, config, rules, deals, least) in [
        ("all-k", "{}".to_owned(), back, 150, 2000),
        ("all-k", "{}".to_owned(), plain, 150, 2000),
        (
            "style",
            style(false, "none", "none", false, "whole"),
            "{}",
            100,
            1500,
        ),
        (
            "style",
            style(true, "none", "none", false, "any"),
            "{}",
            100,
            1500,
        ),
        (
            "style",
            style(true, "prefer", "none", false, "whole"),
            "{}",
            100,
            1500,
        ),
        (
            "style",
            style(true, "none", "prefer", true, "any"),
            "{}",
            100,
            1500,
        ),
        (
            "style",
            style(true, "none", "prefer", true, "whole"),
            "{}",
            100,
            1500,
        ),
    ] {
        let options = serde_json::from_str(rules).unwrap();
        let others: &[&str] = if id == "style" {
            &["all-k", "base", "random", "default"]
        } else {
            &["base", "all-s", "random", "random"]
        };
        let bot = (id, config.as_str());
        let compared =
            compare::<Daihinmin>(STYLES, bot, options, &[others], (deals, false), &mut ());
        let decisions = compared.decisions;
        assert!(
            decisions > least,
            "{decisions} decisions of {id} {config} with {rules}"
        );
    }
}

#[test]
fn holdem_bots_in_lua_decide_like_the_compiled_ones() {
    const SIX: [&str; 5] = [
        "call",
        "random",
        "small-bluff",
        "honest",
        "small-bluff-published",
    ];
    const QUICK: &str = r#"{"samples": 100, "all_samples": true}"#;
    let serial = holdem::Options::preset("serial").unwrap();
    let cash = holdem::Options::default();
    let capped = holdem::Options {
        raises_max: 1,
        ..cash.clone()
    };
    let counted = r#"{"samples": 37, "all_samples": true, "exact_max": 50000, "seed": 77}"#;
    let bluffing = r#"{"samples": 50, "all_samples": true, "bluff": 0.3, "seed": 5}"#;
    for (id, config, options, others, deals) in [
        ("honest", QUICK, &cash, &["small-bluff"][..], 150),
        ("honest", QUICK, &serial, &SIX, 40),
        ("honest", counted, &cash, &["call"], 20),
        ("small-bluff", QUICK, &cash, &["honest"], 150),
        ("small-bluff", bluffing, &cash, &SIX, 40),
        ("small-bluff", QUICK, &capped, &SIX[..2], 60),
    ] {
        let (script, options) = (format!("scripts/holdem/{id}-lua.lua"), options.clone());
        let bot = (id, config);
        let compared = compare::<Holdem>(&script, bot, options, &[others], (deals, true), &mut ());
        let Compared { decisions, raises } = compared;
        assert!(
            decisions > 100 && raises > 20,
            "{id} {config}: {decisions} {raises}"
        );
    }
}

#[test]
fn invalid_settings_are_refused() {
    let honest = "scripts/holdem/honest-lua.lua";
    for (script, config, why) in [
        (
            STYLES,
            r#"{"lock_singel": "none"}"#,
            "unknown switch 'lock_singel'",
        ),
        (
            STYLES,
            r#"{"lock_single": "always"}"#,
            "lock_single must be one of none, weakest, prefer",
        ),
        (
            STYLES,
            r#"{"groups": "all"}"#,
            "groups must be one of any, whole",
        ),
        (STYLES, r#"{"stairs": 1}"#, "stairs must be true or false"),
        (honest, r#"{"sampels": 10}"#, "unknown setting 'sampels'"),
        (honest, r#"{"samples": 0}"#, "at least 1"),
        (
            honest,
            r#"{"all_samples": false}"#,
            "`all_samples` must be true",
        ),
        (
            "scripts/holdem/small-bluff-lua.lua",
            r#"{"bluff": 1.5}"#,
            "`bluff` must be a probability",
        ),
    ] {
        let refused = Script::load(&project().join(script)).unwrap().open(config);
        let message = refused.err().expect(config).message;
        assert!(message.contains(why), "{config}: {message}");
    }
}
