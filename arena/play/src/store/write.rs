//! Adds records to a store.

use super::database::{Database, with_ending};
use super::lock::{self, FileId, Lock};
use super::origins::{self, Origin};
use super::seatings::{self, Seatings};
use super::{LeagueIdentity, LeagueSource, Store, StoreError, StoreResult, kills, rows, schema};
use crate::schedule::{JobSet, Part};
use hattari_agents::packed::pack;
use hattari_agents::record::{BlockResult, DecisionTime, JobId, Record, Timing};
use hattari_agents::table;
use rusqlite::params;
use std::fs::File;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tempfile::TempPath;

/// Maximum number of records per commit.
const BATCH_MAX: usize = 2000;
/// Maximum time in milliseconds before a record is committed, if [`StoreWriter::commit_if_due`] is
/// called often enough.
const BATCH_MS_MAX: u128 = 100;
/// Maximum time that the end of writing waits for readers.
const READERS_WAIT: Duration = Duration::from_secs(5);

/// The only writer of a store.
pub struct StoreWriter {
    pub(super) store: Store,
    /// The file if this process created it. Without a commit, it is removed on drop: after the
    /// store is closed, and before the lock is released.
    created: Option<TempPath>,
    _lock: Lock,
    /// The jobs that have a record.
    done: JobSet,
    /// Identity of the store's file, to detect that the file was removed or replaced.
    file: Option<FileId>,
    run: Option<RunCount>,
    pending: usize,
    pending_since: Instant,
    /// Name of this machine.
    machine: Option<String>,
}

/// A league with its file.
pub type PlayedLeague = (LeagueIdentity, LeagueSource);

/// Data that the current run has added.
struct RunCount {
    id: String,
    blocks: u64,
    deals: u64,
    /// Thinking times by entrant of the league.
    timing: Timing,
}

impl StoreWriter {
    /// Opens the store at `path` for a league; creates it if necessary, and then also returns
    /// `true`. Stored blocks that still belong to the league count as played. Blocks of other
    /// leagues stay in the store.
    ///
    /// # Errors
    /// Returns an error if the store is in use, is not a store, or cannot be written; the store is
    /// then unchanged.
    pub fn open(
        path: &Path,
        identity: &LeagueIdentity,
        source: &LeagueSource,
    ) -> StoreResult<(StoreWriter, bool)> {
        let mut is_new = false;
        let mut writer = StoreWriter::begin(path, |existing| {
            is_new = existing.is_none();
            Ok((identity.clone(), source.clone()))
        })?;
        writer.commit()?;
        Ok((writer, is_new))
    }

    /// Opens the store at `path`, or creates it, and begins a transaction. Without a commit, an
    /// existing store keeps its league, and a new file is removed on drop. `league_of` selects the
    /// league. Its argument is the existing store, which is locked; `None` if the file is new.
    ///
    /// # Errors
    /// Returns the errors of [`StoreWriter::open`] and of `league_of`.
    pub(super) fn begin(
        path: &Path,
        league_of: impl FnOnce(Option<&Store>) -> StoreResult<PlayedLeague>,
    ) -> StoreResult<StoreWriter> {
        schema::check_path(path)?;
        let path = &lock::resolved(path);
        let lock = Lock::take(path)?;
        // SQLite reports any error except that the file exists.
        let created = File::create_new(path).and_then(|_| TempPath::try_from_path(path));
        let (mut database, is_new) = schema::open_to_write(path)?;
        let (identity, source) = if is_new {
            league_of(None)?
        } else {
            // Check every record once, so that nothing is added to a damaged store. A rejected file
            // stays unchanged, byte for byte.
            let store = Store::of(database, None)?;
            store.check_all()?;
            let league = league_of(Some(&store))?;
            database = store.database;
            league
        };
        // The write-ahead log lets others read during writes. A commit survives a crash of the process
        // immediately, and a power failure after the next checkpoint.
        database.with(|connection| {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")
        })?;
        store_league(&database, is_new, &identity, &source)?;
        let store = Store::of(database, None)?;
        let mut writer = StoreWriter {
            done: JobSet::default(),
            file: lock::file_id(store.path()),
            store,
            created: created.ok(),
            _lock: lock,
            run: None,
            pending: 1,
            pending_since: Instant::now(),
            machine: origins::machine(),
        };
        writer.update_done()?;
        Ok(writer)
    }

