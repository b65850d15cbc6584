//! Bridge with open hands, solved for bots, whatever they are written in.

use super::Turn;
use hattari_double_dummy::{Position, Seat, Solver};
use hattari_plugin::games::GameTypes;
use hattari_plugin::games::bridge::{Action, Bridge, CardSet, Strain, View, strain};

/// Memory of a bot's solver in MiB.
const MEMORY_MIB: usize = 16;

/// Why a wish is not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The bot does not play bridge.
    OtherGame,
    /// The records are not those of a decision.
    NoDecision,
    /// Hands that do not fit what the seat knows.
    Unfit,
    /// The time for the decision ran out.
    Late,
}

impl Refusal {
    /// In words.
    #[must_use]
    pub(super) fn message(self) -> &'static str {
        match self {
            Refusal::OtherGame => "hands are solved in bridge alone",
            Refusal::NoDecision => "hands are solved while a decision is made, for that decision",
            Refusal::Unfit => "the hands are not such as fit what the seat knows",
            Refusal::Late => "the time for the decision ran out",
        }
    }
}

/// The solver of one bot in one block.
#[derive(Default)]
pub(super) struct OpenHands {
    is_bridge: bool,
    /// Made when it is first needed: its memory is not small.
    solver: Option<Solver>,
}

impl std::fmt::Debug for OpenHands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenHands")
            .field("is_bridge", &self.is_bridge)
            .finish_non_exhaustive()
    }
}

/// A decision of bridge.
pub(super) struct Asked<'a> {
    view: &'a View,
    actions: &'a [Action],
}

impl OpenHands {
    /// Prepares for a block of that game. The solver of the block before is dropped with all that
    /// it remembers: a position that it has met costs less, and which blocks a thread has
    /// played before must not decide what a question costs.
    pub(super) fn start_block(&mut self, game: &str) {
        *self = OpenHands {
            is_bridge: game == Bridge::ID,
            solver: None,
        };
    }

    /// Reads what a bot is asked.
    ///
    /// # Errors
    /// It is no decision of bridge.
    pub(super) fn read<'a>(&self, turn: &Turn<'a>) -> Result<Asked<'a>, Refusal> {
        if !self.is_bridge {
            return Err(Refusal::OtherGame);
        }
        let known = turn
            .seen
            .cast::<Bridge>()
            .zip(turn.legal.cast())
            .filter(|(_, actions)| !actions.is_empty());
        let ((view, _), actions) = known.ok_or(Refusal::NoDecision)?;
        Ok(Asked { view, actions })
    }

    /// Tricks of declarer's side in the whole deal for every action, everybody holding these cards;
    /// and the work that it took, in cards that the search has played, the same on every
    /// machine.
    ///
    /// # Errors
    /// The hands are not such as fit the view.
    pub(super) fn tricks(
        &mut self,
        asked: &Asked<'_>,
        hands: &[u64; 4],
    ) -> Result<(Vec<u8>, u64), Refusal> {
        let view = asked.view;
        let position = position(view, hands).ok_or(Refusal::Unfit)?;
        let declarers = Seat::ALL[usize::from(view.declarer & 3)].side();
        let solver = self.solver.get_or_insert_with(|| Solver::new(MEMORY_MIB));
        let values = solver.all_cards(&position, declarers);
        let won = view.won[usize::from(view.declarer % 2)];
        let of = |action: &Action| {
            values
                .iter()
                .find(|value| value.0.index() == action.card)
                .map(|value| value.1 + won)
        };
        let tricks: Option<Vec<u8>> = asked.actions.iter().map(of).collect();
        Ok((tricks.ok_or(Refusal::Unfit)?, solver.nodes()))
    }
}

/// The position with these hands, where they are such as the view allows.
fn position(view: &View, hands: &[u64; 4]) -> Option<Position> {
    let is_known = |seat: u8, hand: u64| hands[usize::from(seat & 3)] == hand;
    let gone = view.played.iter().fold(0, |gone, played| gone | played);
    let all = hands.iter().fold(gone, |all, hand| all | hand);
    let count: u32 = hands.iter().map(|hand| hand.count_ones()).sum();
    let fits = is_known(view.seat, view.hand)
        && (view.dummy_shown == 0 || is_known(view.dummy, view.dummy_hand))
        && all == CardSet::PACK.0
        && count + gone.count_ones() == CardSet::PACK.len()
        && hands
            .iter()
            .zip(&view.played)
            .all(|(hand, played)| hand.count_ones() + played.count_ones() == 13);
    if !fits {
        return None;
    }
    let strain = Strain::ALL[usize::from(view.strain.min(strain::NO_TRUMP))];
    Position::new(
        hands.map(CardSet),
        strain,
        Seat::ALL[usize::from(view.leader & 3)],
        &view.table(),
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::decision_tests;
    use hattari_plugin::games::Game;
    use hattari_plugin::games::bridge::Options;

    #[test]
    fn what_a_question_costs_does_not_depend_on_earlier_blocks() {
        let all = decision_tests::of(&Bridge::new(Options::default()).unwrap(), 1);
        let ask = |open_hands: &mut OpenHands, number: usize| {
            let turn = all[number].turn();
            let hands = decision_tests::fitting_hands(turn.seen.read::<Bridge>().0);
            let asked = open_hands.read(&turn).unwrap();
            open_hands.tricks(&asked, &hands).unwrap()
        };
        let fresh: Vec<_> = [20, 24, 28]
            .map(|number| {
                let mut open_hands = OpenHands::default();
                open_hands.start_block(Bridge::ID);
                ask(&mut open_hands, number)
            })
            .into();
        for history in [&[20][..], &[24], &[24, 28], &[28, 20, 24]] {
            let mut open_hands = OpenHands::default();
            open_hands.start_block(Bridge::ID);
            for &number in history {
                ask(&mut open_hands, number);
            }
            for (number, expected) in [20, 24, 28].into_iter().zip(&fresh) {
                open_hands.start_block(Bridge::ID);
                assert_eq!(
                    ask(&mut open_hands, number),
                    *expected,
                    "question {number} after {history:?}"
                );
            }
        }
    }
}
