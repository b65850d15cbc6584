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

/// Creates a case from its file in `scripts/faulty`.
macro_rules! case {
    ($name:literal, $outcome:expr) => {
        ScriptCase {
            name: concat!($name, ".lua"),
            source: include_str!(concat!("../../../../../scripts/faulty/", $name, ".lua")),
            outcome: $outcome,
        }
    };
}

const STEPS: ExpectedOutcome = Fault(Time, &["more than 200000 steps"]);
const MEMORY: ExpectedOutcome = Fault(Memory, &["more than 10 MiB of memory"]);

/// All faulty scripts.
pub const SCRIPTS: &[ScriptCase] = &[
    case!("loops", STEPS),
    case!("catches-and-retries", STEPS),
    case!("catches-and-answers", STEPS),
    case!("errs-in-a-loop", STEPS),
    case!("hoards", MEMORY),
    case!("hoards-and-catches", MEMORY),
    case!("recurses", Fault(Error, &["stack overflow"])),
    case!("errs", Fault(Error, &["errs.lua:4: at a loss"])),
    case!("raises-a-table", Fault(Error, &[""])),
    case!("yields", Fault(Error, &["yield"])),
    case!(
        "answers-nothing",
        Fault(IllegalAction, &["index of a legal action, from 1 to"])
    ),
    case!("answers-text", Fault(IllegalAction, &["(got string)"])),
    case!("answers-the-action", Fault(IllegalAction, &["(got table)"])),
    case!(
        "answers-beyond",
        Fault(IllegalAction, &["must be the index of a legal action"])
    ),
    case!("answers-zero", Fault(IllegalAction, &["(got 0)"])),
    case!("answers-half", Fault(IllegalAction, &["(got 1.5)"])),
    case!("answers-nan", Fault(IllegalAction, &["(got NaN)"])),
    case!(
        "wild-amount",
        Fault(IllegalAmount, &["the amount must be an integer (got 0.5)"])
    ),
    case!(
        "tampers-with-the-list",
        Fault(IllegalAction, &["copy the list"])
    ),
    case!("works-dearly", STEPS),
    case!("works-in-the-library", STEPS),
    case!("babbles", PlaysOn),
    case!(
        "floods-numbers",
        Fault(Error, &["at most 16 names of numbers (`n17` is one more)"])
    ),
    case!("errs-at-the-end", Fault(Error, &["a sore loser"])),
    case!("errs-at-the-start", Fault(Error, &["these cards again"])),
    case!("refuses", Fault(Start, &["not today"])),
    case!(
        "cannot-start",
        NotLoaded("more than 2000000 steps at the start of the block")
    ),
    case!("is-no-script", NotLoaded("is-no-script.lua:2:")),
    case!("spies", PlaysOn),
    case!("names-objects", PlaysOn),
    case!("goes-through-objects", PlaysOn),
    case!("hides-a-loop", PlaysOn),
    case!("waits-for-the-collector", PlaysOn),
    case!("lives-at-the-limit", PlaysOn),
    case!("paints", Fault(Error, &["forged: all limits hold"])),
];

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
