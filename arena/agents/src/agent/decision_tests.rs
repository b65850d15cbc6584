//! Decisions from played deals, on which services and backends are tested.

use super::reference::First;
use super::services::{ServiceRefusal, ServiceStep};
use super::{Agent, Turn};
use crate::record::JobId;
use crate::seeds::LineUpSeeds;
use crate::table::{BlockPlan, Table, TypedObserver};
use hattari_plugin::games::bridge::{CardSet, HiddenCards, View};
use hattari_plugin::games::{BlockState, Game};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

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

/// An observer that records each decision.
struct Recorder<G: Game>(Vec<Decision<G>>);

impl<G: Game> TypedObserver<G> for Recorder<G> {
    fn asked(
        &mut self,
        game: &G,
        block: &BlockState<G>,
        deal: &G::Deal,
        seat: u8,
        _entrant: usize,
        actions: &[G::Action],
    ) {
        let mut view = bytemuck::Zeroable::zeroed();
        game.view(block, deal, seat, &mut view);
        self.0.push(Decision {
            view,
            history: game.history(deal).to_vec(),
            actions: actions.to_vec(),
        });
    }
}

/// Plays `deals` deals in which every player takes the first legal action, and returns all
/// decisions.
pub(super) fn of<G: Game + 'static>(game: &G, deals: u32) -> Vec<Decision<G>> {
    let mut recorder = Recorder(Vec::new());
    let mut agents: Vec<Box<dyn Agent>> = Vec::new();
    agents.resize_with(G::players().1, || Box::new(First::<G>::default()));
    let plan = BlockPlan {
        deals,
        ..BlockPlan::default()
    };
    let job = JobId {
        line_up: 0,
        block: 0,
    };
    let seeds = LineUpSeeds::new(5);
    let played = Table::new(game).play_block(job, plan, &seeds, &mut agents, &mut recorder);
    assert!(played.is_ok(), "nobody commits a fault");
    recorder.0
}

/// Returns hands that are consistent with a bridge view.
pub(super) fn fitting_hands(view: &View) -> [u64; 4] {
    let mut hidden = HiddenCards::of(view, &[CardSet::default(); 4]).expect("views are possible");
    hidden
        .deal(&mut ChaCha8Rng::seed_from_u64(1))
        .map(|hand| hand.0)
}
