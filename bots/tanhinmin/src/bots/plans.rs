//! Three bots with simple plans and a random one.
//!
//! The list of actions begins with the pass, followed by the legal cards in ascending order of
//! strength. The plans therefore choose by index.

use hattari_plugin::tanhinmin::{self, Block, Tanhinmin, Turn, View, bot};
use hattari_plugin::{Declared, NoConfig, Uniform};

/// The bot `eager`: plays its weakest card whenever it can.
pub const EAGER: Declared<Tanhinmin, Eager> = bot(
    "eager",
    "1.0.0",
    "Plays its weakest legal card, passes if it has none",
);
/// The bot `saver`: keeps its weakest card until the end.
pub const SAVER: Declared<Tanhinmin, Saver> = bot(
    "saver",
    "1.0.0",
    "Plays its weakest legal card, but keeps the weakest of its hand until the end",
);
/// The bot `boss`: plays certain wins.
pub const BOSS: Declared<Tanhinmin, Boss> = bot(
    "boss",
    "1.0.0",
    "Like saver, but plays its strongest cards first if this is a certain win",
);
/// The bot `random`: all actions have the same probability.
pub const RANDOM: Declared<Tanhinmin, Uniform> = Declared::new(
    "random",
    "1.0.0",
    "Plays a random legal action; all have the same probability",
);

/// A bot that plays its weakest card whenever it can.
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

/// A bot that keeps its weakest card until the end, because even this card can be played as the
/// last one if the bot leads. Otherwise plays like [`Eager`].
pub struct Saver;

impl tanhinmin::Bot for Saver {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Saver, String> {
        Ok(Saver)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        saving_choice(turn)
    }
}

/// A bot like [`Saver`] that plays its strongest cards first if at most one of its cards can be
/// beaten, because then it is certain to win.
pub struct Boss;

impl tanhinmin::Bot for Boss {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Boss, String> {
        Ok(Boss)
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let strongest = turn.legal().len() - 1;
        if is_certain_win(turn.view()) && !turn.legal()[strongest].is_pass() {
            strongest
        } else {
            saving_choice(turn)
        }
    }
}

/// Returns the index of the weakest play, or of the pass if there is no play.
fn weakest_play(turn: &Turn) -> usize {
    turn.legal()
        .iter()
        .position(|action| !action.is_pass())
        .unwrap_or(0)
}

/// Returns the index of the weakest play that keeps the weakest card of the hand, or of the weakest
/// play if there is no such play.
fn saving_choice(turn: &Turn) -> usize {
    let weakest = turn.view().hand.trailing_zeros();
    let first = weakest_play(turn);
    let play = turn.legal()[first];
    match turn.legal().len() {
        // The player leads with more than one card, so it plays the second weakest card.
        actions if !play.is_pass() && u32::from(play.card) == weakest && first + 1 < actions => {
            first + 1
        }
        _ => first,
    }
}

/// Returns `true` if all cards in the hand except at most one are stronger than all unseen cards,
/// so that each of them wins its trick.
pub fn is_certain_win(view: &View) -> bool {
    let unseen = view.unseen();
    let beaten = if unseen == 0 {
        0
    } else {
        view.hand & (u64::MAX >> unseen.leading_zeros())
    };
    beaten.count_ones() <= 1
}
