//! The bot `default`: plays in the style of the contest's sample client.

use crate::gift;
use crate::order::{Order, place_of_suits};
use hattari_plugin::daihinmin::{self, Action, Block, Daihinmin, Turn, View, bot, kind, phase};
use hattari_plugin::{Declared, NoConfig};

/// Declaration of the bot `default`.
pub const DEFAULT: Declared<Daihinmin, Sample> = bot(
    "default",
    "1.0.0",
    "Plays the weakest legal play, in the style of the contest's sample client",
);

/// A bot in the style of the sample client of the UECda contest. It does not make the same moves as
/// this client and is weaker; the bot `client` makes the same moves.
///
/// - It follows whenever it can, even its own play after all others have passed. It chooses the
///   weakest legal play, without the joker if possible, and among equally strong plays the first in
///   card order (♠ ♥ ♦ ♣).
/// - It leads a sequence, else a group, else a single. It chooses the weakest of them, and among
///   equally weak ones the one with the most cards.
/// - It keeps the joker: a lead uses it only if nothing else is left, and an answer uses it only if
///   no other play is legal.
/// - It gives away its weakest cards (`gift`).
///
/// The bot uses neither card history nor locks nor the effects of cards. The contest's own client
/// is stronger for two main reasons: it does not break up groups to follow, and it prefers longer
/// leads to weaker ones.
pub struct Sample;

impl daihinmin::Bot for Sample {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Sample, String> {
        Ok(Sample)
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        self.act(turn)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        choose(turn.view(), turn.legal())
    }
}

/// Returns the index of the action (play or gift) that `default` chooses among `legal`.
pub fn choose(view: &View, legal: &[Action]) -> usize {
    if view.phase == phase::EXCHANGE {
        return gift::weakest_gift(legal);
    }
    let order = Order::in_force(view);
    // All answers have the same kind and size, so kind and size only matter for leads.
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
