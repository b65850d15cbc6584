//! Games of a person against the bots of a league.

mod session;
mod table;

pub(super) use session::{PersonReply, PlaySession};
pub(super) use table::TableSetting;

use super::error::ErrorResponse;
use super::guard::random_token;
use super::leagues::{ServedLeague, is_playable};
use anyhow::{Context, ensure};
use hattari_agents::agent::lock;
use hattari_agents::seeds::Seeds;
use hattari_play::prepared::{ClientPolicy, PreparedLeague};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of open tables.
const TABLES_MAX: usize = 16;
/// Maximum number of games per table.
const GAMES_MAX: u32 = 1000;
/// Maximum number of line-ups that the page offers.
const LINE_UPS_MAX: usize = 500;

/// The tables at which persons play.
#[derive(Default)]
pub(super) struct Tables {
    open: Mutex<BTreeMap<String, OpenTable>>,
    /// Closed tables whose bots are still running.
    ending: Mutex<Vec<OpenTable>>,
}

/// A table and its thread.
struct OpenTable {
    session: Arc<PlaySession>,
    thread: thread::JoinHandle<()>,
}

impl Tables {
    /// Opens a table and returns its id, which cannot be guessed.
    ///
    /// # Errors
    /// Returns an error if there are too many tables, if the line-up or seat does not exist, or if
    /// a bot is not found.
    pub(super) fn open(
        &self,
        league: &ServedLeague,
        wish: TableSetting,
    ) -> Result<String, ErrorResponse> {
        if let Some(obstacles) = league.play_obstacles()? {
            return Err(ErrorResponse::bad_request(obstacles.join(" ")));
        }
        let prepared = league.prepare(ClientPolicy::Absent)?;
        check(&prepared, wish).map_err(|error| ErrorResponse::bad_request(error.to_string()))?;
        let seed = wish.seed.map_or_else(getrandom::u64, Ok).map_err(|error| {
            ErrorResponse::unavailable(format!("cannot get random numbers: {error}"))
        })?;
        let mut open = lock(&self.open);
        open.retain(|_, table| !table.session.is_over());
        self.make_room(&mut open)?;
        let (id, session) = (random_token()?, Arc::new(PlaySession::default()));
        let at_table = Arc::clone(&session);
        let thread = thread::Builder::new()
            .name("table".into())
            .spawn(move || table::play(&prepared, wish, seed, &at_table));
        let thread = thread.map_err(|error| {
            ErrorResponse::unavailable(format!(
                "cannot start a thread for the table: \
                {error}"
            ))
        })?;
        open.insert(id.clone(), OpenTable { session, thread });
        Ok(id)
    }

    /// Makes room if too many tables are open: closes the table that has been idle for the longest
    /// time. Tables without an open page are closed first.
    fn make_room(&self, open: &mut BTreeMap<String, OpenTable>) -> Result<(), ErrorResponse> {
        let mut ending = lock(&self.ending);
        ending.retain(|table| !table.thread.is_finished());
        if open.len() < TABLES_MAX {
            return Ok(());
        }
        let idle = open
            .iter()
            .filter_map(|(id, table)| Some((table.session.idle()?, id)));
        let replaced = idle
            .max_by_key(|(idle, _)| *idle)
            .map(|(_, id)| id.clone())
            // The number of threads that are still ending is bounded, too.
            .filter(|_| ending.len() < TABLES_MAX);
        match replaced.and_then(|id| open.remove(&id)) {
            Some(table) => {
                table.session.leave();
                ending.push(table);
                Ok(())
            }
            None => Err(ErrorResponse::unavailable(format!(
                "all {TABLES_MAX} tables are in use: leave another table, or try again later; a \
                table that is not shown in a browser is closed after some seconds"
            ))),
        }
    }

    /// Returns the table with this id.
    ///
    /// # Errors
    /// Returns an error if there is no such table.
    pub(super) fn find(&self, id: &str) -> Result<Arc<PlaySession>, ErrorResponse> {
        let open = lock(&self.open);
        open.get(id).map(|table| Arc::clone(&table.session)).ok_or_else(|| {
            ErrorResponse::missing(
                "this table does not exist any more; it was closed, or the server was restarted",
            )
        })
    }

    /// Closes all tables, and waits until the time `until` for bots that are still running.
    pub(super) fn clear(&self, until: Instant) {
        let open = std::mem::take(&mut *lock(&self.open));
        let ending = std::mem::take(&mut *lock(&self.ending));
        open.values().for_each(|table| table.session.leave());
        for table in open.into_values().chain(ending) {
            while !table.thread.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

fn check(prepared: &PreparedLeague, wish: TableSetting) -> anyhow::Result<()> {
    let line_up = prepared
        .schedule
        .line_ups
        .get(wish.line_up as usize)
        .with_context(|| format!("the league has no line-up {}", wish.line_up))?;
    ensure!(
        is_playable(&prepared.league, line_up),
        "line-up {} has programs, and this page starts no programs: select another line-up",
        wish.line_up
    );
    ensure!(
        wish.place < line_up.len(),
        "the table has no place {}",
        wish.place
    );
    ensure!(
        (1..=GAMES_MAX).contains(&wish.deals),
        "the number of games must be from 1 to {GAMES_MAX}"
    );
    Ok(())
}

/// Returns the data for the page that opens a table: the line-ups with their bots, and a line-up
/// position whose player always has decisions to make. Line-ups in which a person cannot play are
/// empty, so that the others keep their numbers.
pub(super) fn offers(prepared: &PreparedLeague) -> Value {
    let line_ups: Vec<Vec<&str>> = prepared
        .schedule
        .line_ups
        .iter()
        .take(LINE_UPS_MAX)
        .map(|entrants| {
            if is_playable(&prepared.league, entrants) {
                entrants
                    .iter()
                    .map(|&entrant| prepared.league.entrants[entrant].name.as_str())
                    .collect()
            } else {
                Vec::new()
            }
        })
        .collect();
    let players = prepared.schedule.line_ups.first().map_or(0, Vec::len);
    // The opener of a game always has decisions to make, in contrast to dummy in bridge.
    let place = prepared
        .game()
        .ok()
        .and_then(|game| game.opener(players, &Seeds::league(prepared.league.seed)))
        .unwrap_or(0);
    let total = prepared.schedule.line_ups.len();
    json!({"game": prepared.league.game, "lineUps": line_ups, "total": total, "place": place})
}