    /// Updates the set of jobs that have a record.
    fn update_done(&mut self) -> StoreResult {
        self.done = JobSet::default();
        for job in self.store.played()? {
            self.mark_done(job);
        }
        Ok(())
    }

    /// Continues with the jobs that the format requires after the current ones. Returns `true` if
    /// there are more jobs than before.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written.
    pub(crate) fn advance(&mut self) -> StoreResult<bool> {
        self.commit()?;
        let before = self.store.schedule.jobs();
        self.store.select_league(None)?;
        self.update_done()?;
        Ok(self.store.schedule.jobs() > before)
    }

    /// Replaces the jobs of the league by those of a part that lists its pairings.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or the league does not play in rounds. Returns an
    /// error if a pairing has an unknown entrant or the wrong number of players.
    pub(crate) fn take_part(&mut self, part: &Part) -> StoreResult {
        let Part::Pairings(pairings) = part else {
            return Ok(());
        };
        let unfit = |why: &str| {
            let message = format!("the unit {why}: plan again with this league file");
            Err(StoreError::Other(message))
        };
        if !self.store.schedule.plays_in_rounds() {
            return unfit("lists pairings, but the league does not play in rounds");
        }
        let league = self.store.league();
        let entrants = league.entrants.len();
        let (min, max) = table::game(&league.game, &league.options)
            .map_or((0, usize::MAX), |game| game.players());
        for pairing in pairings {
            let players = pairing.entrants.len();
            let mut named = pairing.entrants.iter();
            let why = if !(min..=max).contains(&players) {
                format!("names {players} players for a line-up, but the game has {min} to {max}")
            } else if let Some(entrant) = named.find(|&&entrant| entrant >= entrants) {
                format!(
                    "names entrant {entrant}, but the league has {entrants} entrants, numbered \
                    from 0"
                )
            } else {
                continue;
            };
            return unfit(&why);
        }
        self.store.select_league(Some(pairings))?;
        self.update_done()
    }

    /// Returns the store for reading. Uncommitted records are visible in it.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the jobs that have a record.
    pub(crate) fn done(&self) -> &JobSet {
        &self.done
    }

    fn mark_done(&mut self, job: JobId) {
        if let Some(index) = self.store.schedule.find(job) {
            self.done.add(index);
        }
    }

    /// Applies the stopping rule of a sequential league: ignores the records after the end of each
    /// line-up, which stay in the store.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written.
    pub(crate) fn apply_stopping_rule(&mut self) -> StoreResult {
        self.commit()?;
        self.store.apply_stopping_rule()
    }

