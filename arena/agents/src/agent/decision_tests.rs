//! Decisions from played deals, on which services and backends are tested.

use super::reference::First;
use super::services::{ServiceRefusal, ServiceStep};
use super::{Agent, AgentResult, Turn};
use crate::record::JobId;
use crate::seeds::LineUpSeeds;
use crate::table::{BlockPlan, Table};
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use hattari_plugin::games::bridge::{CardSet, HiddenCards, View};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::cell::RefCell;
use std::rc::Rc;

/// The records of one decision.
#[derive(Clone)]
pub(super) struct Decision<G: Game> {
    view: G::View,
    history: Vec<G::Event>,
    actions: Vec<G::Action>,
}

impl<G: Game> Decision<G> {
    /// Returns the decision as an agent receives it.
    pub(super) fn turn(&self) -> Turn<'_> {
        Turn::of::<G>(&self.view, &self.history, &self.actions)
    }
}

/// The results of a service and the work charged for them.
#[derive(Default)]
pub(super) struct Recipient {
    pub(super) results: Vec<u8>,
    pub(super) work: u64,
}

impl Recipient {
    pub(super) fn take(&mut self, step: ServiceStep<'_>) -> Result<(), ServiceRefusal> {
        match step {
            ServiceStep::Check => {}
            ServiceStep::Pay(work) => self.work += work,
            ServiceStep::Write(bytes) => self.results.extend_from_slice(bytes),
        }
        Ok(())
    }
}

/// An agent that takes the first legal action and records each decision.
struct Recorder<G: Game> {
    agent: First<G>,
    decisions: Rc<RefCell<Vec<Decision<G>>>>,
}

impl<G: Game> Agent for Recorder<G>
where
    G::View: Copy,
    G::Event: Clone,
    G::Action: Clone,
{
    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let (view, history) = turn.seen.read::<G>();
        let decision = Decision {
            view: *view,
            history: history.to_vec(),
            actions: turn.actions::<G>().to_vec(),
        };
        self.decisions.borrow_mut().push(decision);
        self.agent.act(turn)
    }
}

/// Plays `deals` deals in which every player takes the first legal action, and returns all
/// decisions.
pub(super) fn of<G: Game + 'static>(game: &G, deals: u32) -> Vec<Decision<G>>
where
    G::View: Copy,
    G::Event: Clone,
    G::Action: Clone,
{
    let decisions = Rc::new(RefCell::new(Vec::new()));
    let mut agents: Vec<Box<dyn Agent>> = Vec::new();
    let recorder = || Recorder {
        agent: First::default(),
        decisions: Rc::clone(&decisions),
    };
    agents.resize_with(G::players().1, || Box::new(recorder()));
    let plan = BlockPlan {
        deals,
        ..BlockPlan::default()
    };
    let job = JobId {
        line_up: 0,
        block: 0,
    };
    let played = Table::new(game).play_block(job, plan, &LineUpSeeds::new(5), &mut agents, &mut ());
    assert!(played.is_ok(), "nobody commits a fault");
    decisions.take()
}

/// Returns hands that are consistent with a bridge view.
pub(super) fn fitting_hands(view: &View) -> [u64; 4] {
    let mut hidden = HiddenCards::of(view, &[CardSet::default(); 4]).expect("views are possible");
    hidden
        .deal(&mut ChaCha8Rng::seed_from_u64(1))
        .map(|hand| hand.0)
}
