//! Seats that two bots share. In a *hybrid*, one bot makes the selected decisions, and the other
//! one makes the rest. In a review, one bot decides, and the other one can also be called for the
//! same decisions.
//!
//! A review compares two bots in the same seat. In a *compared* game, one of them leads. The other
//! gets the same calls, but its answers have no effect. In the game after a *fork*, given answers
//! replace the leader's first ones, so that it continues from a position that the other bot has
//! reached.

use super::legal::{accept, fallback};
use crate::agent::{Agent, AgentError, AgentResult, FaultScope, Notice, Turn, numbers};
use hattari_plugin::Choice;
use hattari_plugin::games::features::{FeatureValue, Features};
use hattari_plugin::games::{BlockState, Game, Move};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// Names and values of features.
pub type FeatureValues = Vec<(&'static str, FeatureValue)>;

/// A decision with more than one legal answer in a shared seat.
#[derive(Debug, PartialEq)]
pub struct ComparedDecision {
    /// Answer of each bot. A bot that has failed answers with the first legal action.
    pub answers: [Choice; 2],
    /// Features of the position; empty if the game defines none.
    pub position: FeatureValues,
    /// Features of each bot's answer, if the bots answered differently.
    pub choices: [FeatureValues; 2],
}

impl ComparedDecision {
    /// Returns `true` if the bots answered differently.
    pub fn is_fork(&self) -> bool {
        self.answers[0] != self.answers[1]
    }
}

/// A function that selects decisions. For these decisions, the answer of the bot that otherwise
/// does not decide is carried out.
pub type DecisionSelector = Arc<dyn Fn(&ComparedDecision) -> bool + Send + Sync>;

/// The instructions for all shared seats of a game, and the decisions that are recorded in the
/// game.
#[derive(Default)]
pub struct ForkScript {
    /// Index (0 or 1) of the leading bot, whose answers are carried out.
    pub leads: usize,
    /// Answers that replace the leader's answers in the first unforced decisions of the shared
    /// seats.
    pub given: Vec<Choice>,
    /// `true` to call the other bot too and to record decisions.
    pub compares: bool,
    /// Selection of the compared decisions in which the other bot's answer is carried out; `None`
    /// if there are no such decisions.
    pub selects: Option<DecisionSelector>,
    /// Recorded unforced decisions.
    pub decided: Vec<ComparedDecision>,
    /// Errors of the bots, with the index of the bot that failed.
    pub faults: Vec<(usize, AgentError)>,
    /// Number of unforced decisions so far.
    asked: usize,
}

impl ForkScript {
    /// Returns the instructions for a game that begins with the answers `given`, after which bot
    /// `leads` decides.
    pub fn new(leads: usize, given: Vec<Choice>, compares: bool) -> ForkScript {
        ForkScript {
            leads,
            given,
            compares,
            ..ForkScript::default()
        }
    }
}

/// The agent of a seat that two bots share. Errors are recorded in the script and do not reach the
/// table, so that the game continues with both bots. For a bot that has failed, the first legal
/// action is taken until the block is over.
pub(super) struct SharedSeat<G> {
    pub bots: [Box<dyn Agent>; 2],
    pub has_failed: [bool; 2],
    pub script: Rc<RefCell<ForkScript>>,
    pub game: PhantomData<fn() -> G>,
}

impl<G: Game> SharedSeat<G> {
    /// Records an error of the bot with index `number`.
    ///
    /// # Errors
    /// Returns the error if the host cannot continue with the bot.
    fn note(&mut self, number: usize, agent_error: AgentError) -> AgentResult {
        self.has_failed[number] |= agent_error.scope != FaultScope::Decision;
        self.script
            .borrow_mut()
            .faults
            .push((number, agent_error.clone()));
        if agent_error.scope == FaultScope::Run {
            Err(agent_error)
        } else {
            Ok(())
        }
    }

    /// Calls a bot for its choice. Returns the fallback action if the bot fails.
    fn ask(&mut self, number: usize, turn: &Turn<'_>) -> AgentResult<Choice> {
        if !self.has_failed[number] {
            match ask::<G>(&mut *self.bots[number], turn) {
                Ok(choice) => return Ok(choice),
                Err(agent_error) => self.note(number, agent_error)?,
            }
        }
        let Move { amount, .. } = fallback::<G>(turn.actions::<G>());
        Ok(Choice { action: 0, amount })
    }
}

impl<G: Game> Agent for SharedSeat<G> {
    /// Notifies the leading bot and, if bots are compared, the other one. Skips bots that have
    /// failed.
    ///
    /// # Errors
    /// Returns an error if the host cannot continue with a bot.
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        if let Notice::BlockStart(_) = notice {
            self.has_failed = [false; 2];
        }
        let (leads, compares) = {
            let script = self.script.borrow();
            (script.leads, script.compares)
        };
        for number in 0..2 {
            if (number == leads || compares) && !self.has_failed[number] {
                self.bots[number]
                    .notify(notice)
                    .or_else(|agent_error| self.note(number, agent_error))?;
            }
        }
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let (leads, compares, given) = {
            let mut script = self.script.borrow_mut();
            let number = script.asked;
            script.asked += 1;
            let given = script.given.get(number).copied();
            (script.leads, script.compares, given)
        };
        let mut answers = [Choice::from(0); 2];
        answers[leads] = self.ask(leads, turn)?;
        if compares {
            // The numbers of the bot whose answer is carried out are kept.
            let logged = numbers::take();
            answers[1 - leads] = self.ask(1 - leads, turn)?;
            let decided = decided::<G>(turn, answers);
            let mut script = self.script.borrow_mut();
            let is_selected = script
                .selects
                .as_ref()
                .is_some_and(|selects| selects(&decided));
            script.decided.push(decided);
            if is_selected {
                return Ok(answers[1 - leads]);
            }
            numbers::set(logged);
        }
        Ok(given.unwrap_or(answers[leads]))
    }
}