    /// Records the start of a run.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written.
    pub fn begin_run(&mut self, threads: u32, part: &Part) -> StoreResult {
        let now = since_1970();
        let unique = format!("{} {}", now.as_nanos(), std::process::id());
        let id = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(unique.as_bytes()));
        let entrants = self.store.league().entrants.len();
        self.execute(
            "INSERT INTO runs (run, started, threads, part, blocks, deals) VALUES (?1, ?2, ?3, ?4, 0, 0)",
            params![id, now.as_secs().cast_signed(), threads, part.to_string()],
        )?;
        self.run = Some(RunCount {
            id,
            blocks: 0,
            deals: 0,
            timing: vec![DecisionTime::default(); entrants],
        });
        Ok(())
    }

    /// Adds a record of the run; it is durable after the next commit.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or already has a record of the job.
    pub fn push(&mut self, played: &BlockResult) -> StoreResult {
        self.begin_adding()?;
        self.execute("SAVEPOINT block", [])?;
        if let Err(error) = self.add_block(played) {
            // Without its faults or answers, the record would make the store look damaged. This
            // fails if SQLite has already rolled the transaction back.
            _ = self.execute("ROLLBACK TO block", []);
            self.store.seatings.forget(played.record.job.line_up);
            return Err(error);
        }
        self.execute("RELEASE block", [])?;
        self.mark_done(played.record.job);
        self.commit_if_due()
    }

    /// Adds the rows of a block, and its time to the run.
    fn add_block(&mut self, played: &BlockResult) -> StoreResult {
        let BlockResult {
            record,
            timing,
            answers,
            kills,
        } = played;
        let origin = Origin {
            stored: Some(since_1970().as_secs().cast_signed()),
            machine: self.machine.clone(),
        };
        let Store {
            database,
            seatings,
            schedule,
            ..
        } = &mut self.store;
        let line_up = record.job.line_up;
        let entrants = &schedule.line_ups[line_up as usize];
        let seating = seatings.number_or_insert(database, line_up, entrants)?;
        insert(database, seating, record, answers.as_deref(), &origin)?;
        for (place, &times) in (0..).zip(kills).filter(|(_, times)| **times > 0) {
            kills::insert(database, [seating, record.job.block, place, times])?;
        }
        if let Some(run) = &mut self.run {
            run.blocks += 1;
            run.deals += u64::from(record.deals);
            for (&entrant, time) in entrants.iter().zip(timing) {
                let sums = &mut run.timing[entrant];
                sums.decisions += time.decisions;
                sums.timed += time.timed;
                sums.nanos += time.nanos;
                sums.worst_nanos = sums.worst_nanos.max(time.worst_nanos);
            }
        }
        Ok(())
    }

    /// Begins a transaction for a new row, unless rows are waiting for the next commit.
    pub(super) fn begin_adding(&mut self) -> StoreResult {
        if self.pending == 0 {
            self.execute("BEGIN IMMEDIATE", [])?;
            self.pending_since = Instant::now();
        }
        self.pending += 1;
        Ok(())
    }

    /// Commits if the uncommitted records fill a batch, or the oldest has waited long enough.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written.
    pub(crate) fn commit_if_due(&mut self) -> StoreResult {
        if self.pending >= BATCH_MAX || self.pending_since.elapsed().as_millis() >= BATCH_MS_MAX {
            self.commit()
        } else {
            Ok(())
        }
    }

    /// Commits everything added so far.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or is no longer at its path. Uncommitted
    /// records are lost and will be played again.
    pub fn commit(&mut self) -> StoreResult {
        if self.pending == 0 {
            return Ok(());
        }
        if let Some(run) = &self.run {
            let progress = params![run.id, run.blocks.cast_signed(), run.deals.cast_signed()];
            self.execute(
                "UPDATE runs SET blocks = ?2, deals = ?3 WHERE run = ?1",
                progress,
            )?;
            let sql = rows::insert_sql("INSERT OR REPLACE", "timing", rows::TIMING_COLUMNS);
            for (time, version) in run.timing.iter().zip(&self.store.seatings.versions) {
                if time.decisions == 0 {
                    continue;
                }
                let numbers = [time.decisions, time.timed, time.nanos, time.worst_nanos];
                let [decisions, timed, nanos, worst] = numbers.map(u64::cast_signed);
                let row = params![run.id, version, decisions, timed, nanos, worst];
                self.execute(&sql, row)?;
            }
        }
        self.execute("COMMIT", [])?;
        self.pending = 0;
        if let Some(created) = &mut self.created {
            created.disable_cleanup(true);
        }
        // SQLite also writes to a file that was removed or replaced.
        self.check_is_there()
    }

    /// Checks that the open file is still at the store's path.
    fn check_is_there(&self) -> StoreResult {
        if lock::file_id(self.store.path()) == self.file {
            Ok(())
        } else {
            Err(StoreError::Gone(self.store.path().to_owned()))
        }
    }

    /// Records the end of the run and commits.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or is no longer at its path.
    pub fn end_run(&mut self, outcome: &str) -> StoreResult {
        self.commit()?;
        if let Some(run) = self.run.take() {
            let now = since_1970().as_secs().cast_signed();
            let ending = params![run.id, now, outcome];
            self.execute(
                "UPDATE runs SET ended = ?2, outcome = ?3 WHERE run = ?1",
                ending,
            )?;
        }
        self.check_is_there()
    }

    /// Stores the output of an entrant's program in this run.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written.
    pub fn store_output(&self, entrant: usize, output: &str) -> StoreResult {
        let Some(run) = &self.run else { return Ok(()) };
        let version = self.store.seatings.versions[entrant];
        let sql = rows::insert_sql("INSERT OR REPLACE", "words", rows::OUTPUT_COLUMNS);
        self.execute(&sql, params![run.id, version, output])
    }

    /// Limits the number of pages, to simulate a full disk.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, pages: u32) {
        let connection = self.store.database.reset_steps();
        connection
            .pragma_update(None, "max_page_count", pages)
            .unwrap();
    }

    pub(super) fn execute(&self, sql: &str, parameters: impl rusqlite::Params) -> StoreResult {
        self.store.database.execute(sql, parameters)
    }
}

