//! Scripts as text: any text is rejected with a reason or plays, with the same result a second
//! time.

use super::seat::{ask, check, deal, end, start};
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{AgentError, AgentFactory};
use hattari_agents::record::FaultKind;

/// Returns the outcome of a script, call by call.
fn play(script: &Script) -> Vec<Option<FaultKind>> {
    let kind = |outcome: Result<(), AgentError>| {
        outcome.err().map(|agent_error| {
            check(&agent_error);
            agent_error.kind
        })
    };
    let mut agent = match script.open("{}") {
        Ok(agent) => agent,
        Err(agent_error) => return vec![kind(Err(agent_error))],
    };
    let mut outcomes = Vec::new();
    let mut note = |outcome| {
        outcomes.push(kind(outcome));
        !outcomes
            .last()
            .is_some_and(|kind| kind.is_some_and(FaultKind::is_fatal))
    };
    for _ in 0..2 {
        let _ = note(start(&mut *agent, "{}"))
            && note(deal(&mut *agent))
            && note(ask(&mut *agent).map(|choice| assert!(choice.action < 5)))
            && note(ask(&mut *agent).map(|choice| assert!(choice.action < 5)))
            && note(end(&mut *agent));
    }
    outcomes
}

/// Compiles and plays a script twice.
pub(crate) fn run(bytes: &[u8]) {
    let script = match Script::compile("any.lua", bytes) {
        Ok(script) => script.with_limits(ScriptLimits {
            steps: 5_000,
            memory: 1 << 20,
        }),
        Err(agent_error) => return check(&agent_error),
    };
    _ = script.about();
    let (first, second) = (play(&script), play(&script));
    // Which of two limits is reached first can depend on the heap, and the time limit depends on
    // the machine.
    let unsure = |outcomes: &[Option<FaultKind>]| {
        outcomes.contains(&Some(FaultKind::Clock)) || outcomes.contains(&Some(FaultKind::Memory))
    };
    if !unsure(&first) && !unsure(&second) {
        assert_eq!(first, second, "the same script comes to the same");
    }
}
