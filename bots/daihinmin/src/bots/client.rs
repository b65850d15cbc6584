//! The bot `client`: the sample client of the UECda contest.

use crate::order::{Order, place_of_suits, takes_rank};
use hattari_plugin::daihinmin::card::{CardSet, JOKER_SET, SUITED};
use hattari_plugin::daihinmin::{
    self, Action, Block, Daihinmin, Turn, View, bot, kind, phase, rule,
};
use hattari_plugin::games::daihinmin::moves::{in_sequence, suits_allowed};
use hattari_plugin::{Declared, NoConfig};

/// Declaration of the bot `client`.
pub const CLIENT: Declared<Daihinmin, Client> = bot(
    "client",
    "2.0.0",
    "Makes the same decisions as the sample client of the UECda contest",
);

/// A bot that makes the same decisions as the sample client of the UECda contest in all recorded
/// games. In contrast, the bot `default` only imitates the style of this client and is weaker.
///
/// The bot:
///
/// - leads its longest sequence, else its largest group, else a single. Among equally long ones it
///   leads the weakest. It adds the joker to every sequence and group that can take it.
/// - follows a single with its weakest card that belongs to no group and no sequence, else with the
///   joker. It never follows a lone joker, not even with ♠3.
/// - follows a group with the weakest rank of which it holds exactly the required number of cards,
///   counting only the suits that a lock allows. Otherwise it completes a rank that lacks one card
///   with the joker. Larger groups are therefore broken up only under a lock.
/// - follows a sequence with the highest cards of a run that is long enough, else with the joker.
///   It passes if the first sequence found would include the rank of the table's own cards, because
///   of the way in which the client searches.
/// - otherwise passes. It treats its own play on the table like any other.
/// - gives away its weakest cards; within a rank in the order ♠ ♥ ♦ ♣.
///
/// The bot knows only the rules of the contest. If sequences are disabled, it plays none. It treats
/// an eleven-back like a revolution.
pub struct Client;

impl daihinmin::Bot for Client {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Client, String> {
        Ok(Client)
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        self.act(turn)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        choose(turn.view(), turn.legal())
    }
}

/// Returns the index of the action (play or gift) that the sample client chooses among `legal`.
pub fn choose(view: &View, legal: &[Action]) -> usize {
    let wish = match view.phase {
        phase::EXCHANGE => {
            let gift = weakest(view.hand, view.give);
            legal.iter().position(|action| action.cards == gift)
        }
        _ if view.table.is_pass() => lead(view, legal),
        _ => follow(view, legal),
    };
    // Action 0 is the pass. It also replaces an illegal choice, because the contest's server treats
    // an illegal play as a pass.
    wish.unwrap_or(0)
}

/// Returns the `count` weakest cards, spades first within a rank, the joker last of all. This is
/// the order of the bits in a `CardSet`.
fn weakest(mut hand: CardSet, count: u8) -> CardSet {
    let all = hand;
    for _ in 0..count {
        hand &= hand.wrapping_sub(1);
    }
    all & !hand
}

fn lead(view: &View, legal: &[Action]) -> Option<usize> {
    let hand = Hand::new(view);
    let sequence = || {
        (3..=15)
            .rev()
            .find_map(|count| hand.sequence(count, hand.joker))
    };
    if view.rules & rule::SEQUENCES != 0
        && let Some(wish) = sequence()
    {
        return wish.find(legal);
    }
    let key = |play: &Action| {
        (
            u8::MAX - play.count,
            play.uses_joker(),
            hand.order.strength(play),
            place_of_suits(play),
        )
    };
    let whole = |play: &&(usize, &Action)| {
        play.1.kind == kind::GROUP
            && play.1.uses_joker() == hand.joker
            && takes_rank(play.1, hand.cards)
    };
    let plays = || legal.iter().enumerate();
    let group = plays()
        .filter(|play| whole(&play))
        .min_by_key(|(_, play)| key(play));
    let single = || {
        plays()
            .filter(|(_, play)| play.kind == kind::SINGLE)
            .min_by_key(|(_, play)| key(play))
    };
    group.or_else(single).map(|(index, _)| index)
}

