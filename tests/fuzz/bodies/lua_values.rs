//! Return values and errors of script functions: values of every kind, also with arbitrary
//! metatables. The bytes reach the script through the options of the rules. One VM is used for all
//! inputs and must be usable after each.

use super::seat::{ask, check, deal, end, start};
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{Agent, AgentError, AgentFactory};
use hattari_agents::record::FaultKind;
use std::cell::RefCell;
use std::fmt::Write;

/// Maximum number of bytes of an input that are used.
const BYTES_MAX: usize = 512;

fn open() -> Box<dyn Agent> {
    let script = Script::compile("values.lua", include_bytes!("values.lua")).expect("it compiles");
    let limits = ScriptLimits {
        steps: 20_000,
        memory: 2 << 20,
    };
    script.with_limits(limits).open("{}").expect("it starts")
}

fn options(bytes: &[u8]) -> String {
    let mut options = String::from("{\"bytes\":[0");
    for byte in &bytes[..bytes.len().min(BYTES_MAX)] {
        write!(options, ",{byte}").expect("writing to text does not fail");
    }
    options + "]}"
}

/// Plays a deal with three decisions. Returns the error of each call.
fn play(agent: &mut dyn Agent, options: &str) -> Result<Vec<Result<(), AgentError>>, AgentError> {
    start(agent, options)?;
    let mut calls = vec![deal(agent)];
    for _ in 0..3 {
        calls.push(
            ask(agent).map(|choice| assert!(choice.action < 5, "an illegal choice came through")),
        );
        // A fatal error ends the instance, as in a league.
        if calls.last().is_some_and(|call| {
            call.as_ref()
                .is_err_and(|agent_error| agent_error.kind.is_fatal())
        }) {
            return Ok(calls);
        }
    }
    calls.push(end(agent));
    Ok(calls)
}

/// Asserts that there is a legal choice or an error of the right kind, the same a second time, and
/// that the next block works.
pub(crate) fn run(bytes: &[u8]) {
    thread_local! {
        static AGENT: RefCell<Option<Box<dyn Agent>>> = const { RefCell::new(None) };
    }
    AGENT.with_borrow_mut(|agent| {
        let agent = agent.get_or_insert_with(open);
        let options = options(bytes);
        let first = play(&mut **agent, &options);
        let second = play(&mut **agent, &options);
        let agent_errors =
            |calls: &Result<Vec<Result<(), AgentError>>, AgentError>| -> Vec<Option<FaultKind>> {
                let kind = |call: &Result<(), AgentError>| {
                    call.as_ref().err().map(|agent_error| agent_error.kind)
                };
                match calls {
                    Ok(calls) => calls.iter().map(kind).collect(),
                    Err(agent_error) => vec![Some(agent_error.kind)],
                }
            };
        // Which of two limits is reached first can depend on the remaining contents of the VM's
        // heap.
        let is_limit =
            |kind: &Option<FaultKind>| matches!(kind, Some(FaultKind::Time | FaultKind::Memory));
        let (mut once, mut again) = (agent_errors(&first), agent_errors(&second));
        if let (Some(at), Some(then)) = (
            once.iter().position(is_limit),
            again.iter().position(is_limit),
        ) {
            assert_eq!(
                at, then,
                "the same answers come to a limit at the same call"
            );
            once.truncate(at);
            again.truncate(at);
        }
        assert_eq!(once, again, "the same answers come to the same");
        let all = first
            .iter()
            .flatten()
            .filter_map(|call| call.as_ref().err())
            .chain(first.as_ref().err());
        for agent_error in all {
            check(agent_error);
            use FaultKind::{Error, IllegalAction, IllegalAmount, Memory, Start, Time};
            assert!(
                matches!(
                    agent_error.kind,
                    Error | IllegalAction | IllegalAmount | Memory | Start | Time
                ),
                "{agent_error:?}"
            );
        }
        let after = play(&mut **agent, "{}")
            .unwrap_or_else(|agent_error| panic!("the next block: {}", agent_error.message));
        assert!(after.iter().all(Result::is_ok), "the next block: {after:?}");
    });
}
