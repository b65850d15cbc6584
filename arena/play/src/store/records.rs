//! Reads records: all records, those of a league, or the record of a job.

use super::error::StoreResult;
use super::seatings::{RecordLookup, SELECTED_SEATINGS, rows_of_league};
use super::{Store, rows};
use hattari_agents::agent::recorded::Answers;
use hattari_agents::record::{Fault, JobId, Record};
use rusqlite::{Row, params_from_iter};
use std::collections::HashMap;

impl Store {
    /// Calls `take` with every record, ordered by line-up and block. Only one record is in memory
    /// at a time.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn each_record(&self, mut take: impl FnMut(Record)) -> StoreResult {
        let _transaction = self.database.begin_read()?;
        self.check_all()?;
        self.select(
            RecordLookup::OfLeague,
            None,
            |line_up| self.players_of(line_up),
            |record, _| {
                take(record);
                Ok(())
            },
        )
    }

    /// Verifies once that every record is unchanged and has a valid key. A record with a damaged
    /// key would otherwise look like a record of another league.
    pub(super) fn check_all(&self) -> StoreResult {
        if self.is_checked.get() {
            return Ok(());
        }
        let mut count = 0;
        self.each_seated(|_, _| {
            count += 1;
            Ok(())
        })?;
        self.check_count(count)
    }

    /// Checks that the index by seating finds all `count` records. Then checks the reviewed blocks,
    /// and remembers that the store is valid.
    fn check_count(&self, count: u64) -> StoreResult {
        let sql = "SELECT coalesce(sum((SELECT count(*) FROM records WHERE records.seating = seatings.seating)), 0) FROM seatings";
        let indexed = self.database.count(sql)?;
        if indexed != count {
            let why = format!("only {indexed} of {count} records are found by the index");
            return Err(self.database.damaged(why));
        }
        self.each_review(|_, _| Ok(()))?;
        self.is_checked.set(true);
        Ok(())
    }

    /// Calls `take` with every record of the league, in no particular order. The first call also
    /// verifies all records in the same pass.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn each_unsorted(&self, mut take: impl FnMut(Record)) -> StoreResult {
        if self.is_checked.get() {
            return self.each_record(take);
        }
        let _transaction = self.database.begin_read()?;
        let columns = "seatings.seating, selected.line_up, selected.blocks";
        let sql = format!("SELECT {columns} FROM {SELECTED_SEATINGS}");
        let mut selected: HashMap<u32, (u32, u32)> = HashMap::new();
        self.database.each(&sql, [], |(seating, line_up, blocks)| {
            selected.insert(seating, (line_up, blocks));
            Ok(())
        })?;
        let mut count = 0;
        self.each_seated(|mut record, seating| {
            count += 1;
            if let Some(&(line_up, blocks)) = selected.get(&seating)
                && record.job.block < blocks
            {
                record.job.line_up = line_up;
                take(record);
            }
            Ok(())
        })?;
        self.check_count(count)?;
        // Release the page cache of SQLite, because the caller needs memory for its results.
        self.database.with(|connection| connection.release_memory())
    }

    /// Returns the record of a job; `None` if it has not been played.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn record(&self, job: JobId) -> StoreResult<Option<Record>> {
        self.select_one(RecordLookup::OfLeague, job, self.players_of(job.line_up))
    }

    /// Returns the record of a job; `players` is the number of places of its line-up.
    pub(super) fn select_one(
        &self,
        from: RecordLookup,
        job: JobId,
        players: Option<usize>,
    ) -> StoreResult<Option<Record>> {
        let mut result = None;
        let take = |record, _| {
            result = Some(record);
            Ok(())
        };
        self.select(from, Some(job), |_| players, take)?;
        Ok(result)
    }

    /// Returns the number of places of a line-up; `None` if there is no such line-up.
    fn players_of(&self, line_up: u32) -> Option<usize> {
        Some(self.schedule.line_ups.get(line_up as usize)?.len())
    }

    /// Returns the answers of the bots in a block; `None` if they were not kept or the block has
    /// not been played.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn answers(&self, job: JobId) -> StoreResult<Option<Answers>> {
        let sql = format!(
            "SELECT records.answers, packed FROM {} LEFT JOIN answers ON answers.seating = records.seating \
             AND answers.block = records.block WHERE line_up = ?1 AND records.block = ?2",
            rows_of_league("records")
        );
        let damaged = |why: &str| self.database.damaged(format!("{job}: {why}"));
        let row: Option<(Option<i64>, Option<Vec<u8>>)> =
            self.database.row(&sql, [job.line_up, job.block])?;
        match row {
            None | Some((None, None)) => Ok(None),
            // The hash is part of the record.
            Some((Some(hash), Some(packed))) if rows::hash(&packed) == hash.cast_unsigned() => {
                let bots = self.players_of(job.line_up).unwrap_or_default();
                Answers::unpack(&packed, bots)
                    .map(Some)
                    .ok_or_else(|| damaged("the recorded answers cannot be read"))
            }
            Some(_) => Err(damaged(
                "the answers of the bots do not match their stored hash",
            )),
        }
    }

    /// Calls `take` with each record, including its faults, and the number of its seating. With
    /// `one`, reads only the record of this job. `players` returns the number of places of a
    /// line-up. Returns the first error of the store or of `take`.
    pub(super) fn select(
        &self,
        from: RecordLookup,
        one: Option<JobId>,
        players: impl Fn(u32) -> Option<usize>,
        mut take: impl FnMut(Record, u32) -> StoreResult,
    ) -> StoreResult {
        let fail = |error| self.database.fail(error);
        // Read records and faults in one transaction, so that they are consistent. A writer may
        // already have a transaction open.
        let _transaction = self.database.begin_read()?;
        let bound: Vec<u32> = one.map_or(Vec::new(), |job| vec![job.line_up, job.block]);
        let record_columns = format!("line_up, {}, seatings.seating, luck", rows::RECORD_COLUMNS);
        let sql_of_records = from.query(&record_columns, "records", "", one.is_some());
        #[cfg(test)]
        super::tests::note_reading(one, &sql_of_records);
        let fault_columns = format!("line_up, {}", rows::FAULT_COLUMNS);
        let sql_of_faults = from.query(&fault_columns, "faults", ", number", one.is_some());
        let connection = self.database.reset_steps();
        let mut records = connection.prepare_cached(&sql_of_records).map_err(fail)?;
        let mut records = records.query(params_from_iter(&bound)).map_err(fail)?;
        let mut faults = connection.prepare_cached(&sql_of_faults).map_err(fail)?;
        let mut faults = faults.query(params_from_iter(&bound)).map_err(fail)?;
        let damaged = |job: JobId, why: &str| {
            let entrants = match from {
                RecordLookup::OfLeague => format!("line-up {}", job.line_up),
                RecordLookup::BySeating => self.names_at(job.line_up).unwrap_or_default(),
            };
            self.database
                .damaged(format!("{entrants}, block {}: {why}", job.block))
        };
        let mut next_fault = self.fault(faults.next().map_err(fail)?)?;
        let mut last_job = None;
        while let Some(row) = records.next().map_err(fail)? {
            let rows::RecordRow {
                job,
                seating,
                checksum,
                answers,
                record,
            } = rows::decode(row, &players).map_err(fail)?;
            let mut record = record.map_err(|why| damaged(job, why))?;
            // A damaged index can return the same rows endlessly.
            if last_job
                .replace(job)
                .is_some_and(|last_job| job <= last_job)
            {
                return Err(damaged(job, "duplicate record"));
            }
            while let Some((_, fault)) = next_fault.take_if(|(of, _)| *of == job) {
                record.faults.push(fault);
                next_fault = self.fault(faults.next().map_err(fail)?)?;
            }
            if checksum != rows::checksum(seating, &record, answers) {
                return Err(damaged(job, "checksum mismatch"));
            }
            take(record, seating)?;
        }
        match next_fault {
            Some((job, _)) => Err(damaged(job, "faults without a record")),
            None => Ok(()),
        }
    }

    /// Decodes a row as a fault with its job; `None` without a row.
    fn fault(&self, row: Option<&Row<'_>>) -> StoreResult<Option<(JobId, Fault)>> {
        let Some(row) = row else { return Ok(None) };
        rows::decode_fault(row)
            .map_err(|error| self.database.fail(error))?
            .map(Some)
            .map_err(|why| self.database.damaged(why))
    }

    /// Returns all records, ordered by line-up and block.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn records(&self) -> StoreResult<Vec<Record>> {
        let mut records = Vec::new();
        self.each_record(|record| records.push(record))?;
        Ok(records)
    }

    /// Returns a hash of all records, and their number. The hash does not depend on threads,
    /// shards, runs or the messages of faults, which bots can choose freely.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn digest(&self) -> StoreResult<(u64, u64)> {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        let mut count = 0;
        self.each_record(|record| {
            hasher.update(&rows::record_bytes(record.job.line_up, &record));
            count += 1;
        })?;
        Ok((hasher.digest(), count))
    }
}