fn follow(view: &View, legal: &[Action]) -> Option<usize> {
    let table = &view.table;
    let suits = suits_allowed(&view.into());
    let all = Hand::new(view);
    match table.kind {
        kind::SEQUENCE => {
            // Cards that beat the table are above its highest rank or, in a revolution, below its
            // lowest.
            let edge = if all.order.reversed {
                table.column
            } else {
                table.column + table.count - 1
            };
            let beating = Hand {
                cards: all.cards & suits & all.order.stronger(edge),
                ..all
            };
            let with_joker = || beating.sequence(table.count, true).filter(|_| all.joker);
            beating
                .sequence(table.count, false)
                .or_else(with_joker)?
                .find(legal)
        }
        _ if table.is_lone_joker() => None,
        _ => {
            let bound = in_sequence(all.cards);
            let fits = |play: &Action| match play.kind {
                kind::SINGLE => {
                    play.is_lone_joker() || takes_rank(play, all.cards) && play.cards & bound == 0
                }
                kind::GROUP => takes_rank(play, all.cards & suits),
                _ => false,
            };
            let key = |play: &Action| {
                (
                    play.uses_joker(),
                    all.order.strength(play),
                    place_of_suits(play),
                )
            };
            let fitting = legal.iter().enumerate().filter(|(_, play)| fits(play));
            fitting
                .min_by_key(|(_, play)| key(play))
                .map(|(index, _)| index)
        }
    }
}

/// The cards from which a sequence is formed.
struct Hand {
    /// Cards without the joker.
    cards: CardSet,
    joker: bool,
    order: Order,
}

/// A sequence that the client wants to play, legal or not.
struct WantedSequence {
    cells: CardSet,
    count: u8,
    joker: bool,
}

impl Hand {
    fn new(view: &View) -> Hand {
        Hand {
            cards: view.hand & SUITED,
            joker: view.hand & JOKER_SET != 0,
            order: Order::in_force(view),
        }
    }

    /// Returns the length of the longest sequence that starts at cell `start`. If `joker` is true,
    /// the joker replaces one missing card.
    fn reach(&self, start: u8, joker: bool) -> u8 {
        let mut spare = joker;
        let held = |cell: &u8| self.cards >> cell & 1 != 0 || std::mem::take(&mut spare);
        (start..60).step_by(4).take_while(held).map(|_| 1).sum()
    }

    /// Returns the weakest sequence that has `count` cells and cannot be continued. If `joker` is
    /// true, the joker replaces one missing card.
    fn sequence(&self, count: u8, joker: bool) -> Option<WantedSequence> {
        let begins = |cell: &u8| self.reach(*cell, joker) == count;
        let start = if self.order.reversed {
            // Search from the strongest rank, which is the weakest in a revolution, ♣ first. The
            // search does not start at the joker's cell. The sequence found then moves down by one
            // cell if the joker can take this cell.
            let held = |cell: &u8| self.cards >> cell & 1 != 0;
            let start = (4..56).rev().filter(held).find(begins)?;
            Some(start - 4).filter(begins).unwrap_or(start)
        } else {
            (0..56).find(begins)?
        };
        let cells = (0..count).fold(0, |cells, step| cells | 1 << (start + 4 * step));
        Some(WantedSequence {
            cells,
            count,
            joker,
        })
    }
}

impl WantedSequence {
    fn find(&self, legal: &[Action]) -> Option<usize> {
        let same = |play: &Action| {
            (play.kind, play.cells, play.count, play.uses_joker())
                == (kind::SEQUENCE, self.cells, self.count, self.joker)
        };
        legal.iter().position(same)
    }
}
