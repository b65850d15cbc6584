//! Tests that the styles in Lua make the same moves as the compiled ones. At every decision of a
//! compiled style the script is called as well.

use crate::support::{own_bot, project};
use hattari::agent::script::Script;
use hattari::agent::{Agent, AgentError, AgentFactory, BlockStart, Observation, Turn};
use hattari::record::JobId;
use hattari::seeds::Chance;
use hattari::table::{BlockPlan, Decider, FaultPolicy, Table, TakenStep, TypedObserver};
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Daihinmin, Options, kind};
use std::cell::Cell;
use std::rc::Rc;

/// A compiled bot with its Lua twin, which must return the same choices. The choice of the compiled
/// bot is played.
struct Twins {
    name: String,
    compiled: Box<dyn Agent>,
    script: Box<dyn Agent>,
    compared: Rc<Cell<u64>>,
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
        let number = self.compared.get();
        assert_eq!(
            script.action, compiled.action,
            "{}, decision {number} of all that were compared",
            self.name
        );
        self.compared.set(number + 1);
        Ok(compiled)
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), AgentError> {
        self.script.deal_end(seen, payoffs)?;
        self.compiled.deal_end(seen, payoffs)
    }
}

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

fn compiled(id: &str, config: &str) -> Box<dyn Agent> {
    own_bot("daihinmin", id).open(config).unwrap()
}

/// Plays blocks of `id` and its twin with this config against each of the line-ups, with the rules
/// `options`. Returns the number of compared decisions and the counts.
fn compare(
    id: &str,
    config: &str,
    options: &Options,
    line_ups: &[[&str; 4]],
    deals: u32,
) -> (u64, Counts) {
    let script = Script::load(&project().join("scripts/daihinmin/styles.lua")).unwrap();
    let game = Daihinmin::new(options.clone()).unwrap();
    let mut table = Table::new(&game);
    let plan = BlockPlan {
        deals,
        duplicate: false,
        faults: FaultPolicy::Substitute,
        ..BlockPlan::default()
    };
    let compared = Rc::new(Cell::new(0));
    let mut counts = Counts::default();
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
                .play_block(job, plan, &Chance::alone(20), &mut agents, &mut counts)
                .unwrap();
            assert!(record.faults.is_empty(), "{:?}", record.faults);
        }
    }
    (compared.get(), counts)
}

#[test]
fn all_k_in_lua_decides_like_the_compiled_one() {
    let line_ups = [
        ["base", "single-s", "default", "random"],
        ["all-k", "single-k", "pair-k", "base-k"],
        ["random", "random", "random", "random"],
        ["all-sk", "pair-s", "plain", "default"],
    ];
    let (compared, counts) = compare("all-k", "{}", &Options::default(), &line_ups, 300);
    println!(
        "compared {compared} decisions, of them {} gifts, {} sequences",
        counts.gifts, counts.sequences
    );
    assert!(compared > 20_000, "{compared} decisions");
    assert!(counts.gifts > 500, "{} gifts", counts.gifts);
    assert!(counts.sequences > 200, "{} sequences", counts.sequences);
}

#[test]
fn all_k_in_lua_decides_like_the_compiled_one_under_other_rules() {
    let options = Options {
        eleven_back: true,
        ..Options::default()
    };
    let no_sequences = Options {
        sequences: false,
        lock: false,
        ..Options::default()
    };
    for options in [options, no_sequences] {
        let (compared, _) = compare(
            "all-k",
            "{}",
            &options,
            &[["base", "all-s", "random", "random"]],
            150,
        );
        assert!(compared > 2_000, "{compared} decisions under {options:?}");
    }
}

#[test]
fn every_switch_has_the_same_effect_in_the_script_and_the_compiled_style() {
    for (history, single, group, stairs, groups) in [
        (false, "none", "none", false, "whole"),
        (true, "none", "none", false, "any"),
        (true, "prefer", "none", false, "whole"),
        (true, "none", "prefer", true, "any"),
        (true, "none", "prefer", true, "whole"),
    ] {
        let config = format!(
            r#"{{"history": {history}, "lock_single": "{single}", "lock_group": "{group}", "stairs": {stairs}, "groups": "{groups}"}}"#
        );
        let line_up = ["all-k", "base", "random", "default"];
        let (compared, _) = compare("style", &config, &Options::default(), &[line_up], 100);
        assert!(compared > 1_500, "{compared} decisions of {config}");
    }
}

#[test]
fn invalid_settings_are_refused() {
    let script = Script::load(&project().join("scripts/daihinmin/styles.lua")).unwrap();
    for (config, why) in [
        (r#"{"lock_singel": "none"}"#, "unknown switch 'lock_singel'"),
        (
            r#"{"lock_single": "always"}"#,
            "lock_single must be one of none, weakest, prefer",
        ),
        (r#"{"groups": "all"}"#, "groups must be one of any, whole"),
        (r#"{"stairs": 1}"#, "stairs must be true or false"),
    ] {
        let agent_error = script
            .open(config)
            .err()
            .unwrap_or_else(|| panic!("{config} is refused"));
        assert!(agent_error.message.contains(why), "{}", agent_error.message);
    }
}
