//! The play styles of Satō and Itō (大貧民におけるプレイスタイルの相性に関する研究, section 4.1): one algorithm with
//! switches. The following steps are tried in order.
//!
//! 1. **Two cards left** (`history`). If one of them is legal as a single with [evaluation] 0, it
//!    is played; the other card follows on the next lead. If both qualify, the weaker one is
//!    played. If both cards can be played at once, the steps below do so.
//!
//! 2. **Strategic pass.** If the player's own play is on the table and all other seats with cards
//!    have passed, the style passes, and leads next.
//!
//! 3. **Following.** The weakest legal play. Among equally strong plays it is one without the
//!    joker, then the first in card order (♠ ♥ ♦ ♣). Without a legal play: pass.
//!
//! 4. **Leading.** Among all plays with a card of the weakest rank in the hand: a sequence, else a
//!    group, else the single. Of several, the one with the most cards, then one without the joker,
//!    then the weakest, then the first in card order.
//!
//! Switches for step 3:
//!
//! - With lock `weakest`, a play that locks is preferred among *equally* weak ones. These have the
//!   same strength and use of the joker, because a joker used for a lock would be a stronger card.
//! - With lock `prefer`, the weakest play that locks is chosen, whatever its strength.
//! - Both apply to singles and groups, with separate switches, but never to sequences.
//! - With groups `whole`, a group is answered only with all cards of a rank. The hand must contain
//!   as many cards of the rank as the table requires, or one fewer and the joker. Larger groups are
//!   not broken up; if nothing else is legal, the style passes. Reserved cards (see below) and
//!   cards that a lock forbids count as held.
//!
//! With `stairs`, the cards of the sequences of the [plan] are reserved. Following never uses them,
//! not even as a sequence. While there is a sequence of the plan, a lead plays one. In the paper,
//! sequences are formed if they save moves, and played when the player leads. Other sequences below
//! Q are led only if they also save a move. The plan is computed again for each hand.
//!
//! Decisions that the paper leaves open:
//!
//! - *Groups that follow.* `whole` in all named styles. Of many interpretations that were tried, it
//!   agrees best with the paper's tables. It was therefore found from results
//!   (leagues/results/README.md). An argument for it is that the contest's sample client, on which
//!   the paper's players are based, follows groups in this way. An argument against it is that the
//!   paper's players pass only if nothing is legal. `any` follows the text of the paper literally.
//! - *Weakest card.* Cards of one rank are equally weak. Suits decide only between otherwise equal
//!   plays.
//! - *The joker when leading* is a card like others, as in "all legal plays". It makes the weakest
//!   single a pair, and a sequence longer. The contest's sample client does the same. Alone it is
//!   the strongest single, so it is played last.
//! - *The joker in a plan* is not used. Cards that win a trick alone stay free, which is the
//!   paper's reason to exclude Q and above. A sequence with the joker can still be led in step 4 if
//!   it saves a move.
//! - *Order of reserved sequences.* The weakest first, then by card order.
//! - *Reserved sequences and weaker cards.* When leading, the sequence is played first. Few players
//!   can answer it, and the lead that a weak single gives away may not come back.
//! - *Revolution.* The plan uses the current order of ranks: during a revolution, 6 and below
//!   replace Q and above.
//! - *Exchange.* All styles give their weakest cards: `gift`.

use crate::evaluation::evaluation;
use crate::gift;
use crate::order::{Order, place_of_suits, takes_rank};
use crate::plan::{self, Plan};
use hattari_plugin::daihinmin::card::{COLUMN_2, COLUMN_J, CardSet};
use hattari_plugin::daihinmin::{Action, Block, Bot, PLAYERS, Turn, View, effect, kind, phase};
use hattari_plugin::games::daihinmin::rule;
use serde::{Deserialize, Serialize};

