//! Selects the blocks that belong to a league. A block is identified by its seating (the version of
//! the entrant at each place), its conditions and its number. Several leagues can share a store.

use super::database::Database;
use super::{LeagueIdentity, Store, StoreResult, rows, schema};
use crate::league::{PlannedDeals, Results};
use crate::schedule::Schedule;
use hattari_agents::packed::unpack;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{params, params_from_iter};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Write;

/// The ids of a league's conditions, versions and seatings in a store.
#[derive(Default)]
pub(super) struct Seatings {
    /// Id of the conditions; `None` if no block was played under them.
    pub conditions: Option<i64>,
    /// Ids of the entrants' versions; `None` for versions that have never played.
    pub versions: Vec<Option<i64>>,
    /// Numbers of the seatings that have been looked up, by line-up.
    known: HashMap<u32, u32>,
}

/// The records to read, and the number (of a line-up or of a seating) that each record gets.
#[derive(Clone, Copy)]
pub(super) enum RecordLookup {
    /// Records of the league, with the number of the line-up.
    OfLeague,
    /// All records, with the number of the seating in place of the line-up.
    BySeating,
}

impl RecordLookup {
    /// Returns the query for columns of all rows of a table, ordered by line-up, block and
    /// `order`. With `one`, it has the line-up and the block of one job as parameters, so that each
    /// statement is compiled only once.
    pub(super) fn query(self, columns: &str, table: &str, order: &str, one: bool) -> String {
        let source = match self {
            RecordLookup::OfLeague => rows_of_league(table),
            RecordLookup::BySeating => {
                format!("(SELECT {table}.seating AS line_up, {table}.* FROM {table}) AS seatings")
            }
        };
        let condition = if one {
            "line_up = ?1 AND block = ?2"
        } else {
            "TRUE"
        };
        format!("SELECT {columns} FROM {source} WHERE {condition} ORDER BY line_up, block{order}")
    }
}

/// SQL expression for the line-ups of the league that have been played, with their seatings.
pub(super) const SELECTED_SEATINGS: &str = "temp.selected CROSS JOIN seatings \
    ON seatings.conditions = selected.conditions AND seatings.players = selected.players";

/// Returns an SQL expression that selects the league's rows of a table, by line-up. It is used in
/// place of the table name.
pub(super) fn rows_of_league(table: &str) -> String {
    format!(
        "{SELECTED_SEATINGS} CROSS JOIN {table} \
         ON {table}.seating = seatings.seating AND {table}.block < selected.blocks"
    )
}

impl Seatings {
    /// Looks up the ids of a league's conditions and versions.
    pub(super) fn of(database: &Database, identity: &LeagueIdentity) -> StoreResult<Seatings> {
        let id = |row: Option<(i64,)>| row.map(|(id,)| id);
        let conditions = database.row(FIND_CONDITIONS, [identity.conditions().to_string()])?;
        let versions = identity.versions().map(|(name, version)| {
            database
                .row(FIND_VERSION, params![name, version.to_string()])
                .map(id)
        });
        Ok(Seatings {
            conditions: id(conditions),
            versions: versions.collect::<Result<_, _>>()?,
            known: HashMap::new(),
        })
    }

    /// Adds the conditions and versions of a league to the store.
    pub(super) fn store_identity(database: &Database, identity: &LeagueIdentity) -> StoreResult {
        let conditions = identity.conditions().to_string();
        add_row(database, "conditions", &[("json", &conditions)])?;
        for ((name, version), content) in identity.versions().zip(&identity.contents) {
            let json = version.to_string();
            let content = super::write::json(content);
            let columns = [("name", name), ("json", &json), ("content", &content)];
            add_row(database, "versions", &columns)?;
        }
        Ok(())
    }

