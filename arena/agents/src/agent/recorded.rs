//! Recorded answers of a block's bots, and agents that replay them.
//!
//! A block is determined by the league, the seeds and the answers. Answers are stored only for bots
//! that may answer differently when they are run again: contest programs, which may be unavailable
//! or nondeterministic, and bots that depend on a clock.

use super::numbers::LoggedNumber;
use super::{Agent, AgentError, AgentResult, Call, CallResult, FaultScope, Notice, Turn, numbers};
use crate::packed::{pack, unpack};
use crate::record::{FAULT_KINDS, FaultKind};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use std::io::{Read, Write};
use std::marker::PhantomData;

/// Fault scopes. Packed answers contain the index of a scope, so new scopes must be appended.
const FAULT_SCOPES: [FaultScope; 5] = [
    FaultScope::Decision,
    FaultScope::Deal,
    FaultScope::Block,
    FaultScope::Outside,
    FaultScope::Run,
];

/// Maximum size of unpacked answers in bytes. A decision takes one or two bytes.
const UNPACKED_BYTES_MAX: u64 = 64 << 20;

/// Number in packed answers that marks the start of the logged numbers of all bots.
const LOGGED: i64 = -1;
/// Maximum number of logged numbers of a bot in a block; later ones are dropped.
const NUMBERS_MAX: usize = 1 << 16;

/// All answers of a block's bots, by index in the line-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers(Vec<RecordedAnswers>);

/// A call that failed. The message is in the block's record.
#[derive(Clone, Debug, PartialEq)]
struct FailedCall {
    /// Index of the call among all calls of the bot.
    number: u32,
    kind: FaultKind,
    scope: FaultScope,
}

/// The answers of one bot.
#[derive(Clone, Debug, Default, PartialEq)]
struct RecordedAnswers {
    is_asked_when_forced: bool,
    /// Legal answers in order. Decisions without a choice (one legal action without amounts) are
    /// omitted.
    choices: Vec<Choice>,
    /// Calls that failed, in order.
    failed_calls: Vec<FailedCall>,
    /// Numbers that the bot logged, each with the index of its choice, in order.
    logged: Vec<(usize, LoggedNumber)>,
    /// Number of calls so far.
    calls: u32,
}

impl Answers {
    /// Creates an empty recording for `bots` bots.
    pub fn new(bots: usize) -> Answers {
        Answers(vec![RecordedAnswers::default(); bots])
    }

    /// Adds an answer. Must be called for each answer, in the order of the calls
    /// ([`crate::table::TypedObserver::answered`]).
    pub fn note(&mut self, entrant: usize, call: Call, answer: CallResult<'_>) {
        let recording = &mut self.0[entrant];
        recording.is_asked_when_forced |= call == Call::ForcedDecision;
        match answer {
            Err(agent_error) => recording.failed_calls.push(FailedCall {
                number: recording.calls,
                kind: agent_error.kind,
                scope: agent_error.scope,
            }),
            Ok(Some(choice)) if call == Call::Decision => {
                let (number, room) = (
                    recording.choices.len(),
                    NUMBERS_MAX - recording.logged.len(),
                );
                let logged = numbers::of_last_decision().into_iter().take(room);
                recording
                    .logged
                    .extend(logged.map(|logged| (number, logged)));
                recording.choices.push(*choice);
            }
            Ok(_) => {}
        }
        recording.calls += 1;
    }

