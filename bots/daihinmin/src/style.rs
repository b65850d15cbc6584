//! The play styles of Satō and Itō (大貧民におけるプレイスタイルの相性に関する研究, section 4.1):
//! one algorithm with switches. In the order in which they decide:
//!
//! 1. **Two cards left** (`history`). If one of them can be played now as a single of [evaluation]
//!    0, it is; the other one follows on the next lead. Of two such the weaker goes. Where both
//!    cards go at once, the steps below do that.
//! 2. **Strategic pass.** If the own play lies on the table and every other seat still in has
//!    passed, pass, and lead.
//! 3. **Following.** The weakest legal play; with equal strength one without the joker, then the
//!    first in card order (♠ ♥ ♦ ♣). No legal play: pass.
//!    - With a lock `weakest` a play that locks goes before others *equally* weak, that is of the
//!      same strength and as much joker: a joker spent for the lock's sake would be a stronger
//!      card.
//!    - With a lock `prefer` the weakest of the plays that lock is taken, if there is any, whatever
//!      its strength.
//!    - Both for singles and groups, each by its own switch; sequences are never locked on purpose.
//!    - With groups `whole` a group is answered only with a rank that goes as a whole: as many
//!      cards of it are held as the table asks for, or one fewer and the joker. Larger groups are
//!      not broken up; with nothing else to play: pass. Reserved cards (below) and those that a
//!      lock forbids are held as well.
//! 4. **Leading.** Among all plays that use a card of the weakest rank in hand: a sequence first,
//!    else a group, else the single. Of several, the one with the most cards, then one without the
//!    joker, then the weakest, then the first in card order.
//!
//! With `stairs` the cards of the [plan]'s sequences are kept: following never uses them, not even
//! as a sequence, and a lead is a sequence of the plan as long as there is one (the paper:
//! sequences are formed where they save moves, and played on the own lead). Other sequences below Q
//! are led only if they, too, save a move. The plan is made anew for each hand.
//!
//! Where the paper says nothing:
//! - *Which groups follow.* `whole` in all named styles. Of many readings that were tried it agrees
//!   best with the paper's tables, so it is a reading found by looking at results
//!   (leagues/results/play-styles.md); for it speaks that the contest's sample client, on which the
//!   paper's players were built, follows groups so, against it that the paper has its players pass
//!   only where nothing is legal. `any` is that text to the letter.
//! - *Weakest card.* Cards of one rank are equally weak; suits only decide between plays that are
//!   equal otherwise.
//! - *The joker when leading* is a card like others, as in "all legal plays": it makes the weakest
//!   single a pair, and a sequence longer. (The contest's sample client, on which the paper's
//!   players were built, does so too.) Alone it is the strongest single, so it is played last.
//! - *The joker in a plan.* None: what takes a trick by itself stays free, the paper's reason to
//!   exclude Q and above. A sequence with the joker may still be led in step 4, if it saves a move.
//! - *Order of reserved sequences.* The weakest first, then by card order.
//! - *Reserved sequences and weaker cards.* The sequence goes first, as long as the lead is one's
//!   own: few can answer it, and the lead that a weak single gives away may not come back.
//! - *Revolution.* The plan is made for the order that a revolution has left: there 6 and below
//!   stand for Q and above.
//! - *Exchange.* The weakest cards, for all styles alike: [`gift`].

use crate::evaluation::evaluation;
use crate::gift;
use crate::order::{Order, place_of_suits, takes_rank};
use crate::plan::{self, Plan};
use hattari_plugin::daihinmin::card::{COLUMN_2, COLUMN_J, CardSet};
use hattari_plugin::daihinmin::{Action, Block, Bot, PLAYERS, Turn, View, effect, kind, phase};
use hattari_plugin::games::daihinmin::rule;
use serde::{Deserialize, Serialize};