    /// Returns the ids of the versions of a line-up's entrants, separated by commas; `None` if one
    /// of them has never played.
    fn players(&self, entrants: &[usize]) -> Option<String> {
        let mut players = String::new();
        for (place, &entrant) in entrants.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let version = self.versions.get(entrant).copied()??;
            write!(players, "{comma}{version}").expect("writing to a string cannot fail");
        }
        Some(players)
    }

    /// Fills the temporary table `selected`, by which later queries find the blocks of a schedule.
    pub(super) fn select_blocks(&self, database: &Database, schedule: &Schedule) -> StoreResult {
        database.with(|connection| connection.execute_batch(schema::SELECTION))?;
        let Some(conditions) = self.conditions else {
            return Ok(());
        };
        let sql = "INSERT INTO temp.selected (line_up, conditions, players, blocks) \
                   VALUES (?1, ?2, ?3, ?4)";
        let blocks = schedule.blocks_by_line_up();
        let rows = (0_u32..).zip(&schedule.line_ups).zip(blocks).filter_map(
            |((number, line_up), blocks)| {
                Some((number, conditions, self.players(line_up)?, blocks))
            },
        );
        database.execute_each(sql, rows)
    }

    /// Returns the number of a line-up's seating; `None` if the store does not contain it.
    pub(super) fn number(
        &mut self,
        database: &Database,
        line_up: u32,
        entrants: &[usize],
    ) -> StoreResult<Option<u32>> {
        if let Some(&known) = self.known.get(&line_up) {
            return Ok(Some(known));
        }
        let Some((players, conditions)) = self.players(entrants).zip(self.conditions) else {
            return Ok(None);
        };
        let number = find_seating(database, conditions, &players)?;
        self.known.extend(number.map(|number| (line_up, number)));
        Ok(number)
    }

    /// Forgets the number of a line-up's seating, because its row may have been rolled back.
    pub(super) fn forget(&mut self, line_up: u32) {
        self.known.remove(&line_up);
    }

    /// Returns the number of a line-up's seating. Creates the seating if necessary.
    pub(super) fn number_or_insert(
        &mut self,
        database: &Database,
        line_up: u32,
        entrants: &[usize],
    ) -> StoreResult<u32> {
        if let Some(known) = self.number(database, line_up, entrants)? {
            return Ok(known);
        }
        let (players, conditions) = self
            .players(entrants)
            .zip(self.conditions)
            .expect("the versions of the line-up have been stored");
        let number = seating_or_insert(database, conditions, &players)?;
        self.known.insert(line_up, number);
        Ok(number)
    }
}

/// Returns the checksum of a row of text.
pub(super) fn checksum<'t>(columns: impl IntoIterator<Item = &'t str>) -> i64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for column in columns {
        hasher.update(&(column.len() as u64).to_le_bytes());
        hasher.update(column.as_bytes());
    }
    hasher.digest().cast_signed()
}

/// Adds a row of text with its checksum to the table `conditions` or `versions`, unless the table
/// contains the row.
pub(super) fn add_row(database: &Database, table: &str, columns: &[(&str, &str)]) -> StoreResult {
    let names: String = columns
        .iter()
        .map(|(name, _)| format!("{name}, "))
        .collect();
    let sql = rows::insert_sql("INSERT OR IGNORE", table, &format!("{names}seal"));
    let texts = || columns.iter().map(|(_, text)| *text);
    let values = texts()
        .map(|text| Value::Text(text.to_owned()))
        .chain([Value::Integer(checksum(texts()))]);
    database.execute(&sql, params_from_iter(values))
}

pub(super) const FIND_CONDITIONS: &str = "SELECT conditions FROM conditions WHERE json = ?1";
/// Finds a version by the name of its entrant and its text.
pub(super) const FIND_VERSION: &str = "SELECT version FROM versions WHERE name = ?1 AND json = ?2";
const FIND_SEATING: &str = "SELECT seating FROM seatings WHERE conditions = ?1 AND players = ?2";

/// Returns the number of the seating with these conditions and versions of players, if it exists.
fn find_seating(database: &Database, conditions: i64, players: &str) -> StoreResult<Option<u32>> {
    Ok(database
        .row(FIND_SEATING, params![conditions, players])?
        .map(|(number,)| number))
}

/// Returns the number of the seating with these conditions and players. Creates it if necessary.
pub(super) fn seating_or_insert(
    database: &Database,
    conditions: i64,
    players: &str,
) -> StoreResult<u32> {
    if let Some(known) = find_seating(database, conditions, players)? {
        return Ok(known);
    }
    let sql = "INSERT INTO seatings (conditions, players, seal) VALUES (?1, ?2, ?3)";
    let sum = checksum([conditions.to_string().as_str(), players]);
    let number = database.insert(sql, params![conditions, players, sum])?;
    u32::try_from(number).map_err(|_| database.damaged(format!("seating {number} is out of range")))
}

