//! Merges stores of shards, of units, or of separate runs of a league.

use super::database::Database;
use super::seatings::{FIND_CONDITIONS, FIND_VERSION, RecordLookup, add_row};
use super::write::{PlayedLeague, insert};
use super::{
    LeagueIdentity, Origin, Store, StoreError, StoreResult, StoreWriter, kills, origins, rows,
};
use hattari_agents::record::{JobId, Record};
use hattari_agents::text::joined;
use rusqlite::Row;
use rusqlite::types::Value;
use std::collections::HashMap;
use std::path::Path;

struct WholeRow(Vec<Value>);

impl TryFrom<&Row<'_>> for WholeRow {
    type Error = rusqlite::Error;

    fn try_from(row: &Row<'_>) -> rusqlite::Result<WholeRow> {
        let columns = 0..row.as_ref().column_count();
        Ok(WholeRow(
            columns
                .map(|column| row.get(column))
                .collect::<Result<_, _>>()?,
        ))
    }
}

/// The result of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MergeResult {
    /// Number of records added.
    pub added: u64,
    /// Number of records that already existed with the same content.
    pub same: u64,
    /// Number of records that already existed with other answers of bots that are not deterministic
    /// or were late. The existing records were kept.
    pub other: u64,
    /// Number of reviewed blocks added.
    pub reviewed: u64,
}

/// Adds the records, reviewed blocks, runs and timing of `inputs` to the store `out`, which is
/// created if necessary. After an error, `out` has not changed. The stored league becomes `league`.
/// Without it, `out` keeps its league, or gets that of the first input if `out` is new.
///
/// # Errors
/// Returns an error if conditions or versions of bots differ, or if a store cannot be read or
/// written. Different results of a block are an error if all its bots are deterministic.
pub fn merge(
    out: &Path,
    inputs: &[Store],
    league: Option<PlayedLeague>,
) -> StoreResult<MergeResult> {
    let (path, identity) = match (&league, inputs) {
        (Some((identity, source)), _) => (&*source.file, identity),
        (None, [first, ..]) => (first.path(), &first.identity),
        (None, []) => return Ok(MergeResult::default()),
    };
    for input in inputs {
        check_same(path, identity, input)?;
    }
    let planned = inputs.iter().map(|input| input.league().blocks).max();
    let mut writer = StoreWriter::begin(out, |existing| {
        if let Some(league) = &league {
            return Ok(league.clone());
        }
        let first = &inputs[0];
        if let Some(store) = existing {
            check_same(store.path(), &store.identity, first)?;
        }
        let store = existing.unwrap_or(first);
        let mut identity = store.identity.clone();
        identity.league.blocks = identity.league.blocks.max(planned.unwrap_or_default());
        Ok((identity, store.source.clone()))
    })?;
    let mut merged = MergeResult::default();
    for input in inputs {
        add(&writer, input, &mut merged)?;
    }
    writer.commit()?;
    Ok(merged)
}

fn add(writer: &StoreWriter, input: &Store, merged: &mut MergeResult) -> StoreResult {
    let database = &writer.store.database;
    // The store may still be played: read its tables from the same state.
    let _transaction = input.database.begin_read()?;
    let versions = add_versions(database, input)?;
    let conditions = add_conditions(database, input)?;
    let seatings = add_seatings(writer, input, &conditions, &versions)?;
    let answers = input.all_answers()?;
    input.each_seated(|record, input_seating| {
        let block = record.job.block;
        let seating = seatings[&input_seating];
        let answers = answers.get(&(input_seating, block)).map(Vec::as_slice);
        let origin = input.origin(input_seating, block)?;
        *match add_record(&writer.store, input, seating, record, answers, &origin)? {
            AddedRecord::New => &mut merged.added,
            AddedRecord::Same => &mut merged.same,
            AddedRecord::Other => &mut merged.other,
        } += 1;
        Ok(())
    })?;
    kills::merge(database, input, &seatings)?;
    merged.reviewed += writer.merge_reviews(input, &seatings, &versions)?;
    copy_runs(writer, input, &versions)
}

