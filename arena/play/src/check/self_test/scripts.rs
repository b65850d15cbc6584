//! The faulty scripts and their expected outcomes.

use super::{CaseRun, ExpectedOutcome, play_block};
use crate::league::Budget;
use ExpectedOutcome::{Fault, NotLoaded, PlaysOn};
use hattari_agents::agent::AgentFactory;
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::record::FaultKind::{Error, IllegalAction, IllegalAmount, Memory, Start, Time};

/// A script that misbehaves.
pub struct ScriptCase {
    /// Name of the script's file, without extension.
    pub name: &'static str,
    /// Source of the script.
    pub source: &'static str,
    /// Expected outcome.
    pub outcome: ExpectedOutcome,
}

/// Limits of each script, small so that the test is fast.
pub(crate) const LIMITS: ScriptLimits = ScriptLimits {
    steps: 200_000,
    memory: 10 << 20,
};

/// Creates a case for each line, from its file in `scripts/faulty`: name and outcome.
macro_rules! cases {
    ($($name:literal: $outcome:expr;)*) => {
        &[$(ScriptCase {
            name: concat!($name, ".lua"),
            source: include_str!(concat!("../../../../../scripts/faulty/", $name, ".lua")),
            outcome: $outcome,
        }),*]
    };
}

const STEPS: ExpectedOutcome = Fault(Time, &["more than 200000 steps"]);
const MEMORY: ExpectedOutcome = Fault(Memory, &["more than 10 MiB of memory"]);

/// All faulty scripts.
pub const SCRIPTS: &[ScriptCase] = cases! {
    "loops": STEPS;
    "catches-and-retries": STEPS;
    "catches-and-answers": STEPS;
    "errs-in-a-loop": STEPS;
    "hoards": MEMORY;
    "hoards-and-catches": MEMORY;
    "recurses": Fault(Error, &["stack overflow"]);
    "errs": Fault(Error, &["errs.lua:4: at a loss"]);
    "raises-a-table": Fault(Error, &[""]);
    "yields": Fault(Error, &["yield"]);
    "answers-nothing": Fault(IllegalAction, &["index of a legal action, from 1 to"]);
    "answers-text": Fault(IllegalAction, &["(got string)"]);
    "answers-the-action": Fault(IllegalAction, &["(got table)"]);
    "answers-beyond": Fault(IllegalAction, &["must be the index of a legal action"]);
    "answers-zero": Fault(IllegalAction, &["(got 0)"]);
    "answers-half": Fault(IllegalAction, &["(got 1.5)"]);
    "answers-nan": Fault(IllegalAction, &["(got NaN)"]);
    "wild-amount": Fault(IllegalAmount, &["the amount must be an integer (got 0.5)"]);
    "tampers-with-the-list": Fault(IllegalAction, &["copy the list"]);
    "works-dearly": STEPS;
    "works-in-the-library": STEPS;
    "babbles": PlaysOn;
    "floods-numbers": Fault(Error, &["at most 16 names of numbers (`n17` is one more)"]);
    "errs-at-the-end": Fault(Error, &["a sore loser"]);
    "errs-at-the-start": Fault(Error, &["these cards again"]);
    "refuses": Fault(Start, &["not today"]);
    "cannot-start": NotLoaded("more than 2000000 steps at the start of the block");
    "is-no-script": NotLoaded("is-no-script.lua:2:");
    "spies": PlaysOn;
    "names-objects": PlaysOn;
    "goes-through-objects": PlaysOn;
    "hides-a-loop": PlaysOn;
    "waits-for-the-collector": PlaysOn;
    "lives-at-the-limit": PlaysOn;
    "paints": Fault(Error, &["forged: all limits hold"]);
};

pub(super) fn play(case: &ScriptCase) -> CaseRun {
    let script = Script::compile(case.name, case.source.as_bytes());
    match script.and_then(|script| script.with_limits(LIMITS).open("{}")) {
        Ok(agent) => play_block(agent, &Budget::default()).into(),
        Err(agent_error) => CaseRun::NotLoaded(agent_error.message),
    }
}

#[cfg(test)]
mod tests {
    use super::super::CaseOutcome;
    use super::*;
    use crate::check::Grade;

    #[test]
    fn every_faulty_script_is_contained_and_does_not_affect_other_bots() {
        let alone = super::super::play_reference_block();
        for case in SCRIPTS {
            let outcome = CaseOutcome::of(case.name, case.outcome, play(case), &alone);
            assert_eq!(outcome.verdict, Grade::Ok, "{outcome:?}");
        }
    }

    #[test]
    fn every_script_in_the_folder_has_a_test_case() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/faulty");
        let entries = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.filter(|name| name.ends_with(".lua")).collect();
        names.sort();
        let mut cases: Vec<&str> = SCRIPTS.iter().map(|case| case.name).collect();
        cases.sort_unstable();
        assert_eq!(cases, names);
    }
}
