//! The contest's sample client, the weakest opponent of published experiments.

use crate::gift;
use crate::order::{Order, place_of_suits};
use hattari_plugin::daihinmin::{self, Action, Block, Daihinmin, Turn, View, bot, kind, phase};
use hattari_plugin::{Declared, NoConfig};

/// `default`.
pub const DEFAULT: Declared<Daihinmin, Sample> = bot("default", "1.0.0", "Plays like the contest's sample client");

/// Plays like the sample client of the UECda contest, in its manner rather than move for move:
///
/// - It follows whenever it can, also its own play after all others have passed: with the weakest legal play, without the
///   joker if there is such a one, and of equally strong plays the first in card order (♠ ♥ ♦ ♣).
/// - It leads a sequence first, else a group, else a single; of these the weakest, and of equally weak ones the one with
///   the most cards.
/// - The joker goes last: a lead has it only when nothing else is left, an answer only when no other is legal.
/// - It gives its weakest cards away, as [`gift`] says.
///
/// It uses neither card history nor locks nor the cards' effects. (The contest's own client differs in detail: it also
/// avoids to break groups up, and takes longer leads before weaker ones.)
#[derive(Clone, Copy, Debug)]
pub struct Sample;

impl daihinmin::Bot for Sample {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Sample, String> {
        Ok(Sample)
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        choose(turn.view(), turn.legal())
    }

    fn act(&mut self, turn: &Turn) -> usize {
        choose(turn.view(), turn.legal())
    }
}

/// The index of the action, play or gift, that the sample client chooses among `legal`.
#[must_use]
pub fn choose(view: &View, legal: &[Action]) -> usize {
    if view.phase == phase::EXCHANGE {
        return gift::weakest_gift(view, legal);
    }
    let order = Order::in_force(view);
    // Answers are all of one kind and size, so that these parts only decide between leads.
    let key = |play: &Action| {
        let (kind, count) = (kind::SEQUENCE - play.kind, u8::MAX - play.count);
        (play.is_pass(), play.uses_joker(), kind, order.strength(play), count, place_of_suits(play))
    };
    (0..legal.len()).min_by_key(|&index| key(&legal[index])).unwrap_or(0)
}
