//! Plays an ACPC match with one of our bots as a client of an external dealer: reads the dealer's
//! lines, calls the bot and sends its actions.

use super::follow::{HandTracker, Stage};
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
pub struct AcpcMatchOptions {
    /// Rules that the dealer uses.
    pub options: Options,
    /// Number of players of the game; `None` accepts any number.
    pub players: Option<u8>,
    /// Planned number of hands; 0 if unknown. The bot receives this number, but the match may end
    /// earlier or later.
    pub deals: u32,
    /// Random seed of the bot.
    pub seed: u64,
    /// Maximum time to wait for a line of the dealer.
    pub timeout: Duration,
}

/// The result of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcpcResult {
    /// True if the first hand has begun.
    pub has_begun: bool,
    /// Number of completed hands.
    pub hands: u32,
    /// Chips won minus chips lost, computed by the rules of this project: odd chips of a split pot
    /// go to the first winners left of the button.
    pub won: i64,
    /// Faults of the bot.
    pub faults: Faults,
}

/// The reason why a match was not completed.
#[derive(Debug, thiserror::Error)]
pub enum AcpcMatchError {
    /// The options are invalid for hold'em.
    #[error("invalid options: {0}")]
    Options(String),
    /// The connection was lost.
    #[error("after {hands} hands: {lost}")]
    Lost {
        /// Number of hands completed before the connection was lost.
        hands: u32,
        /// Error of the connection.
        lost: ConnectionEnd,
    },
    /// The dealer sent an invalid line.
    #[error("`{line}`: {message}")]
    InvalidLine {
        /// The invalid line.
        line: String,
        /// Description of the error.
        message: String,
    },
}

impl AcpcMatchError {
    /// Returns `true` if the dealer has closed the connection.
    #[must_use]
    pub fn is_disconnected(&self) -> bool {
        matches!(self, AcpcMatchError::Lost { lost, .. } if lost.is_gone())
    }
}

/// Plays a match on a new connection until the dealer closes it.
///
/// Returns the result so far, and an error if the match was not completed. For example, the dealer
/// may have disconnected during a hand or play by other rules.
pub fn play_match(
    stream: &mut Stream,
    agent: &mut dyn Agent,
    match_options: &AcpcMatchOptions,
) -> (AcpcResult, Result<(), AcpcMatchError>) {
    let mut joined = AcpcResult::default();
    let played = play(stream, agent, match_options, &mut joined);
    (joined, played)
}

fn play(
    stream: &mut Stream,
    agent: &mut dyn Agent,
    match_options: &AcpcMatchOptions,
    joined: &mut AcpcResult,
) -> Result<(), AcpcMatchError> {
    let game = Holdem::new(match_options.options.clone()).map_err(AcpcMatchError::Options)?;
    let options_json =
        serde_json::to_string(&match_options.options).expect("options are plain data");
    let mut dealer = Dealer {
        stream,
        patience: match_options.timeout,
    };
    dealer
        .send_line(VERSION)
        .map_err(|lost| AcpcMatchError::Lost { hands: 0, lost })?;
    let Some((line, state)) = dealer.next_state(0, false)? else {
        return Err(disconnected(0));
    };
    joined.has_begun = true;
    if let Some(players) = match_options
        .players
        .filter(|&players| usize::from(players) != state.cards.holes.len())
    {
        return Err(invalid_line(
            &line,
            format!(
                "the line has {} players, but the game has {players}",
                state.cards.holes.len()
            ),
        ));
    }
    let mut follow = HandTracker::new(&game, &state, match_options.deals)
        .map_err(|message| invalid_line(&line, message))?;
    let start = BlockStart {
        game: Holdem::ID,
        options_json: &options_json,
        players: follow.players().into(),
        player: follow.seat().into(),
        deals: match_options.deals,
        seed: match_options.seed,
    };
    let mut player = Player::start(agent, start);
    let played = play_hands(&mut dealer, &mut player, &mut follow, joined, (line, state));
    joined.faults = player.finish();
    played
}

fn invalid_line(line: &str, message: String) -> AcpcMatchError {
    AcpcMatchError::InvalidLine {
        line: line.into(),
        message,
    }
}

/// Plays all hands, beginning with the first line of the dealer and its state.
fn play_hands(
    dealer: &mut Dealer<'_>,
    player: &mut Player<'_>,
    follow: &mut HandTracker<'_>,
    joined: &mut AcpcResult,
    (mut line, mut state): (String, MatchState),
) -> Result<(), AcpcMatchError> {
    let mut is_over = true;
    loop {
        if follow.is_other_hand(&state) {
            if !is_over {
                return Err(invalid_line(
                    &line,
                    "another hand begins before this one has ended".into(),
                ));
            }
            follow
                .start_hand(&state)
                .map_err(|message| invalid_line(&line, message))?;
            player.deal_start(&follow.observation());
        } else if is_over {
            return Err(invalid_line(&line, "the hand has already ended".into()));
        }
        let stage = follow
            .replay_line(&state)
            .map_err(|message| invalid_line(&line, message))?;
        is_over = stage == Stage::Over;
        match stage {
            Stage::OwnTurn => {
                let actions = follow.legal_actions();
                let choice = player.choose::<Holdem>(follow.observation(), &actions);
                let answer = format!("{line}:{}", follow.action_text(&choice));
                dealer
                    .send_line(&answer)
                    .map_err(|lost| AcpcMatchError::Lost {
                        hands: joined.hands,
                        lost,
                    })?;
            }
            Stage::OtherTurn => {}
            Stage::Over => {
                let payoffs = follow.end();
                player.deal_end(&follow.observation(), &payoffs);
                joined.hands += 1;
                joined.won += payoffs[usize::from(follow.seat())];
            }
        }
        match dealer.next_state(joined.hands, is_over)? {
            Some(next) => (line, state) = next,
            None => return Ok(()),
        }
    }
}

fn disconnected(hands: u32) -> AcpcMatchError {
    AcpcMatchError::Lost {
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
    fn send_line(&mut self, line: &str) -> Result<(), ConnectionEnd> {
        self.stream.put(line.as_bytes());
        self.stream.put(b"\r\n");
        self.stream.flush(Instant::now() + self.patience)
    }

    /// Returns the next line of the dealer and its state. Returns `None` if the dealer has closed
    /// the connection and `may_end` is true.
    fn next_state(
        &mut self,
        hands: u32,
        may_end: bool,
    ) -> Result<Option<(String, MatchState)>, AcpcMatchError> {
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
                Err(lost) => return Err(AcpcMatchError::Lost { hands, lost }),
            };
            if is_comment(&bytes) {
                continue;
            }
            let line = String::from_utf8_lossy(&bytes).into_owned();
            return match line.parse() {
                Ok(state) => Ok(Some((line, state))),
                Err(message) => Err(AcpcMatchError::InvalidLine { line, message }),
            };
        }
    }
}