hattari_plugin::games::choices! {
    /// The rule for locking plays of one kind.
    pub enum Lock {
        /// Locks are ignored.
        None,
        /// Prefers a play that locks among equally weak ones (最弱縛り).
        Weakest,
        /// Prefers a play that locks, even if it is stronger (縛り優先縛り).
        Prefer,
    }
}

/// The groups that may be played on a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Groups {
    /// All legal groups.
    Any,
    /// Only groups that take all cards of their rank from the hand.
    #[default]
    Whole,
}

/// The switches of a style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switches {
    /// True to use the history of played cards when two cards are left.
    pub history: bool,
    /// The rule for locking singles.
    pub lock_single: Lock,
    /// The rule for locking groups.
    pub lock_group: Lock,
    /// True to keep together sequences that save moves.
    pub stairs: bool,
    /// The groups that may be played on a group.
    pub groups: Groups,
}

/// A play style. In addition to its switches, a style stores only the plan of the last hand, to
/// avoid computing the plan twice.
pub struct Style {
    switches: Switches,
    plan: Plan,
    /// Cards of the hand for which the plan was computed, and true if there was a revolution.
    planned: (CardSet, bool),
}

impl Bot for Style {
    type Config = Switches;

    fn new(switches: Switches, _: &Block) -> Result<Style, String> {
        Ok(Style::of(switches))
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        self.act(turn)
    }

    #[inline]
    fn act(&mut self, turn: &Turn) -> usize {
        self.choose(turn.view(), turn.legal())
    }
}

impl Style {
    /// Creates the style with these switches.
    pub fn of(switches: Switches) -> Style {
        Style {
            switches,
            plan: Plan::default(),
            planned: (0, false),
        }
    }

    /// Returns the index of the action (play or gift) that the style chooses among `legal`. The
    /// result depends only on the arguments and the switches.
    #[inline]
    pub fn choose(&mut self, view: &View, legal: &[Action]) -> usize {
        if view.phase == phase::EXCHANGE {
            return gift::weakest_gift(legal);
        }
        if self.switches.history
            && view.hand.count_ones() == 2
            && let Some(index) = first_of_two(view, legal)
        {
            return index;
        }
        if self.switches.stairs {
            self.make_plan(view);
        }
        if view.table.is_pass() {
            return self.lead(view, legal);
        }
        if owns_trick(view) {
            return legal.iter().position(Action::is_pass).unwrap_or(0);
        }
        self.follow(view, legal)
    }

    /// Returns the index of the weakest legal play that the lock rule and the plan allow. A pass
    /// ranks last.
    #[inline]
    fn follow(&self, view: &View, legal: &[Action]) -> usize {
        let lock = match view.table.kind {
            kind::SINGLE => self.switches.lock_single,
            kind::GROUP => self.switches.lock_group,
            _ => Lock::None,
        };
        let whole = view.table.kind == kind::GROUP && self.switches.groups == Groups::Whole;
        let order = Order::in_force(view);
        weakest(legal, |play| {
            if play.is_pass() {
                return PASS;
            }
            if play.cards & self.plan.reserved != 0 || whole && !takes_rank(play, view.hand) {
                return NEVER;
            }
            let unlocking = play.effects & effect::LOCK == 0;
            u32::from(unlocking & (lock == Lock::Prefer)) << 16
                | u32::from(order.strength(play)) << 8
                | u32::from(play.uses_joker()) << 5
                | u32::from(unlocking & (lock == Lock::Weakest)) << 4
                | u32::from(place_of_suits(play))
        })
    }

