//! The contest's sample client, move for move.

use crate::gift;
use crate::order::{Order, place_of_suits};
use hattari_plugin::daihinmin::card::{CardSet, SUITED, column_set};
use hattari_plugin::daihinmin::{self, Action, Block, Daihinmin, Turn, View, bot, kind, phase, rule};
use hattari_plugin::{Declared, NoConfig};

/// `client`.
pub const CLIENT: Declared<Daihinmin, Client> =
    bot("client", "1.0.0", "Plays what the contest's sample client plays, as recorded games show it");

/// Plays what the sample client of the UECda contest plays, as far as recorded games on the contest's server tell; `default`
/// plays in its manner alone. It
///
/// - leads its longest sequence, else its largest group, else a single, of these the weakest, with the joker in it where
///   that makes it larger;
/// - follows a single with its weakest card that stands in no group and no sequence, a group with its weakest whole group
///   of that size, a sequence with its weakest; else with the joker; else it passes, whatever it could break up;
/// - gives its weakest cards away.
#[derive(Clone, Copy, Debug)]
pub struct Client;

impl daihinmin::Bot for Client {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Client, String> {
        Ok(Client)
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
    let hand = view.hand & SUITED;
    let leads = view.table.is_pass();
    let whole = |play: &Action| (hand & column_set(play.column)).count_ones() == u32::from(play.count);
    let in_sequence = if view.rules & rule::SEQUENCES == 0 { 0 } else { in_sequence(hand) };
    let fits = |play: &Action| match play.kind {
        _ if leads => !play.is_pass(),
        kind::SINGLE => play.uses_joker() || whole(play) && play.cards & in_sequence == 0,
        kind::GROUP => play.uses_joker() || whole(play),
        kind::SEQUENCE => true,
        _ => false,
    };
    let key = |play: &Action| {
        let size = if leads { (kind::SEQUENCE - play.kind, u8::MAX - play.count) } else { (0, 0) };
        (size, play.uses_joker(), order.strength(play), place_of_suits(play))
    };
    let fitting = (0..legal.len()).filter(|&index| fits(&legal[index]));
    fitting.min_by_key(|&index| key(&legal[index])).unwrap_or(0)
}

/// The cards that stand in a sequence of three or more.
fn in_sequence(hand: CardSet) -> CardSet {
    let starts = hand & hand >> 4 & hand >> 8;
    starts | starts << 4 | starts << 8
}
