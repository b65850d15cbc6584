//! Plays an ACPC match with one of our bots as a client of an external dealer: reads the dealer's
//! lines, calls the bot and sends its actions.

use super::follow::HandTracker;
use super::line::{LINE_MAX, VERSION, is_comment};
use crate::player::{Faults, MatchError, Player};
use hattari_agents::agent::socket::{ConnectionEnd, Stream};
use hattari_agents::agent::{Agent, BlockStart};
use hattari_formats::acpc::MatchState;
use hattari_plugin::games::holdem::{Holdem, Options};
use hattari_plugin::games::{Game, GameTypes};
use std::time::{Duration, Instant};

/// Parameters of a match.
#[derive(Debug)]
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
#[derive(Debug, Default)]
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

/// Plays a match on a new connection until the dealer closes it. `joined` receives the result,
/// also that of an incomplete match.
///
/// # Errors
/// Returns an error if the match was not completed. For example, the dealer may have disconnected
/// during a hand or play by other rules.
pub fn play_match(
    stream: &mut Stream,
    agent: &mut dyn Agent,
    match_options: &AcpcMatchOptions,
    joined: &mut AcpcResult,
) -> Result<(), MatchError> {
    let game = Holdem::new(match_options.options.clone())
        .map_err(|message| MatchError::invalid("invalid options", message))?;
    let options_json =
        serde_json::to_string(&match_options.options).expect("options are plain data");
    let mut dealer = Dealer {
        stream,
        patience: match_options.timeout,
    };
    dealer.send_line(VERSION, 0)?;
    let (line, state) = dealer.next_state(0)?;
    joined.has_begun = true;
    if let Some(players) = match_options
        .players
        .filter(|&players| usize::from(players) != state.cards.holes.len())
    {
        return Err(invalid_line(&line)(format!(
            "the line has {} players, but the game has {players}",
            state.cards.holes.len()
        )));
    }
    let mut follow =
        HandTracker::new(&game, &state, match_options.deals).map_err(invalid_line(&line))?;
    let start = BlockStart {
        game: Holdem::ID,
        options_json: &options_json,
        players: follow.block.players.into(),
        player: follow.seat.into(),
        deals: match_options.deals,
        seed: match_options.seed,
    };
    let mut player = Player::start(agent, start);
    let played = play_hands(&mut dealer, &mut player, &mut follow, joined, (line, state));
    joined.faults = player.finish();
    played
}

/// Plays all hands, beginning with the first line of the dealer and its state.
fn play_hands(
    dealer: &mut Dealer<'_>,
    player: &mut Player<'_>,
    follow: &mut HandTracker<'_>,
    joined: &mut AcpcResult,
    (mut line, mut state): (String, MatchState),
) -> Result<(), MatchError> {
    let mut is_over = true;
    loop {
        if follow.hand != Some(state.hand) {
            if !is_over {
                return Err(invalid_line(&line)(
                    "another hand begins before this one has ended".into(),
                ));
            }
            follow.start_hand(&state).map_err(invalid_line(&line))?;
            player.deal_start(&follow.observation());
        } else if is_over {
            return Err(invalid_line(&line)("the hand has already ended".into()));
        }
        let to_act = follow.replay_line(&state).map_err(invalid_line(&line))?;
        is_over = to_act.is_none();
        match to_act {
            Some(seat) if seat == follow.seat => {
                let actions = follow.legal_actions();
                let choice = player.choose::<Holdem>(follow.observation(), &actions);
                let answer = format!("{line}:{}", follow.action_text(&choice));
                dealer.send_line(&answer, joined.hands)?;
            }
            Some(_) => {}
            None => {
                let payoffs = follow.end();
                player.deal_end(&follow.observation(), &payoffs);
                joined.hands += 1;
                joined.won += payoffs[usize::from(follow.seat)];
            }
        }
        match dealer.next_state(joined.hands) {
            // A dealer that exits may leave received lines unread. The operating system then
            // reports a broken connection.
            Err(MatchError::Lost {
                lost: ConnectionEnd::Closed(0, _) | ConnectionEnd::Broken(_),
                ..
            }) if is_over => return Ok(()),
            next => (line, state) = next?,
        }
    }
}

/// The connection to the dealer.
struct Dealer<'a> {
    stream: &'a mut Stream,
    patience: Duration,
}

impl Dealer<'_> {
    /// Sends a line after `hands` completed hands.
    fn send_line(&mut self, line: &str, hands: u32) -> Result<(), MatchError> {
        self.stream.put(line.as_bytes());
        self.stream.put(b"\r\n");
        let sent = self.stream.flush(Instant::now() + self.patience);
        sent.map_err(|lost| lost_after(hands, lost))
    }

    /// Returns the next line of the dealer and its state, after `hands` completed hands.
    fn next_state(&mut self, hands: u32) -> Result<(String, MatchState), MatchError> {
        loop {
            let until = Instant::now() + self.patience;
            let bytes = self.stream.read_line(LINE_MAX, until);
            let bytes = bytes.map_err(|lost| lost_after(hands, lost))?;
            if is_comment(&bytes) {
                continue;
            }
            let line = String::from_utf8_lossy(&bytes).into_owned();
            return match line.parse() {
                Ok(state) => Ok((line, state)),
                Err(message) => Err(invalid_line(&line)(message)),
            };
        }
    }
}

/// Returns the error for a connection that was lost after `hands` completed hands.
fn lost_after(hands: u32, lost: ConnectionEnd) -> MatchError {
    let place = format!("after {hands} hands");
    MatchError::Lost { place, lost }
}

/// Returns a function that turns a message into an error about the dealer's line `line`.
fn invalid_line(line: &str) -> impl Fn(String) -> MatchError {
    move |message| MatchError::invalid(format!("`{line}`"), message)
}
