//! The contest's sample client, decision for decision.

use crate::evaluation::EVERY_COLUMN;
use crate::order::{Order, place_of_suits, takes_rank};
use hattari_plugin::daihinmin::card::{CardSet, JOKER_SET, SUITED};
use hattari_plugin::daihinmin::{
    self, Action, Block, Daihinmin, Turn, View, bot, kind, phase, rule,
};
use hattari_plugin::{Declared, NoConfig};

/// `client`.
pub const CLIENT: Declared<Daihinmin, Client> = bot(
    "client",
    "2.0.0",
    "Plays what the contest's sample client plays, decision for decision",
);

/// Plays what the sample client of the UECda contest plays, in all decisions of all recorded games
/// on the contest's server; `default` plays in its manner alone and is weaker. It
///
/// - leads its longest sequence, else its largest group, else a single, of these the weakest, with
///   the joker in every sequence and group that can take it;
/// - follows a single with its weakest card that stands in no group and no sequence, else with the
///   joker; never a lone joker, not even with ♠3;
/// - follows a group with the weakest rank of which it holds as many cards as it needs, counting
///   only the suits that a lock admits; else with a rank that lacks one card and the joker; so
///   larger groups are broken up under a lock alone;
/// - follows a sequence with the end of a run that is long enough, else with the joker, and passes
///   where the sequence that it thinks of first would have to lie on the table's own rank; this one
///   quirk comes of how it looks for sequences;
/// - else passes, and answers its own play like any other;
/// - gives its weakest cards away, ♠ ♥ ♦ ♣ within a rank.
///
/// It knows no rules but those of the contest: where sequences are switched off it does without,
/// and an eleven-back is a revolution to it.
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
    let wish = match view.phase {
        phase::EXCHANGE => {
            let gift = weakest(view.hand, view.give);
            legal.iter().position(|action| action.cards == gift)
        }
        _ if view.table.is_pass() => lead(view, legal),
        _ => follow(view, legal),
    };
    // The pass comes first. It has no use for an illegal wish either: the contest's server takes
    // such a play for a pass.
    wish.unwrap_or(0)
}

/// The `count` weakest cards, spades first within a rank, the joker last: cells are numbered so.
fn weakest(mut hand: CardSet, count: u8) -> CardSet {
    let all = hand;
    for _ in 0..count {
        hand &= hand.wrapping_sub(1);
    }
    all & !hand
}

fn lead(view: &View, legal: &[Action]) -> Option<usize> {
    let hand = Hand::new(view, view.hand);
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
    let suits = if view.lock == 0 {
        CardSet::MAX
    } else {
        EVERY_COLUMN * CardSet::from(table.suits)
    };
    let all = Hand::new(view, view.hand);
    match table.kind {
        kind::SEQUENCE => {
            // What beats the table stands above its top, or in a revolution below its bottom.
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

/// The cards that stand in a sequence of three or more.
fn in_sequence(hand: CardSet) -> CardSet {
    let starts = hand & hand >> 4 & hand >> 8;
    starts | starts << 4 | starts << 8
}

/// Cards to choose from.
#[derive(Clone, Copy)]
struct Hand {
    /// Without the joker.
    cards: CardSet,
    joker: bool,
    order: Order,
}

/// A sequence that the client would play, legal or not.
struct Wish {
    cells: CardSet,
    count: u8,
    joker: bool,
}

impl Hand {
    fn new(view: &View, cards: CardSet) -> Hand {
        Hand {
            cards: cards & SUITED,
            joker: cards & JOKER_SET != 0,
            order: Order::in_force(view),
        }
    }

    /// How many cells a sequence covers that begins in cell `start` and goes on as far as the cards
    /// go, and the joker once.
    fn reach(&self, start: u8, joker: bool) -> u8 {
        let mut spare = joker;
        let held = |cell: &u8| self.cards >> cell & 1 != 0 || std::mem::take(&mut spare);
        (start..60).step_by(4).take_while(held).map(|_| 1).sum()
    }

    /// The weakest sequence of so many cells, among those that go on as far as they can; with the
    /// joker, or without.
    fn sequence(&self, count: u8, joker: bool) -> Option<Wish> {
        let begins = |cell: &u8| self.reach(*cell, joker) == count;
        let start = if self.order.reversed {
            // From the strongest rank, which is the weakest then, with ♣ first; never from the
            // joker's cell, yet where the cell below would serve with the joker in it,
            // from there.
            let held = |cell: &u8| self.cards >> cell & 1 != 0;
            let start = (4..56).rev().filter(held).find(begins)?;
            Some(start - 4).filter(begins).unwrap_or(start)
        } else {
            (0..56).find(begins)?
        };
        let cells = (0..count).fold(0, |cells, step| cells | 1 << (start + 4 * step));
        Some(Wish {
            cells,
            count,
            joker,
        })
    }
}

impl Wish {
    fn find(&self, legal: &[Action]) -> Option<usize> {
        let same = |play: &Action| {
            (play.kind, play.cells, play.count, play.uses_joker())
                == (kind::SEQUENCE, self.cells, self.count, self.joker)
        };
        legal.iter().position(same)
    }
}