/// How plays of one kind are locked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lock {
    /// Locks are not looked for.
    #[default]
    None,
    /// Where several plays are equally weak, one that locks (最弱縛り).
    Weakest,
    /// One that locks, even if it is stronger (縛り優先縛り).
    Prefer,
}

/// Which groups a group may be answered with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Groups {
    /// Those that are legal.
    Any,
    /// Those that take all cards of their rank out of the hand.
    #[default]
    Whole,
}

/// The switches that make a style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switches {
    /// Uses the history of played cards with two cards left.
    pub history: bool,
    /// How singles are locked.
    pub lock_single: Lock,
    /// How groups are locked.
    pub lock_group: Lock,
    /// Keeps sequences together that save moves.
    pub stairs: bool,
    /// Which groups follow.
    pub groups: Groups,
}

/// A play style. Besides its switches it keeps nothing but the plan of the last hand, which saves
/// making it twice.
#[derive(Clone, Debug)]
pub struct Style {
    switches: Switches,
    plan: Plan,
    /// What the plan was made for: the cards, and whether a revolution was on.
    planned: (CardSet, bool),
}

impl Bot for Style {
    type Config = Switches;

    fn new(switches: Switches, _: &Block) -> Result<Style, String> {
        Ok(Style::of(switches))
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        self.choose(turn.view(), turn.legal())
    }

    #[inline]
    fn act(&mut self, turn: &Turn) -> usize {
        self.choose(turn.view(), turn.legal())
    }
}

impl Style {
    /// The style with these switches.
    #[must_use]
    pub fn of(switches: Switches) -> Style {
        Style {
            switches,
            plan: Plan::default(),
            planned: (0, false),
        }
    }

    /// The index of the action, play or gift, that the style chooses among `legal`. It depends on
    /// nothing but the arguments and the switches.
    #[inline]
    pub fn choose(&mut self, view: &View, legal: &[Action]) -> usize {
        if view.phase == phase::EXCHANGE {
            return gift::weakest_gift(view, legal);
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
        if own_trick(view) {
            return legal.iter().position(Action::is_pass).unwrap_or(0);
        }
        self.follow(view, legal)
    }

    /// The weakest play by the lock that its kind has. A pass comes after all of them.
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

    /// A sequence of the plan; without one the play that uses the weakest rank, by kind first.
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

    /// Whether a style leads this play when it has no plan for the hand: with `stairs` it leads a
    /// sequence below Q only if that saves a move, which takes the joker then.
    #[inline]
    fn may_lead(&self, view: &View, play: &Action) -> bool {
        if !self.switches.stairs || play.kind != kind::SEQUENCE || is_strong(view, play) {
            return true;
        }
        // The joker goes along with another move for nothing, so only ranks count; the sequence
        // costs one move itself.
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

/// The key of a play that must not be chosen. Every list has something better: the pass, or a lead
/// of a free card.
const NEVER: u32 = u32::MAX;
/// The key of the pass, which comes after every play.
const PASS: u32 = u32::MAX - 1;

/// The index of the least key, the first of several.
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

/// With two cards left: the weaker single of evaluation 0, `None` if there is none or both cards
/// can go at once.
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

/// Whether the own play lies on top and every other seat that is still in has passed: a pass now
/// takes the trick.
#[inline]
fn own_trick(view: &View) -> bool {
    const ALL: u8 = (1 << PLAYERS) - 1;
    view.table_seat == view.seat && view.passed | view.out | 1 << view.seat == ALL
}

/// Whether a sequence has one of the four strongest ranks, or the joker beyond them.
fn is_strong(view: &View, sequence: &Action) -> bool {
    if view.revolution != 0 {
        sequence.column <= STRONG_IN_REVOLUTION
    } else {
        sequence.column + sequence.count - 1 > COLUMN_J
    }
}

/// The column of the sixes: as far from the strongest rank in a revolution as Q is without.
const STRONG_IN_REVOLUTION: u8 = 4;
const _: () = assert!(STRONG_IN_REVOLUTION == COLUMN_2 - COLUMN_J);
