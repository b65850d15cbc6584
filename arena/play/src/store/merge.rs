//! Joining the stores of shards.

use super::write::insert;
use super::{Store, StoreError, Writer, kills};
use crate::stopping::{Need, Stopping};
use hattari_hosts::record::{JobId, Record};
use std::path::Path;

/// What a merge has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Records added.
    pub added: u64,
    /// Records that were there already, the same.
    pub same: u64,
}

/// Adds the records, runs and timing of `inputs` to the store `out`, a new one if there is none. All or nothing.
///
/// # Errors
/// The stores hold different leagues or different results of one job, or one of them cannot be read or written.
pub fn merge(out: &Path, inputs: &[Store]) -> Result<Merged, StoreError> {
    let Some(first) = inputs.first() else { return Ok(Merged::default()) };
    for input in &inputs[1..] {
        check_same(first, input)?;
    }
    if out.exists() {
        check_same(&Store::read(out)?, first)?;
    }
    let is_new = !out.exists();
    let merged = merge_into(out, first, inputs);
    if merged.is_err() && is_new {
        // What was refused leaves no empty store behind.
        _ = std::fs::remove_file(out);
    }
    merged
}

fn merge_into(out: &Path, first: &Store, inputs: &[Store]) -> Result<Merged, StoreError> {
    let (mut identity, source) = match out.exists() {
        true => Store::read(out).map(|store| (store.identity().clone(), store.source().clone()))?,
        false => (first.identity().clone(), first.source().clone()),
    };
    let planned = inputs.iter().map(|input| input.league().blocks).max().unwrap_or_default();
    identity.league.blocks = identity.league.blocks.max(planned);
    let (mut writer, _) = Writer::open(out, &identity, &source)?;
    let mut merged = Merged::default();
    writer.execute("BEGIN IMMEDIATE", [])?;
    for input in inputs {
        let mut outcome = Ok(());
        input.each_record(|record| {
            if outcome.is_ok() {
                outcome = add(&mut writer, input, &record, &mut merged);
            }
        })?;
        outcome?;
        copy_runs(&writer, input)?;
    }
    end_early(&mut writer)?;
    writer.execute("COMMIT", [])?;
    Ok(merged)
}

/// Leaves out what lies beyond the end of a sequential league: shards play on, for none knows of the others.
fn end_early(writer: &mut Writer) -> Result<(), StoreError> {
    let store = writer.store();
    let Some(mut stopping) = Stopping::of(store.league(), store.schedule()) else { return Ok(()) };
    let mut jobs = Vec::new();
    store.each_record(|record| {
        stopping.add(&record);
        jobs.push(record.job);
    })?;
    jobs.retain(|&job| stopping.need(job) == Need::No);
    writer.delete(&jobs)
}

/// Adds a record, or sees that the same one is there.
fn add(writer: &mut Writer, input: &Store, record: &Record, merged: &mut Merged) -> Result<(), StoreError> {
    let kills = input.kills_of(record.job)?;
    let keep_kills = |writer: &Writer| {
        kills::insert(&writer.store().connection, record.job, &kills).map_err(|error| writer.store().fail(&error))
    };
    if !writer.is_done(record.job) {
        let answers = input.packed_answers(record.job)?;
        insert(&writer.store().connection, record, answers.as_deref()).map_err(|error| writer.store().fail(&error))?;
        writer.mark_done(record.job);
        merged.added += 1;
        return keep_kills(writer);
    }
    if writer.store().record(record.job)?.is_some_and(|there| there.is_play_of(record)) {
        merged.same += 1;
        return keep_kills(writer);
    }
    let JobId { line_up, block } = record.job;
    let (into, from) = (writer.store().path().to_owned(), input.path().to_owned());
    Err(StoreError::Contradiction { into, from, line_up, block })
}

/// Copies what is told of runs; those that were copied before stay as they are.
fn copy_runs(writer: &Writer, input: &Store) -> Result<(), StoreError> {
    let fail = |error: rusqlite::Error| input.fail(&error);
    let words = input.has_answers.then_some(("words", 3));
    for (table, columns) in [("runs", 8), ("timing", 6)].into_iter().chain(words) {
        let places = (1..=columns).map(|i| format!("?{i}")).collect::<Vec<_>>().join(", ");
        let insert = format!("INSERT OR IGNORE INTO {table} VALUES ({places})");
        let mut statement = input.connection.prepare(&format!("SELECT * FROM {table}")).map_err(fail)?;
        let mut rows = statement.query([]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let values: Result<Vec<rusqlite::types::Value>, _> = (0..columns).map(|i| row.get(i)).collect();
            writer.execute(&insert, rusqlite::params_from_iter(values.map_err(fail)?))?;
        }
    }
    Ok(())
}

/// Whether two stores hold the same league; the number of blocks may differ.
fn check_same(a: &Store, b: &Store) -> Result<(), StoreError> {
    let (here, there) = (format!("in `{}`", a.path().display()), format!("in `{}`", b.path().display()));
    let mut differences = a.identity().differences(b.identity(), &here, &there);
    if differences.is_empty() && a.schedule().line_ups != b.schedule().line_ups {
        differences.push("line-ups".to_owned());
    }
    if differences.is_empty() {
        return Ok(());
    }
    Err(StoreError::Changed {
        path: a.path().to_owned(),
        with: format!("`{}`", b.path().display()),
        differences,
        cure: "only shards of one league, played by the same bots, can be merged".to_owned(),
    })
}
