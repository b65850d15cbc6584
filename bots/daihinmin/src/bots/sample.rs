//! A player in the manner of the contest's sample client.

use crate::gift;
use crate::order::{Order, place_of_suits};
use hattari_plugin::daihinmin::{self, Action, Block, Daihinmin, Turn, View, bot, kind, phase};
use hattari_plugin::{Declared, NoConfig};

/// `default`.
pub const DEFAULT: Declared<Daihinmin, Sample> = bot(
    "default",
    "1.0.0",
    "In the manner of the contest's sample client, but weaker: `client` is the faithful one",
);

/// Plays in the manner of the sample client of the UECda contest, not move for move, and is weaker
/// than it: the faithful one is `client`.
///
/// - It follows whenever it can, also its own play after all others have passed: with the weakest
///   legal play, without the joker if there is such a one, and of equally strong plays the first in
///   card order (♠ ♥ ♦ ♣).
/// - It leads a sequence first, else a group, else a single; of these the weakest, and of equally
///   weak ones the one with the most cards.
/// - The joker goes last: a lead has it only when nothing else is left, an answer only when no
///   other is legal.
/// - It gives its weakest cards away, as [`gift`] says.
///
/// It uses neither card history nor locks nor the cards' effects. (What the contest's own client
/// does better is above all that it does not break groups up to follow; it also takes longer leads
/// before weaker ones.)
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

/// The index of the action, play or gift, that `default` chooses among `legal`.
#[must_use]
pub fn choose(view: &View, legal: &[Action]) -> usize {
    if view.phase == phase::EXCHANGE {
        return gift::weakest_gift(view, legal);
    }
    let order = Order::in_force(view);
    // Answers are all of one kind and size, so that these parts only decide between leads.
    let key = |play: &Action| {
        let (kind, count) = (kind::SEQUENCE - play.kind, u8::MAX - play.count);
        (
            play.is_pass(),
            play.uses_joker(),
            kind,
            order.strength(play),
            count,
            place_of_suits(play),
        )
    };
    (0..legal.len())
        .min_by_key(|&index| key(&legal[index]))
        .unwrap_or(0)
}
