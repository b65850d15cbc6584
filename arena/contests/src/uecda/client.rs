//! Plays a UECda match with one of our bots as a client: reads the server's tables, calls the bot
//! and sends its plays.

use super::follow::GameTracker;
use super::protocol::profile;
use super::table::{
    ACCEPTED, GAME_CONTINUES, GAME_OVER, MATCH_OVER, PASSED, ProtocolTable, STATE, Version,
    read_number, state,
};
use crate::player::{Faults, MatchError, Player};
use hattari_agents::agent::socket::{ConnectionEnd, Stream};
use hattari_agents::agent::{Agent, BlockStart, Observation};
use hattari_plugin::games::GameTypes;
use hattari_plugin::games::daihinmin::{Action, Daihinmin, Options, PLAYERS};
use std::time::{Duration, Instant};

/// Parameters of a match.
#[derive(Debug)]
pub struct UecdaMatchOptions {
    /// Version of the protocol.
    pub version: Version,
    /// Name that is sent to the server.
    pub name: String,
    /// Rules that the server uses.
    pub options: Options,
    /// Planned number of games; 0 if unknown. The bot receives this number, but the match may end
    /// earlier or later.
    pub deals: u32,
    /// Random seed of the bot.
    pub seed: u64,
    /// Maximum time to wait for a message of the server.
    pub timeout: Duration,
}

/// The result of a match.
#[derive(Debug, Default)]
pub struct UecdaResult {
    /// True if the first game has begun.
    pub has_begun: bool,
    /// Number of our player, from 0 to 4.
    pub player: u8,
    /// Number of completed games.
    pub games: u32,
    /// Number of games with places that the server drew and did not send. These places are counted
    /// in the order of the seats.
    pub games_with_unknown_places: u32,
    /// Points of each player in the match.
    pub points: [i64; PLAYERS],
    /// Number of times that our player finished in each place.
    pub places: [u32; PLAYERS],
    /// Faults of the bot.
    pub faults: Faults,
    /// Number of plays that the server has rejected.
    pub refused: u32,
}

/// Plays a match on a new connection to a server. `result` receives the result, also that of an
/// incomplete match.
///
/// # Errors
/// Returns an error if the match was not completed because the server disconnected or sent invalid
/// data.
pub fn play_match(
    stream: &mut Stream,
    agent: &mut dyn Agent,
    match_options: &UecdaMatchOptions,
    result: &mut UecdaResult,
) -> Result<(), MatchError> {
    profile(match_options.version, &match_options.name).put(Version::Numbers, stream.outbox());
    let mut server = Server {
        stream,
        version: match_options.version,
        patience: match_options.timeout,
    };
    server.send("the profile")?;
    let number = server.number("the player's number")?;
    let me = u8::try_from(number)
        .ok()
        .filter(|&me| usize::from(me) < PLAYERS);
    let me = me.ok_or_else(|| {
        invalid(
            "the player's number",
            format!("it must be from 0 to 4 (got {number})"),
        )
    })?;
    let options_json =
        serde_json::to_string(&match_options.options).expect("options are plain data");
    let start = BlockStart {
        game: Daihinmin::ID,
        options_json: &options_json,
        players: 5,
        player: me.into(),
        deals: match_options.deals,
        seed: match_options.seed,
    };
    result.player = me;
    let mut player = ScoredBot {
        bot: Player::start(agent, start),
        actions: Vec::new(),
        result,
    };
    let follow = GameTracker::new(match_options.options.clone(), me, match_options.deals);
    let played = play_games(&mut server, &mut player, follow);
    player.result.faults = player.bot.finish();
    played
}

/// Name of the first table of a game in errors.
const START: &str = "the start of a game";

/// Plays games until the server announces the end of the match.
fn play_games(
    server: &mut Server<'_>,
    player: &mut ScoredBot<'_>,
    mut follow: GameTracker,
) -> Result<(), MatchError> {
    let mut next = server.table(START)?;
    player.result.has_begun = true;
    loop {
        match play_game(server, player, &mut follow, &next)? {
            GAME_OVER => {
                next = server.table(START)?;
                player.deal_end(&mut follow, Some(&next));
            }
            MATCH_OVER => {
                player.deal_end(&mut follow, None);
                return Ok(());
            }
            other => {
                return Err(invalid(
                    "the end of a turn",
                    format!("it must be 0, 1 or 2 (got {other})"),
                ));
            }
        }
    }
}