    /// Returns the index of the weakest sequence of the plan, if there is one. Otherwise returns
    /// the index of a play with a card of the weakest rank: a sequence, else a group, else the
    /// single.
    fn lead(&self, view: &View, legal: &[Action]) -> usize {
        let order = Order::in_force(view);
        let weakness =
            |play: &Action| u32::from(order.strength(play)) << 4 | u32::from(place_of_suits(play));
        if self.plan.reserved != 0 {
            let planned =
                |play: &Action| !play.is_pass() && self.plan.sequences.contains(&play.cards);
            return weakest(
                legal,
                |play| if planned(play) { weakness(play) } else { NEVER },
            );
        }
        let weakest_rank = order.weakest_rank(view.hand);
        weakest(legal, |play| {
            if play.is_pass() {
                return PASS;
            }
            if play.cards & weakest_rank == 0 || !self.may_lead(view, play) {
                return NEVER;
            }
            u32::from(kind::SEQUENCE - play.kind) << 16
                | u32::from(15 - play.count.min(15)) << 12
                | u32::from(play.uses_joker()) << 8
                | weakness(play)
        })
    }

    /// Returns `true` if the style may lead a play that is not in the plan. With `stairs`, a
    /// sequence below Q may be led only if it saves a move. Without a plan, only sequences with the
    /// joker can save one.
    #[inline]
    fn may_lead(&self, view: &View, play: &Action) -> bool {
        if !self.switches.stairs || play.kind != kind::SEQUENCE || is_strong(view, play) {
            return true;
        }
        // The joker can be added to another move at no cost, so only ranks count. The sequence
        // costs one move.
        plan::ranks(view.hand) > plan::ranks(view.hand & !play.cards) + 1
    }

    fn make_plan(&mut self, view: &View) {
        if view.rules & rule::SEQUENCES == 0 {
            return;
        }
        let wanted = (view.hand, view.revolution != 0);
        if self.planned != wanted {
            self.plan = plan::plan(wanted.0, wanted.1);
            self.planned = wanted;
        }
    }
}

/// Key of a play that must not be chosen. Every list contains a better action: the pass, or a lead
/// with a free card.
const NEVER: u32 = u32::MAX;
/// Key of the pass, which ranks after every play.
const PASS: u32 = u32::MAX - 1;

/// Returns the index of the first play with the smallest key.
#[inline]
fn weakest(legal: &[Action], key: impl Fn(&Action) -> u32) -> usize {
    let mut best = NEVER;
    let mut choice = 0;
    for (index, play) in legal.iter().enumerate() {
        let key = key(play);
        if key < best {
            best = key;
            choice = index;
        }
    }
    choice
}

/// With two cards left, returns the index of the weaker single with evaluation 0. Returns `None` if
/// there is none, or if both cards can be played at once.
#[cold]
fn first_of_two(view: &View, legal: &[Action]) -> Option<usize> {
    if legal.iter().any(|play| play.count == 2) {
        return None;
    }
    let order = Order::in_force(view);
    let sure = |play: &Action| play.kind == kind::SINGLE && evaluation(view, play) == 0;
    let key = |play: &Action| (order.strength(play), place_of_suits(play));
    let singles = legal.iter().enumerate().filter(|(_, play)| sure(play));
    singles
        .min_by_key(|(_, play)| key(play))
        .map(|(index, _)| index)
}

/// Returns `true` if the play on the table is the seat's own and all other seats with cards have
/// passed, so that a pass wins the trick.
#[inline]
fn owns_trick(view: &View) -> bool {
    const ALL: u8 = (1 << PLAYERS) - 1;
    view.table_seat == view.seat && view.passed | view.out | 1 << view.seat == ALL
}

/// Returns `true` if a sequence contains one of the four strongest ranks, or the joker above them.
fn is_strong(view: &View, sequence: &Action) -> bool {
    if view.revolution != 0 {
        sequence.column <= STRONG_IN_REVOLUTION
    } else {
        sequence.column + sequence.count - 1 > COLUMN_J
    }
}

/// Column of the sixes. In a revolution, they are as far from the strongest rank as Q is otherwise.
const STRONG_IN_REVOLUTION: u8 = 4;
const _: () = assert!(STRONG_IN_REVOLUTION == COLUMN_2 - COLUMN_J);