/// Adds the conditions. Returns a map from ids in the input to ids in the output.
fn add_conditions(database: &Database, input: &Store) -> StoreResult<HashMap<i64, i64>> {
    let mut ids = HashMap::new();
    let sql = "SELECT conditions, json FROM conditions";
    input.database.each(sql, [], |(id, json): (i64, String)| {
        add_row(database, "conditions", &[("json", &json)])?;
        let row = database.row(FIND_CONDITIONS, [json])?;
        ids.extend(row.map(|(output_id,): (i64,)| (id, output_id)));
        Ok(())
    })?;
    Ok(ids)
}

/// Adds the versions. Returns a map from ids in the input to ids in the output.
fn add_versions(database: &Database, input: &Store) -> StoreResult<HashMap<i64, i64>> {
    let mut ids = HashMap::new();
    let sql = "SELECT version, name, json, content FROM versions";
    let add = |(id, name, json, content): (i64, String, String, String)| {
        let columns = [("name", &*name), ("json", &json), ("content", &content)];
        add_row(database, "versions", &columns)?;
        let row = database.row(FIND_VERSION, [name, json])?;
        ids.extend(row.map(|(output_id,): (i64,)| (id, output_id)));
        Ok(())
    };
    input.database.each(sql, [], add)?;
    Ok(ids)
}

/// Adds the seatings. Returns a map from their numbers in the input to those in the output.
fn add_seatings(
    writer: &StoreWriter,
    input: &Store,
    conditions: &HashMap<i64, i64>,
    versions: &HashMap<i64, i64>,
) -> StoreResult<HashMap<u32, u32>> {
    let mut numbers = HashMap::new();
    for seating in input.seatings()? {
        let damaged = || {
            let why = format!("seating {} refers to unknown entrants", seating.number);
            input.database.damaged(why)
        };
        let players: Option<Vec<String>> = seating
            .players
            .iter()
            .map(|version| Some(versions.get(version)?.to_string()))
            .collect();
        let players = players.ok_or_else(damaged)?.join(",");
        let conditions = conditions.get(&seating.conditions).ok_or_else(damaged)?;
        let number =
            super::seatings::seating_or_insert(&writer.store.database, *conditions, &players)?;
        numbers.insert(seating.number, number);
    }
    Ok(numbers)
}

/// The result of adding a record.
enum AddedRecord {
    /// A new record.
    New,
    /// The same record as that of the store.
    Same,
    /// A block of the store, with other answers of bots that are not deterministic or were late.
    Other,
}

/// Adds a record with its origin, unless the store contains its block.
///
/// # Errors
/// Returns an error if the store contains another result of a block of deterministic bots.
fn add_record(
    store: &Store,
    input: &Store,
    seating: u32,
    record: Record,
    answers: Option<&[u8]>,
    origin: &Origin,
) -> StoreResult<AddedRecord> {
    let block = record.job.block;
    let job = JobId {
        line_up: seating,
        block,
    };
    match store.select_one(RecordLookup::BySeating, job, Some(record.sum.len()))? {
        None => {
            insert(&store.database, seating, &record, answers, origin)?;
            Ok(AddedRecord::New)
        }
        Some(existing)
            if existing.is_same_play(&Record {
                job: existing.job,
                ..record
            }) =>
        {
            origins::keep_earlier(&store.database, seating, block, origin)?;
            Ok(AddedRecord::Same)
        }
        // Answers are stored for bots that may not be deterministic, and for late ones.
        Some(_) if answers.is_some() || has_answers(&store.database, seating, block)? => {
            Ok(AddedRecord::Other)
        }
        Some(_) => Err(StoreError::contradiction(
            store.path(),
            input.path(),
            &store.names_at(seating)?,
            block,
        )),
    }
}

/// Returns `true` if the store has answers of a block.
fn has_answers(database: &Database, seating: u32, block: u32) -> StoreResult<bool> {
    let sql = "SELECT answers NOT NULL FROM records WHERE seating = ?1 AND block = ?2";
    Ok(database
        .row(sql, [seating, block])?
        .is_some_and(|(has_answers,): (bool,)| has_answers))
}