/// Plays one game, from its first table to the number that the server sends after the last turn.
/// Returns this number.
fn play_game(
    server: &mut Server<'_>,
    player: &mut ScoredBot<'_>,
    follow: &mut GameTracker,
    start: &ProtocolTable,
) -> Result<i32, MatchError> {
    let gives = follow.start(start).map_err(|why| invalid(START, why))?;
    player.bot.deal_start(&observation(follow));
    if gives {
        follow.list_gifts(&mut player.actions);
        let gift = player.choose(follow);
        server.answer("the exchange", start, &gift)?;
    }
    loop {
        let turn = server.table("a turn")?;
        if turn.0[STATE][state::START] != 0 {
            return Err(invalid(
                "a turn",
                "another game starts before this one has ended".into(),
            ));
        }
        if follow
            .start_turn(&turn)
            .map_err(|why| invalid("a turn", why))?
        {
            follow.list_plays(&mut player.actions);
            let play = player.choose(follow);
            server.answer("a play", &turn, &play)?;
            match server.number("the answer to a play")? {
                ACCEPTED => {}
                PASSED if play.is_pass() => {}
                PASSED => {
                    player.result.refused += 1;
                    tracing::warn!("the server has refused {play}");
                }
                other => {
                    return Err(invalid(
                        "the answer to a play",
                        format!("it must be 8 or 9 (got {other})"),
                    ));
                }
            }
        }
        follow.end_turn(&server.table("the end of a turn")?);
        let end = server.number("the end of a turn")?;
        if end != GAME_CONTINUES {
            return Ok(end);
        }
    }
}

/// The connection to the server.
struct Server<'a> {
    stream: &'a mut Stream,
    version: Version,
    patience: Duration,
}

impl Server<'_> {
    /// Calls a function of the stream with its deadline. `what` names the message in errors.
    fn call<T>(
        &mut self,
        what: &str,
        call: impl FnOnce(&mut Stream, Instant) -> Result<T, ConnectionEnd>,
    ) -> Result<T, MatchError> {
        call(self.stream, Instant::now() + self.patience).map_err(|lost| MatchError::Lost {
            place: what.to_owned(),
            lost,
        })
    }

    fn send(&mut self, what: &str) -> Result<(), MatchError> {
        self.call(what, Stream::flush)
    }

    /// Sends the table `shown` with the cards of `action` in place of its cards. Sends it in one
    /// piece, because contest servers read a table with a single call.
    fn answer(
        &mut self,
        what: &str,
        shown: &ProtocolTable,
        action: &Action,
    ) -> Result<(), MatchError> {
        let mut table = *shown;
        table.0[..STATE].as_flattened_mut().fill(0);
        table.put_action(action);
        table.put(self.version, self.stream.outbox());
        self.send(what)
    }

    fn table(&mut self, what: &str) -> Result<ProtocolTable, MatchError> {
        let version = self.version;
        self.call(what, |stream, until| {
            ProtocolTable::read(version, stream, until)
        })?
        .map_err(|why| invalid(what, why))
    }

    fn number(&mut self, what: &str) -> Result<i32, MatchError> {
        self.call(what, read_number)
    }
}

/// Returns the error for invalid data of the server.
fn invalid(what: &str, why: String) -> MatchError {
    MatchError::invalid(what, format!("the server sent invalid data: {why}"))
}

/// A bot and its results in the match.
struct ScoredBot<'a> {
    bot: Player<'a>,
    actions: Vec<Action>,
    result: &'a mut UecdaResult,
}

impl ScoredBot<'_> {
    /// Returns the bot's choice among the legal actions `self.actions`. Returns the first one if
    /// the bot gives no valid answer, and a pass if the list is empty.
    fn choose(&mut self, follow: &GameTracker) -> Action {
        if self.actions.is_empty() {
            return Action::PASS;
        }
        self.bot
            .choose::<Daihinmin>(observation(follow), &self.actions)
            .action
    }

    fn deal_end(&mut self, follow: &mut GameTracker, next: Option<&ProtocolTable>) {
        let payoffs = follow.end(next);
        self.result.games += 1;
        self.result.games_with_unknown_places = follow.games_with_unknown_places;
        self.result
            .points
            .iter_mut()
            .zip(payoffs)
            .for_each(|(points, payoff)| *points += payoff);
        let view = &follow.view;
        let place = view.places[usize::from(view.seat)];
        self.result.places[usize::from(place)] += 1;
        self.bot.deal_end(&observation(follow), &payoffs);
    }
}

/// Returns the current observation for the bot.
fn observation(follow: &GameTracker) -> Observation<'_> {
    Observation::of::<Daihinmin>(&follow.view, &follow.history)
}
