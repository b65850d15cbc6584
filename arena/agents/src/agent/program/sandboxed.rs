//! Programs in sandboxes, which helpers start.

use super::pipe::Pipes;
use super::terms::Terms;
use crate::agent::process::LastWords;
use crate::agent::process::control::{Hosted, Measures, Order};
use crate::agent::process::supervisor::{NoStart, Supervisor};
use crate::agent::sandbox::{FileId, SandboxSpec, inspect_program};
use crate::agent::{Limits, Misstep, Sandboxed};
use crate::record::FaultKind;

/// A process that a helper has started, with the pipes to it and what holds it.
struct Started {
    supervisor: Supervisor,
    pipes: Pipes,
    measures: Measures,
}

/// Starts a helper, and a process of the program whose error output goes to `words`.
fn start(spec: &SandboxSpec, limits: Limits, words: &LastWords) -> Result<Started, NoStart> {
    let order = Order {
        hosted: Hosted::Program(spec.clone()),
        limits,
        threads: 0,
    };
    let mut supervisor = Supervisor::start(order, "start", false)?;
    let (input, output) = supervisor.begin(words)?;
    let measures = supervisor.inspect("start")?;
    Ok(Started {
        supervisor,
        pipes: Pipes::new(input, output)?,
        measures: measures.map_err(|why| why + &words.wrote()),
    })
}

/// Returns the fault of a program that cannot be started.
fn fault(error: NoStart) -> Misstep {
    let message = match error {
        NoStart::Failed(misstep) => misstep.message,
        NoStart::Refused(why) => format!("{}; {}", why.cause, why.cure),
    };
    Misstep::new(FaultKind::Start, message)
}

/// Starts a process of a program, which must be held as it was `before`. Returns it with what it
/// writes to its error output, and the pipes to it.
///
/// # Errors
/// It cannot be started, or is held otherwise.
pub(super) fn begin(
    terms: &Terms,
    spec: &SandboxSpec,
    before: &Sandboxed,
) -> Result<(Supervisor, LastWords, Pipes), Misstep> {
    let words = LastWords::told_to(terms.launch.heard.clone());
    let words = words.map_err(|error| fault(error.into()))?;
    let started = start(spec, terms.limits, &words).map_err(fault)?;
    let is_as_before = started.measures.and_then(|now| {
        let mut lacking = now.missing();
        let lacking = lacking.find(|measure| !before.measures.contains(measure));
        match lacking {
            _ if now == *before => Ok(()),
            Some(lacking) => Err(format!("{}: {}", lacking.name, lacking.text)),
            None => Err("otherwise than before".to_owned()),
        }
    });
    is_as_before.map_err(|why| {
        let what = format!("start: it is not held as it was: {why}");
        Misstep::new(FaultKind::Start, what)
    })?;
    Ok((started.supervisor, words, started.pipes))
}

/// Returns the measures of a program's sandbox on this machine, without starting the program.
///
/// # Errors
/// There are no sandboxes here, and why.
pub(super) fn probe(spec: &SandboxSpec, limits: Limits) -> Measures {
    let spec = SandboxSpec {
        is_probe: true,
        ..spec.clone()
    };
    let words = LastWords::new().map_err(|error| error.to_string())?;
    let started = start(&spec, limits, &words).map_err(|error| fault(error).message)?;
    started.measures
}

/// Looks from outside whether all that a program has started by now is held. `given` are the files
/// that it has from the host.
///
/// # Errors
/// What is not as it must be.
pub(super) fn inspect(
    supervisor: &Supervisor,
    given: impl Iterator<Item = FileId>,
) -> Result<(), String> {
    let first = supervisor.running().ok_or("its process has gone")?;
    inspect_program(first.as_raw_pid(), &given.collect::<Vec<_>>())
}