impl Store {
    /// Calls `take` with all records of all leagues, and the numbers of their seatings. Returns the
    /// first error of the store or of `take`.
    pub(super) fn each_seated(&self, take: impl FnMut(Record, u32) -> StoreResult) -> StoreResult {
        let players: HashMap<u32, usize> = self
            .seatings()?
            .into_iter()
            .map(|seating| (seating.number, seating.players.len()))
            .collect();
        self.select(
            RecordLookup::BySeating,
            None,
            |seating| players.get(&seating).copied(),
            take,
        )
    }

    /// Returns all stored answers in packed form, by seating and block.
    fn all_answers(&self) -> StoreResult<HashMap<(u32, u32), Vec<u8>>> {
        let sql = "SELECT seating, block, packed, records.answers FROM records LEFT JOIN answers USING (seating, block) \
                   WHERE records.answers NOT NULL";
        let mut answers = HashMap::new();
        self.database.each(sql, [], |(seating, block, packed, hash)| {
            let (packed, hash): (Option<Vec<u8>>, i64) = (packed, hash);
            let packed = packed.filter(|packed| rows::hash(packed) == hash.cast_unsigned());
            let why = || {
                format!(
                    "seating {seating}, block {block}: the recorded answers differ from the stored \
                     ones"
                )
            };
            let packed = packed.ok_or_else(|| self.database.damaged(why()))?;
            answers.insert((seating, block), packed);
            Ok(())
        })?;
        Ok(answers)
    }

    /// Returns the names of a seating's entrants.
    pub(super) fn names_at(&self, seating: u32) -> StoreResult<String> {
        let names = self.names_by_version()?;
        let mut seatings = self.seatings()?.into_iter();
        let seating = seatings.find(|other| other.number == seating);
        let players = seating.map(|seating| seating.players).unwrap_or_default();
        let names = players
            .iter()
            .filter_map(|version| names.get(version).cloned());
        Ok(joined(names, ", "))
    }
}

/// Copies the data of runs, except runs that were copied before. `versions` maps ids from the input
/// to the output. Data of other versions are skipped; earlier releases left such data when pruning.
fn copy_runs(writer: &StoreWriter, input: &Store, versions: &HashMap<i64, i64>) -> StoreResult {
    for (table, columns) in [
        (
            "runs",
            "run, started, ended, outcome, threads, part, blocks, deals",
        ),
        ("timing", rows::TIMING_COLUMNS),
        ("words", rows::OUTPUT_COLUMNS),
    ] {
        let version = columns.split(", ").position(|name| name == "version");
        let insert = rows::insert_sql("INSERT OR IGNORE", table, columns);
        let select = format!("SELECT {columns} FROM {table}");
        input.database.each(&select, [], |WholeRow(mut row)| {
            if let Some(Value::Integer(id)) = version.and_then(|index| row.get_mut(index)) {
                let Some(output_id) = versions.get(id) else {
                    return Ok(());
                };
                *id = *output_id;
            }
            writer.execute(&insert, rusqlite::params_from_iter(row))
        })?;
    }
    Ok(())
}

/// Checks that a store has the conditions of the league in the file `path`, and the same versions of
/// entrants in both.
fn check_same(path: &Path, identity: &LeagueIdentity, store: &Store) -> StoreResult {
    let [origin, store_origin] =
        [path, store.path()].map(|path| format!("in `{}`", path.display()));
    let differences = identity.contradictions(&store.identity, &origin, &store_origin);
    if differences.is_empty() {
        return Ok(());
    }
    let differences: String = differences
        .iter()
        .map(|line| format!("\n  - {line}"))
        .collect();
    Err(StoreError::Other(format!(
        "the store `{}` does not belong to `{}`:{differences}\nonly results of the same league and \
        the same versions of its bots can be merged; after a change of the league, merge with \
        `--league FILE`",
        store.path().display(),
        path.display()
    )))
}
