//! Plays an ACPC match with one of our bots as a client of an external dealer: reads the dealer's
//! lines, calls the bot and sends its actions.

use super::follow::{Follow, Stage};
use super::line::{LINE_MAX, VERSION, is_comment};
use crate::player::{Faults, Player};
use hattari_agents::agent::socket::{ConnectionEnd, Stream};
use hattari_agents::agent::{Agent, BlockStart};
use hattari_formats::acpc::MatchState;
use hattari_plugin::games::holdem::{Holdem, Options};
use hattari_plugin::games::{Game, GameTypes};
use std::time::{Duration, Instant};

/// Parameters of a match.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// Rules that the dealer uses.
    pub options: Options,
    /// Number of players of the game; `None` accepts any number.
    pub players: Option<u8>,
    /// Planned number of hands, 0 if unknown. The bot receives it; it does not end the match.
    pub deals: u32,
    /// Random seed of the bot.
    pub seed: u64,
    /// Maximum time that the dealer may be silent.
    pub patience: Duration,
}

/// The result of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// True if the first hand has begun.
    pub has_begun: bool,
    /// Number of completed hands.
    pub hands: u32,
    /// Chips won minus chips lost, by the rules of this project: odd chips of a split pot go to the
    /// first winners left of the button.
    pub won: i64,
    /// Faults of the bot.
    pub faults: Faults,
}

/// The reason why a match was not completed.
#[derive(Debug, thiserror::Error)]
pub enum Unplayed {
    /// The options are invalid for hold'em.
    #[error("invalid options: {0}")]
    Options(String),
    /// The connection was lost.
    #[error("after {hands} hands: {lost}")]
    Lost {
        /// Number of hands that were completed before.
        hands: u32,
        /// Error of the connection.
        lost: ConnectionEnd,
    },
    /// The dealer sent an invalid line.
    #[error("`{line}`: {message}")]
    Foreign {
        /// The line.
        line: String,
        /// Description of the error.
        message: String,
    },
}

impl Unplayed {
    /// Returns `true` if the dealer has closed the connection.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Unplayed::Lost { lost, .. } if lost.is_gone())
    }
}

/// Plays a match on a new connection until the dealer closes it.
///
/// Returns the result so far, and an error if the match was not completed: for example, the dealer
/// disconnected during a hand or plays by other rules.
pub fn play_match(
    stream: &mut Stream,
    agent: &mut dyn Agent,
    terms: &MatchTerms,
) -> (Joined, Result<(), Unplayed>) {
    let mut joined = Joined::default();
    let played = play(stream, agent, terms, &mut joined);
    (joined, played)
}

fn play(
    stream: &mut Stream,
    agent: &mut dyn Agent,
    terms: &MatchTerms,
    joined: &mut Joined,
) -> Result<(), Unplayed> {
    let game = Holdem::new(terms.options.clone()).map_err(Unplayed::Options)?;
    let options_json = serde_json::to_string(&terms.options).expect("options are plain data");
    let mut dealer = Dealer {
        stream,
        patience: terms.patience,
    };
    dealer
        .say(VERSION)
        .map_err(|lost| Unplayed::Lost { hands: 0, lost })?;
    let Some((line, state)) = dealer.next(0, false)? else {
        return Err(gone(0));
    };
    joined.has_begun = true;
    if let Some(players) = terms
        .players
        .filter(|&players| usize::from(players) != state.cards.holes.len())
    {
        return Err(foreign(
            &line,
            format!(
                "the line has {} players, but the game has {players}",
                state.cards.holes.len()
            ),
        ));
    }
    let mut follow =
        Follow::new(&game, &state, terms.deals).map_err(|message| foreign(&line, message))?;
    let start = BlockStart {
        game: Holdem::ID,
        options_json: &options_json,
        players: follow.players().into(),
        player: follow.seat().into(),
        deals: terms.deals,
        seed: terms.seed,
    };
    let mut player = Player::start(agent, start);
    let played = play_hands(&mut dealer, &mut player, &mut follow, joined, (line, state));
    joined.faults = player.finish();
    played
}

fn foreign(line: &str, message: String) -> Unplayed {
    Unplayed::Foreign {
        line: line.into(),
        message,
    }
}

/// Plays all hands, beginning with the dealer's first state.
fn play_hands(
    dealer: &mut Dealer<'_>,
    player: &mut Player<'_>,
    follow: &mut Follow<'_>,
    joined: &mut Joined,
    (mut line, mut state): (String, MatchState),
) -> Result<(), Unplayed> {
    let mut is_over = true;
    loop {
        if follow.is_another(&state) {
            if !is_over {
                return Err(foreign(
                    &line,
                    "another hand begins before this one has ended".into(),
                ));
            }
            follow
                .begin(&state)
                .map_err(|message| foreign(&line, message))?;
            player.deal_start(&follow.seen());
        } else if is_over {
            return Err(foreign(&line, "the hand has already ended".into()));
        }
        let stage = follow
            .read(&state)
            .map_err(|message| foreign(&line, message))?;
        is_over = stage == Stage::Over;
        match stage {
            Stage::Mine => {
                let actions = follow.legal();
                let choice = player.choose::<Holdem>(follow.seen(), &actions);
                let answer = format!("{line}:{}", follow.words(&choice));
                dealer.say(&answer).map_err(|lost| Unplayed::Lost {
                    hands: joined.hands,
                    lost,
                })?;
            }
            Stage::Theirs => {}
            Stage::Over => {
                let payoffs = follow.end();
                player.deal_end(&follow.seen(), &payoffs);
                joined.hands += 1;
                joined.won += payoffs[usize::from(follow.seat())];
            }
        }
        match dealer.next(joined.hands, is_over)? {
            Some(next) => (line, state) = next,
            None => return Ok(()),
        }
    }
}

fn gone(hands: u32) -> Unplayed {
    Unplayed::Lost {
        hands,
        lost: ConnectionEnd::Closed(0, 0),
    }
}

/// The connection to the dealer.
struct Dealer<'a> {
    stream: &'a mut Stream,
    patience: Duration,
}

impl Dealer<'_> {
    fn say(&mut self, line: &str) -> Result<(), ConnectionEnd> {
        self.stream.put(line.as_bytes());
        self.stream.put(b"\r\n");
        self.stream.flush(Instant::now() + self.patience)
    }

    /// Returns the next state, or `None` if the dealer has closed the connection and `may_end` is
    /// true.
    fn next(
        &mut self,
        hands: u32,
        may_end: bool,
    ) -> Result<Option<(String, MatchState)>, Unplayed> {
        loop {
            let bytes = match self
                .stream
                .read_line(LINE_MAX, Instant::now() + self.patience)
            {
                Ok(bytes) => bytes,
                // A dealer that exits may leave received lines unread. The operating system then
                // reports a broken connection.
                Err(ConnectionEnd::Closed(0, _) | ConnectionEnd::Broken(_)) if may_end => {
                    return Ok(None);
                }
                Err(lost) => return Err(Unplayed::Lost { hands, lost }),
            };
            if is_comment(&bytes) {
                continue;
            }
            let line = String::from_utf8_lossy(&bytes).into_owned();
            return match line.parse() {
                Ok(state) => Ok(Some((line, state))),
                Err(message) => Err(Unplayed::Foreign { line, message }),
            };
        }
    }
}