/// A bot of a hybrid with its name, for messages.
pub(crate) type HybridPart = (String, Box<dyn Agent>);

/// The agent of a hybrid. Both bots receive all calls, so that both know the game. A fault of
/// either bot is a fault of the hybrid.
pub(super) struct HybridSeat<G> {
    /// The bot that makes the selected decisions, and the bot that makes all others.
    /// [`ComparedDecision::answers`] has the same order.
    pub parts: [HybridPart; 2],
    pub selects: DecisionSelector,
    pub game: PhantomData<fn() -> G>,
}

impl<G> HybridSeat<G> {
    /// Calls both bots.
    ///
    /// # Errors
    /// Returns the first error, with the name of the bot.
    fn both<T>(
        &mut self,
        mut call: impl FnMut(&mut dyn Agent) -> AgentResult<T>,
    ) -> AgentResult<[T; 2]> {
        let mut one = |(name, bot): &mut HybridPart| {
            call(&mut **bot).map_err(|agent_error| AgentError {
                message: format!("{name}: {}", agent_error.message),
                ..agent_error
            })
        };
        let [second, first] = &mut self.parts;
        let first = one(first)?;
        Ok([one(second)?, first])
    }
}

impl<G: Game> Agent for HybridSeat<G> {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        self.both(|bot| bot.notify(notice)).map(drop)
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let answers = self.both(|bot| Ok((ask::<G>(bot, turn)?, numbers::take())))?;
        let choices = answers.each_ref().map(|(choice, _)| *choice);
        let [selected, other] = answers;
        let is_selected = (self.selects)(&decided::<G>(turn, choices));
        let (choice, logged) = if is_selected { selected } else { other };
        numbers::set(logged);
        Ok(choice)
    }
}

/// Calls a bot with its own time limit and checks its choice.
///
/// # Errors
/// Returns an error if the bot fails or its choice is illegal.
fn ask<G: Game>(bot: &mut dyn Agent, turn: &Turn<'_>) -> AgentResult<Choice> {
    let own = bot.time_limits();
    let turn = Turn {
        budget_us: own.map_or(turn.budget_us, |limits| limits.decision_us),
        ..*turn
    };
    let choice = bot.act(&turn)?;
    // If the action takes no amount, the amount has no meaning and must not look like a different
    // choice.
    let amount = accept::<G>(turn.actions::<G>(), choice)?.amount;
    Ok(Choice { amount, ..choice })
}

/// Returns a compared decision with the features of the position and of both answers.
fn decided<G: Game>(turn: &Turn<'_>, answers: [Choice; 2]) -> ComparedDecision {
    let (view, _) = turn.seen.read::<G>();
    let mut decided = ComparedDecision {
        answers,
        position: position_features::<G>(view),
        choices: [FeatureValues::new(), FeatureValues::new()],
    };
    if decided.is_fork() {
        let legal = turn.actions::<G>();
        decided.choices = answers.map(|choice| {
            let action = legal[choice.action];
            let amount = choice.amount;
            choice_features::<G>(view, &Move { action, amount })
        });
    }
    decided
}

/// Returns the features of the position that a seat sees; empty if the game defines none.
pub(super) fn position_features<G: Game>(view: &G::View) -> FeatureValues {
    let mut values = FeatureValues::with_capacity(G::Features::POSITIONS.len());
    G::Features::position(view, &mut |name, value| values.push((name, value)));
    values
}

/// Returns the features of a choice at the position that a seat sees; empty if the game defines
/// none.
pub(super) fn choice_features<G: Game>(view: &G::View, choice: &Move<G::Action>) -> FeatureValues {
    let mut values = FeatureValues::new();
    G::Features::choice(view, choice, &mut |name, value| values.push((name, value)));
    values
}

/// Returns the features of the outcome of a finished deal for a seat; empty if the game defines
/// none.
pub(super) fn outcome_features<G: Game>(
    game: &G,
    block: &BlockState<G>,
    deal: &G::Deal,
    seat: u8,
) -> FeatureValues {
    let mut values = FeatureValues::new();
    let mut view = bytemuck::Zeroable::zeroed();
    game.view(block, deal, seat, &mut view);
    G::Features::outcome(&view, game.history(deal), &mut |name, value| {
        values.push((name, value));
    });
    values
}