/// Checks the tables `league`, `conditions`, `versions` and `seatings`, and their indexes. Without
/// this check, damaged rows would look like other leagues and their blocks.
pub(super) fn check_rows(database: &Database) -> StoreResult {
    let fail = |error| database.fail(error);
    for (table, columns, number) in [
        ("league", "identity, file, source", "only"),
        ("conditions", "json", "conditions"),
        ("versions", "name, json, content", "version"),
        ("seatings", "conditions, players", "seating"),
    ] {
        database.check(&format!("integrity_check({table})"))?;
        let count = columns.split(", ").count();
        let sql = format!("SELECT {columns}, seal, {number} FROM {table} NOT INDEXED");
        let mut statement = database.reset_steps().prepare(&sql).map_err(fail)?;
        let mut rows = statement.query([]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let texts: Vec<Cow<'_, str>> = (0..count)
                .map(|column| match row.get_ref(column)? {
                    ValueRef::Integer(number) => Ok(Cow::Owned(number.to_string())),
                    other => Ok(Cow::Borrowed(other.as_str().unwrap_or_default())),
                })
                .collect::<Result<_, _>>()
                .map_err(fail)?;
            let seal: Option<i64> = row.get(count).map_err(fail)?;
            if seal.is_some_and(|seal| seal != checksum(texts.iter().map(AsRef::as_ref))) {
                let number: i64 = row.get(count + 1).map_err(fail)?;
                return Err(database.damaged(format!("{table} {number}: checksum mismatch")));
            }
        }
    }
    Ok(())
}

/// The stored results, for formats that pair entrants by results. All results are read at the first
/// request, which is much faster than one look-up per block of a large league.
pub(super) struct KnownResults<'s> {
    pub store: &'s Store,
    /// Number of most recent rounds whose standings the schedule keeps.
    pub standings_kept: usize,
    /// The blocks played under the league's conditions, by the versions at the table. An error is
    /// kept, because the methods of `Results` cannot return it.
    pub blocks: OnceCell<StoreResult<HashMap<String, Vec<KnownBlock>>>>,
}

/// The scores of a block, in points per deal.
pub(super) struct KnownBlock {
    block: u32,
    /// Scores by place.
    scores: Vec<f64>,
    /// Luck of the first place, by kind of chance.
    luck_of_first: Vec<f64>,
}

impl KnownResults<'_> {
    fn read(&self) -> StoreResult<HashMap<String, Vec<KnownBlock>>> {
        let Store {
            database, seatings, ..
        } = self.store;
        let sql = "SELECT players, block, deals, sums, luck FROM seatings CROSS JOIN records \
                   USING (seating) WHERE conditions = ?1";
        let mut all: HashMap<String, Vec<KnownBlock>> = HashMap::new();
        let add = |row: (String, u32, u32, Vec<u8>, Option<Vec<u8>>)| {
            let (players, block, deals, scores, luck) = row;
            // Numbers that cannot be unpacked are reported when the record is read; the block has
            // no result here.
            let seats = players.split(',').count();
            let Some(scores) = unpack(&scores).filter(|scores| scores.len() == seats) else {
                return Ok(());
            };
            let luck = luck.and_then(|luck| unpack(&luck)).unwrap_or_default();
            let plan = PlannedDeals::of(self.store.league(), seats);
            let in_block = plan.scores_of(deals, &scores, &luck);
            let scored = KnownBlock {
                block,
                scores: (0..scores.len())
                    .map(|place| in_block.mean(&[place]))
                    .collect(),
                luck_of_first: in_block.luck(&[0]).collect(),
            };
            all.entry(players).or_default().push(scored);
            Ok(())
        };
        database.each(sql, [seatings.conditions], add)?;
        all.values_mut()
            .for_each(|blocks| blocks.sort_by_key(|scored| scored.block));
        Ok(all)
    }

    fn block(&self, entrants: &[usize], block: u32) -> Option<&KnownBlock> {
        let blocks = self.blocks.get_or_init(|| self.read()).as_ref().ok()?;
        let blocks = blocks.get(&self.store.seatings.players(entrants)?)?;
        let index = blocks.binary_search_by_key(&block, |scored| scored.block);
        Some(&blocks[index.ok()?])
    }
}

impl Results for KnownResults<'_> {
    fn scores(&self, entrants: &[usize], block: u32) -> Option<Vec<f64>> {
        self.block(entrants, block)
            .map(|scored| scored.scores.clone())
    }

    fn luck(&self, entrants: &[usize], block: u32) -> Vec<f64> {
        self.block(entrants, block)
            .map_or(Vec::new(), |scored| scored.luck_of_first.clone())
    }

    fn standings_kept(&self) -> usize {
        self.standings_kept
    }
}

/// Blocks of a store that its league does not use.
#[derive(Debug, serde::Serialize)]
pub struct UnusedBlocks {
    /// The reason why the league does not use the blocks.
    pub why: String,
    /// Number of blocks.
    pub blocks: u64,
}

/// The reason why blocks are unused that the stopping rule made unnecessary.
const STOPPED: &str = "not needed, because the stopping rule ended their comparisons before";

/// A seating with its conditions and versions.
pub(super) struct Seating {
    pub number: u32,
    pub conditions: i64,
    /// Ids of versions, by place.
    pub players: Vec<i64>,
}