    /// Encodes and compresses the answers. Logged numbers follow the answers of all bots, so that
    /// answers without them are encoded as in stores of earlier versions.
    pub fn pack(&self) -> Vec<u8> {
        let mut numbers = Vec::new();
        for recording in &self.0 {
            numbers.extend([
                i64::from(recording.is_asked_when_forced),
                count(recording.failed_calls.len()),
                count(recording.choices.len()),
            ]);
            for failed in &recording.failed_calls {
                let (kind, scope) = (failed.kind as i64, failed.scope as i64);
                numbers.extend([i64::from(failed.number), kind, scope]);
            }
            for &Choice { action, amount } in &recording.choices {
                // Most actions have no amount.
                let action = 2 * count(action);
                if amount == 0 {
                    numbers.push(action)
                } else {
                    numbers.extend([action + 1, amount])
                }
            }
        }
        let has_logged = self.0.iter().any(|recording| !recording.logged.is_empty());
        numbers.extend(has_logged.then_some(LOGGED));
        for recording in self.0.iter().filter(|_| has_logged) {
            numbers.push(count(recording.logged.len()));
            for (choice, (name, number)) in &recording.logged {
                numbers.extend([count(*choice), number.to_bits().cast_signed()]);
                numbers.push(count(name.len()));
                numbers.extend(name.bytes().map(i64::from));
            }
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder
            .write_all(&pack(numbers.into_iter()))
            .and_then(|()| encoder.finish())
            .expect("writing to memory cannot fail")
    }

    /// Decodes the result of [`Answers::pack`]. Returns `None` if the bytes are invalid or unpack
    /// to more than `UNPACKED_BYTES_MAX` bytes.
    pub fn unpack(packed: &[u8], bots: usize) -> Option<Answers> {
        let mut bytes = Vec::new();
        DeflateDecoder::new(packed)
            .take(UNPACKED_BYTES_MAX + 1)
            .read_to_end(&mut bytes)
            .ok()?;
        if UNPACKED_BYTES_MAX < bytes.len() as u64 {
            return None;
        }
        let mut numbers = unpack(&bytes)?.into_iter().peekable();
        let mut recordings = Vec::with_capacity(bots);
        for _ in 0..bots {
            let mut recording = RecordedAnswers {
                is_asked_when_forced: numbers.next()? != 0,
                ..RecordedAnswers::default()
            };
            let mut next = || numbers.next();
            let (failed_calls, choices) = (next()?, next()?);
            for _ in 0..failed_calls {
                let number = u32::try_from(next()?).ok()?;
                let (kind, _) = *FAULT_KINDS.get(usize::try_from(next()?).ok()?)?;
                let scope = *FAULT_SCOPES.get(usize::try_from(next()?).ok()?)?;
                recording.failed_calls.push(FailedCall {
                    number,
                    kind,
                    scope,
                });
            }
            for _ in 0..choices {
                let action = next()?;
                let amount = if action & 1 == 0 { 0 } else { next()? };
                recording.choices.push(Choice {
                    action: usize::try_from(action >> 1).ok()?,
                    amount,
                });
            }
            recordings.push(recording);
        }
        let has_logged = numbers.next_if_eq(&LOGGED).is_some();
        for recording in recordings.iter_mut().filter(|_| has_logged) {
            let mut next = || numbers.next();
            for _ in 0..next()? {
                let choice = usize::try_from(next()?).ok()?;
                let (number, length) = (f64::from_bits(next()?.cast_unsigned()), next()?);
                let name = (0..length).map(|_| u8::try_from(next()?).ok());
                let name = String::from_utf8(name.collect::<Option<_>>()?).ok()?;
                recording.logged.push((choice, (name, number)));
            }
        }
        numbers.next().is_none().then_some(Answers(recordings))
    }

    /// Returns agents that replay the answers, by index in the line-up.
    #[must_use]
    pub fn agents<G: Game + 'static>(self) -> Vec<Box<dyn Agent>> {
        let agent = |recording| -> Box<dyn Agent> {
            Box::new(RecordedAgent::<G> {
                recording,
                calls: 0,
                choices: 0,
                logged: 0,
                failed_calls: 0,
                game: PhantomData,
            })
        };
        self.0.into_iter().map(agent).collect()
    }
}

fn count(count: usize) -> i64 {
    i64::try_from(count).expect("the counts of a block fit in 63 bits")
}

/// An agent that replays the answers of one bot.
struct RecordedAgent<G: Game> {
    recording: RecordedAnswers,
    calls: u32,
    choices: usize,
    logged: usize,
    failed_calls: usize,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> RecordedAgent<G> {
    /// Counts the call and returns its recorded error, if any. The message is empty, because the
    /// block's record contains it.
    fn call(&mut self) -> AgentResult {
        let call = self.calls;
        self.calls += 1;
        match self.recording.failed_calls.get(self.failed_calls) {
            Some(failed) if failed.number == call => {
                self.failed_calls += 1;
                Err(AgentError::new(failed.kind, "").with_scope(failed.scope))
            }
            _ => Ok(()),
        }
    }
}

impl<G: Game> Agent for RecordedAgent<G> {
    fn notify(&mut self, _notice: &Notice<'_>) -> AgentResult {
        self.call()
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        self.call()?;
        if let [only] = turn.actions::<G>()
            && G::amounts(only).is_none()
        {
            return Ok(0.into());
        }
        let choice = self.recording.choices.get(self.choices).copied();
        while let Some((number, (name, value))) = self.recording.logged.get(self.logged)
            && *number == self.choices
        {
            // Numbers that were kept in play are valid.
            _ = numbers::log(name, *value);
            self.logged += 1;
        }
        self.choices += 1;
        choice.ok_or_else(|| {
            AgentError::new(
                FaultKind::Error,
                "the recording contains no more choices of this bot",
            )
        })
    }