impl Drop for StoreWriter {
    /// Moves all rows from the log to the store's file, because users copy the file without its
    /// log. Then removes the log if no other process uses the store, so that the store can also be
    /// read in a read-only folder. Uncommitted records are lost.
    fn drop(&mut self) {
        let connection = self.store.database.reset_steps();
        _ = connection.execute_batch("ROLLBACK");
        _ = connection.busy_timeout(READERS_WAIT);
        // The row is (busy, pages in the log, pages moved).
        let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            Ok(row.get::<_, i64>(1)? <= row.get::<_, i64>(2)?)
        });
        _ = connection.busy_timeout(Duration::ZERO);
        let is_single = connection
            .pragma_update(None, "journal_mode", "DELETE")
            .is_ok();
        let log = with_ending(self.store.path(), "-wal");
        if !(matches!(moved, Ok(true)) || is_single) && log.exists() {
            tracing::warn!(
                "{}: results are still in {}, because another process reads the store or the disk \
                is full; keep both files together and run the league again",
                self.store.path().display(),
                log.display()
            );
        }
    }
}

/// Returns the time since 1970 in UTC.
pub(super) fn since_1970() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("leagues are plain data with text as keys")
}

/// Begins a transaction and stores the league that is played from now on.
fn store_league(
    database: &Database,
    is_new: bool,
    identity: &LeagueIdentity,
    source: &LeagueSource,
) -> StoreResult {
    database.execute("BEGIN IMMEDIATE", [])?;
    if is_new {
        database.with(schema::create)?;
    }
    database.with(schema::upgrade)?;
    let (identity_json, file) = (json(identity), source.file.to_string_lossy());
    let seal = seatings::checksum([&identity_json, &*file, &source.text]);
    let sql = "INSERT OR REPLACE INTO league (only, identity, file, source, seal)
         VALUES (1, ?1, ?2, ?3, ?4)";
    database.execute(sql, params![identity_json, file, source.text, seal])?;
    Seatings::store_identity(database, identity)
}

static INSERT_RECORD: LazyLock<String> = LazyLock::new(|| {
    let columns = format!("seating, {}, luck, stored, machine", rows::RECORD_COLUMNS);
    rows::insert_sql("INSERT", "records", &columns)
});
static INSERT_FAULT: LazyLock<String> = LazyLock::new(|| {
    let columns = format!("seating, number, {}", rows::FAULT_COLUMNS);
    rows::insert_sql("INSERT", "faults", &columns)
});

/// Adds a record with its faults and its origin, and with the bots' answers if they are kept.
pub(super) fn insert(
    database: &Database,
    seating: u32,
    record: &Record,
    answers: Option<&[u8]>,
    origin: &Origin,
) -> StoreResult {
    let machine = origins::machine_id_or_insert(database, origin)?;
    let mut bytes = Vec::new();
    let blobs = rows::encode(record, &mut bytes);
    let [sums, products, lagged, places, fault_counts, ahead] = blobs.map(|blob| &bytes[blob]);
    let hash = answers.map(rows::hash);
    let block = record.job.block;
    database.execute(
        &INSERT_RECORD,
        params![
            seating,
            block,
            record.deals,
            record.forfeits,
            record.digest.cast_signed(),
            sums,
            products,
            lagged,
            places,
            fault_counts,
            ahead,
            rows::checksum(seating, record, hash).cast_signed(),
            hash.map(u64::cast_signed),
            (!record.luck.is_empty()).then(|| pack(record.luck.iter().copied())),
            origin.stored,
            machine
        ],
    )?;
    if let Some(packed) = answers {
        let sql = "INSERT INTO answers (seating, block, packed) VALUES (?1, ?2, ?3)";
        database.execute(sql, params![seating, block, packed])?;
    }
    for (number, fault) in (0_u32..).zip(&record.faults) {
        database.execute(
            &INSERT_FAULT,
            params![
                seating,
                number,
                block,
                fault.entrant,
                fault.kind.name().replace(' ', "-"),
                fault.deal,
                fault.decision,
                fault.message
            ],
        )?;
    }
    Ok(())
}
