//! Three simple plans and a random one.
//!
//! Actions are listed with the pass first, then cards from the weakest on, so the plans are
//! functions from a view and the number of actions to an index.

use hattari_plugin::tanhinmin::{self, Block, Tanhinmin, Turn, View, bot};
use hattari_plugin::{Declared, NoConfig, Rng};

/// `eager`: plays its weakest card whenever it can.
pub const EAGER: Declared<Tanhinmin, Eager> =
    bot("eager", "1.0.0", "Plays its weakest card whenever it can");
/// `saver`: keeps its weakest card for the end.
pub const SAVER: Declared<Tanhinmin, Saver> = bot(
    "saver",
    "1.0.0",
    "Keeps its weakest card for the end, when nobody has to be beaten any more",
);
/// `boss`: goes out by cards that nobody can beat.
pub const BOSS: Declared<Tanhinmin, Boss> = bot(
    "boss",
    "1.0.0",
    "Takes the lead with cards that nobody can beat when they suffice to go out",
);
/// `random`: any action as likely as the others.
pub const RANDOM: Declared<Tanhinmin, Random> = bot("random", "1.0.0", "Plays at random");

/// Plays its weakest card whenever it can.
#[derive(Clone, Copy, Debug)]
pub struct Eager;

impl tanhinmin::Bot for Eager {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Eager, String> {
        Ok(Eager)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        weakest_play(turn)
    }
}

/// Keeps its weakest card for the end: whoever has one card left needs the lead and nothing else.
/// Otherwise as [`Eager`].
#[derive(Clone, Copy, Debug)]
pub struct Saver;

impl tanhinmin::Bot for Saver {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Saver, String> {
        Ok(Saver)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        saving(turn)
    }
}

/// As [`Saver`], but goes out as soon as it surely can: all its cards but one are such that nobody
/// can beat them.
#[derive(Clone, Copy, Debug)]
pub struct Boss;

impl tanhinmin::Bot for Boss {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Boss, String> {
        Ok(Boss)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let strongest = turn.legal().len() - 1;
        if goes_out_surely(turn.view()) && !turn.legal()[strongest].is_pass() {
            strongest
        } else {
            saving(turn)
        }
    }
}

/// Any action as likely as the others.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl tanhinmin::Bot for Random {
    type Config = NoConfig;

    fn new(_: NoConfig, block: &Block) -> Result<Random, String> {
        Ok(Random(block.rng()))
    }

    fn act(&mut self, turn: &Turn) -> usize {
        self.0.index(turn.legal().len())
    }
}

/// The first play of the list; the pass where there is none.
fn weakest_play(turn: &Turn) -> usize {
    turn.legal()
        .iter()
        .position(|action| !action.is_pass())
        .unwrap_or(0)
}

/// The weakest play that is not of the weakest card of all, unless that is the only card.
fn saving(turn: &Turn) -> usize {
    let weakest = turn.view().hand.trailing_zeros();
    let first = weakest_play(turn);
    let play = turn.legal()[first];
    match turn.legal().len() {
        // Leading with more than one card: the second weakest.
        actions if !play.is_pass() && u32::from(play.card) == weakest && first + 1 < actions => {
            first + 1
        }
        _ => first,
    }
}

/// Whether all cards but one are stronger than everything unseen, so that each of them wins its
/// trick.
#[must_use]
pub fn goes_out_surely(view: &View) -> bool {
    let unseen = view.unseen();
    let beaten = if unseen == 0 {
        0
    } else {
        view.hand & (u64::MAX >> unseen.leading_zeros())
    };
    beaten.count_ones() <= 1
}