    fn is_asked_when_forced(&self) -> bool {
        self.recording.is_asked_when_forced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_packed_answers_returns_the_original_answers() {
        let mut answers = Answers::new(3);
        let choice = |(action, amount)| Choice { action, amount };
        for (entrant, call, answer) in [
            (0, Call::Notification, Ok(None)),
            (
                1,
                Call::Notification,
                Err((FaultKind::Refused, FaultScope::Block)),
            ),
            (0, Call::Decision, Ok(Some((5, 0)))),
            (0, Call::Decision, Ok(Some((700, -3)))),
            (0, Call::ForcedDecision, Ok(Some((0, 0)))),
            (
                0,
                Call::ForcedDecision,
                Err((FaultKind::Clock, FaultScope::Outside)),
            ),
            (0, Call::Decision, Ok(Some((1, i64::MAX)))),
        ] {
            let answer = answer.map(|made: Option<(usize, i64)>| made.map(choice));
            let answer =
                answer.map_err(|(kind, scope)| AgentError::new(kind, "words").with_scope(scope));
            answers.note(entrant, call, answer.as_ref().map(Option::as_ref));
        }
        let chosen = [(5, 0), (700, -3), (1, i64::MAX)].map(choice);
        assert_eq!(answers.0[0].choices, chosen, "one thing to do is no choice");
        assert_eq!(
            answers.0[0].failed_calls,
            [FailedCall {
                number: 4,
                kind: FaultKind::Clock,
                scope: FaultScope::Outside,
            }]
        );
        let packed = answers.pack();
        // `calls` only numbers the errors and is not encoded.
        answers
            .0
            .iter_mut()
            .for_each(|recording| recording.calls = 0);
        assert_eq!(Answers::unpack(&packed, 3), Some(answers));
        assert_eq!(
            (Answers::unpack(&packed, 2), Answers::unpack(&packed, 4)),
            (None, None)
        );
        assert_eq!(Answers::unpack(&packed[..packed.len() - 2], 3), None);
    }

    #[test]
    fn numbers_of_a_bot_are_unpacked_with_its_choices() {
        let mut answers = Answers::new(2);
        let mut note = |entrant, name: &str, number| {
            let logged = numbers::during(|| numbers::log(name, number));
            assert_eq!(logged.is_ok(), number.is_finite());
            answers.note(entrant, Call::Decision, Ok(Some(&Choice::from(1))));
        };
        note(0, "win", 0.25);
        note(1, "none", f64::NAN);
        note(0, "win", -1e300);
        let kept = |choice, number| (choice, ("win".to_owned(), number));
        assert_eq!(answers.0[0].logged, [kept(0, 0.25), kept(1, -1e300)]);
        assert!(answers.0[1].logged.is_empty());
        let packed = answers.pack();
        let unpacked = Answers::unpack(&packed, 2).unwrap();
        assert_eq!(unpacked.0[0].logged, answers.0[0].logged);
        assert_eq!(Answers::unpack(&packed[..packed.len() - 3], 2), None);
    }

    #[test]
    fn small_input_that_would_unpack_to_gigabytes_is_rejected() {
        let choices = usize::try_from(UNPACKED_BYTES_MAX).unwrap();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder
            .write_all(&pack([0, 0, count(choices)].into_iter()))
            .unwrap();
        encoder.write_all(&vec![0; choices]).unwrap();
        let packed = encoder.finish().unwrap();
        assert!(packed.len() < 1 << 20, "{}", packed.len());
        assert_eq!(Answers::unpack(&packed, 1), None);
    }
}