impl Store {
    /// Returns all seatings in order of creation.
    pub(super) fn seatings(&self) -> StoreResult<Vec<Seating>> {
        let sql = "SELECT seating, conditions, players FROM seatings ORDER BY seating";
        let rows: Vec<(u32, i64, String)> = self.database.rows(sql, [])?;
        rows.into_iter()
            .map(|(number, conditions, players)| {
                let players = players
                    .split(',')
                    .map(|version| version.parse().ok())
                    .collect::<Option<Vec<i64>>>();
                let damaged = || {
                    let why = format!("seating {number} has an invalid list of versions");
                    self.database.damaged(why)
                };
                Ok(Seating {
                    number,
                    conditions,
                    players: players.ok_or_else(damaged)?,
                })
            })
            .collect()
    }

    /// Returns for each reason the number of blocks that the league does not use.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn unused_blocks(&self) -> StoreResult<Vec<UnusedBlocks>> {
        let mut counts = self.blocks_by_seating("records")?;
        for (seating, blocks) in self.blocks_by_seating(&rows_of_league("records"))? {
            *counts.entry(seating).or_default() -= blocks;
        }
        if counts.values().all(|&blocks| blocks == 0) {
            return Ok(Vec::new());
        }
        let names = self.names_by_version()?;
        let stopped_counts = self.stopped_blocks()?;
        let mut unused: Vec<UnusedBlocks> = Vec::new();
        let mut add = |why: String, blocks: u64| match unused.iter_mut().find(|u| u.why == why) {
            Some(other) => other.blocks += blocks,
            None => unused.push(UnusedBlocks { why, blocks }),
        };
        for seating in self.seatings()? {
            let count =
                |counts: &HashMap<u32, u64>| counts.get(&seating.number).copied().unwrap_or(0);
            let stopped = count(&stopped_counts);
            let others = count(&counts) - stopped;
            if stopped > 0 {
                add(STOPPED.to_owned(), stopped);
            }
            if others > 0 {
                add(self.unused_reason(&seating, &names)?, others);
            }
        }
        Ok(unused)
    }

    /// Returns the number of planned blocks of each seating that the stopping rule made
    /// unnecessary.
    fn stopped_blocks(&self) -> StoreResult<HashMap<u32, u64>> {
        if self.stopping.is_none() {
            return Ok(HashMap::new());
        }
        // The selection ends where the stopping rule ended the line-up.
        self.blocks_by_seating(&format!(
            "{SELECTED_SEATINGS} CROSS JOIN records ON records.seating = seatings.seating \
             AND records.block >= selected.blocks AND records.block < {}",
            self.schedule.blocks
        ))
    }

    /// Returns the number of records of each seating in `source`, an SQL expression.
    pub(super) fn blocks_by_seating(&self, source: &str) -> StoreResult<HashMap<u32, u64>> {
        let sql =
            format!("SELECT records.seating, count(*) FROM {source} GROUP BY records.seating");
        let counts: Vec<(u32, i64)> = self.database.rows(&sql, [])?;
        Ok(counts
            .into_iter()
            .map(|(seating, blocks)| (seating, blocks.cast_unsigned()))
            .collect())
    }

    /// Returns the names of all entrants in the store, by the id of a version.
    pub(super) fn names_by_version(&self) -> StoreResult<HashMap<i64, String>> {
        let sql = "SELECT version, name FROM versions";
        Ok(self.database.rows(sql, [])?.into_iter().collect())
    }

    /// Returns the reason why a league does not use all blocks of a seating.
    fn unused_reason(
        &self,
        seating: &Seating,
        names: &HashMap<i64, String>,
    ) -> StoreResult<String> {
        let mut reasons = Vec::new();
        if Some(seating.conditions) != self.seatings.conditions {
            let sql = "SELECT json FROM conditions WHERE conditions = ?1";
            let json: Option<(String,)> = self.database.row(sql, [seating.conditions])?;
            let stored = json
                .and_then(|(json,)| serde_json::from_str(&json).ok())
                .unwrap_or_default();
            let current = self.identity.conditions();
            let origins = ["before", "now"];
            reasons.extend(super::identity::compare(&stored, &current, origins));
        }
        for version in seating
            .players
            .iter()
            .filter(|version| !self.seatings.versions.contains(&Some(**version)))
        {
            let name = names
                .get(version)
                .map_or("an unknown entrant", String::as_str);
            let reason = match self.league().entrant(name) {
                Some(_) => format!("another version of {name}"),
                None => format!("{name} is not an entrant"),
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        Ok(if reasons.is_empty() {
            "not in the schedule of the format".to_owned()
        } else {
            reasons.join("; ")
        })
    }
}
