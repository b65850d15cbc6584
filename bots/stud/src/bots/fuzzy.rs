//! The fuzzy-logic stud player, and variants with one part disabled.

use crate::fuzzy::{Action, Config, Player, Situation};
use crate::range::Range;
use hattari_plugin::stud::{self, Block, DealEnd, Stud, Turn, View, bot};
use hattari_plugin::{Choice, Declared, Rng};

/// Declaration of the bot `fuzzy`.
pub const FUZZY: Declared<Stud, Fuzzy> = bot(
    "fuzzy",
    VERSION,
    "Estimates its hand by fuzzy rules, bluffs, and learns its opponent's tendencies",
);
/// Declaration of the bot `fuzzy-no-learning`.
pub const NO_LEARNING: Declared<Stud, Fuzzy> = bot(
    "fuzzy-no-learning",
    VERSION,
    "Like fuzzy, but does not learn its opponent's tendencies",
)
.preset(|| Config {
    learning: false,
    ..Config::default()
});
/// Declaration of the bot `fuzzy-no-bluff`.
pub const NO_BLUFF: Declared<Stud, Fuzzy> =
    bot("fuzzy-no-bluff", VERSION, "Like fuzzy, but never bluffs").preset(|| Config {
        bluff: false,
        ..Config::default()
    });
/// Declaration of the bot `fuzzy-no-opening`.
pub const NO_OPENING: Declared<Stud, Fuzzy> = bot(
    "fuzzy-no-opening",
    VERSION,
    "Like fuzzy, but turns up a random hole card",
)
.preset(|| Config {
    opening: false,
    ..Config::default()
});

const VERSION: &str = "1.0.0";

/// The player of a paper of the JSME Intelligent Systems Symposium (2002). See [`crate::fuzzy`] for
/// its algorithm and the settings.
///
/// The player plays against one opponent. In the game with seven turns, the limits of bets are
/// those of the paper. The fixed-limit game has five streets with the cards of turns 1 to 5, and no
/// cards to turn up; an amount in the upper half of the range becomes a raise. If the rules reveal
/// the hand of an opponent who has folded, the player learns from it.
#[derive(Debug)]
pub struct Fuzzy {
    player: Player,
    rng: Rng,
}

impl Fuzzy {
    /// Returns the player with its estimates in the current game and its learned tendencies.
    pub fn player(&self) -> &Player {
        &self.player
    }
}

/// Returns the situation that the player evaluates, from the view of its seat.
///
/// The bet in the situation is the number of chips that the player needs for a call. After a raise,
/// this is the amount of the raise.
pub fn situation(view: &View) -> Situation {
    let seat = usize::from(view.seat);
    let chips = |chips: i64| u64::try_from(chips).unwrap_or(0);
    Situation {
        turn: view.street + 1,
        own: view.hand,
        shown: view.up[seat],
        opponent: view.up[1 - seat],
        pot: chips(view.street_pot),
        bet: chips(view.level - view.bets[seat]),
    }
}

impl stud::Bot for Fuzzy {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        config.check()
    }

    fn new(config: Config, block: &Block) -> Result<Fuzzy, String> {
        if block.players != 2 {
            return Err(format!(
                "the fuzzy player plays against one opponent; this table has {} players",
                block.players
            ));
        }
        Ok(Fuzzy {
            player: Player::new(config)?,
            rng: block.rng(),
        })
    }

    fn open(&mut self, turn: &Turn) -> usize {
        let opening = self.player.open(&situation(turn.view()), &mut self.rng);
        turn.legal()
            .iter()
            .position(|action| action.card == opening.card)
            .unwrap_or(0)
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let range = Range::of(turn);
        let limit = |total: i64| u64::try_from(total).unwrap_or(0);
        let limits = (limit(range.lowest), limit(range.highest));
        match self
            .player
            .act(&situation(turn.view()), limits, &mut self.rng)
        {
            Action::Drop => range.give_up(),
            Action::Bet(total) => range.nearest(i64::try_from(total).unwrap_or(i64::MAX)),
        }
    }

    fn deal_end(&mut self, end: &DealEnd) {
        let view = end.view();
        let cards = view.shown[1 - usize::from(view.seat)];
        let opponent = (cards.count_ones() == 7).then_some(cards);
        self.player.end(opponent, view.in_play_count() < 2);
    }
}
