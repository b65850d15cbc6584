//! Reviewed blocks. A review of one bot by another plays blocks of a league with both bots in the
//! same seats. The store keeps the result of each block as bytes, which only the review can read.

use super::database::Database;
use super::seatings::{Seatings, rows_of_league};
use super::{LeagueIdentity, LeagueSource, Store, StoreError, StoreResult, StoreWriter};
use hattari_agents::record::JobId;
use hattari_agents::text::joined;
use rusqlite::params;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;
use xxhash_rust::xxh3::Xxh3;

/// Version of the method of reviews. It increases when the result of a block changes, for example
/// after a change of a game's features.
const METHOD: u32 = 1;

/// Revision of the rows that this program writes. Features of decisions may change with every
/// release.
static REVISION: LazyLock<i64> = LazyLock::new(|| {
    let text = format!("{METHOD} {}", env!("CARGO_PKG_VERSION"));
    xxhash_rust::xxh3::xxh3_64(text.as_bytes()).cast_signed()
});

/// Reviewed blocks of a pair of bots.
#[derive(Debug, PartialEq, Serialize)]
pub struct ReviewedPair {
    /// Name of the reviewed bot.
    #[serde(rename = "of")]
    pub reviewed: String,
    /// Name of the bot that plays the same seats.
    #[serde(rename = "by")]
    pub other: String,
    /// Number of blocks.
    pub blocks: u64,
    /// `true` if a review of the store's league uses these blocks.
    pub is_current: bool,
}

/// The key of a row of the table `reviews`: seating, block, version of the reviewed bot, version of
/// the bot that plays the same seats, and revision.
pub(super) type ReviewKey = [i64; 5];

/// Returns the checksum of a row.
fn checksum(key: &ReviewKey, result: &[u8]) -> i64 {
    let mut hasher = Xxh3::new();
    for number in key {
        hasher.update(&number.to_le_bytes());
    }
    hasher.update(result);
    hasher.digest().cast_signed()
}

/// Returns the result of the row with this key, and its checksum.
fn find(database: &Database, key: ReviewKey) -> StoreResult<Option<(Vec<u8>, i64)>> {
    let sql = "SELECT result, checksum FROM reviews WHERE seating = ?1 AND block = ?2 \
               AND reviewed = ?3 AND compared = ?4 AND revision = ?5";
    database.row(sql, key)
}

fn insert(database: &Database, key: ReviewKey, result: &[u8]) -> StoreResult {
    let sql = "INSERT INTO reviews VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let sum = checksum(&key, result);
    let [seating, block, reviewed, compared, revision] = key;
    let row = params![seating, block, reviewed, compared, revision, result, sum];
    database.execute(sql, row)
}

/// The stored blocks of one review. The store is locked until this value is dropped.
pub struct ReviewStore {
    writer: StoreWriter,
    /// The ids of the conditions, versions and seatings of the review's league.
    seatings: Seatings,
    /// Version of the reviewed bot.
    reviewed: i64,
    /// Version of the bot that plays the same seats.
    compared: i64,
}

impl ReviewStore {
    /// Opens the store at `path` for a review of the entrant `reviewed` of a league by the entrant
    /// `other`. A new store is created with this league; an existing store keeps its own league.
    ///
    /// # Errors
    /// Returns an error if the store is in use, is not a store, or cannot be written.
    pub fn open(
        path: &Path,
        identity: &LeagueIdentity,
        source: &LeagueSource,
        reviewed: usize,
        other: usize,
    ) -> StoreResult<ReviewStore> {
        let mut writer = StoreWriter::begin(path, |existing| {
            Ok(match existing {
                Some(store) => (store.identity.clone(), store.source.clone()),
                None => (identity.clone(), source.clone()),
            })
        })?;
        Seatings::store_identity(&writer.store.database, identity)?;
        writer.commit()?;
        let seatings = Seatings::of(&writer.store.database, identity)?;
        let version =
            |entrant: usize| seatings.versions[entrant].expect("the version was stored above");
        let (reviewed, compared) = (version(reviewed), version(other));
        Ok(ReviewStore {
            writer,
            seatings,
            reviewed,
            compared,
        })
    }

    /// Returns the path of the store.
    pub fn path(&self) -> &Path {
        self.writer.store.path()
    }

    fn key(&self, seating: u32, block: u32) -> ReviewKey {
        let [seating, block] = [seating, block].map(i64::from);
        [seating, block, self.reviewed, self.compared, *REVISION]
    }

    /// Returns the stored result of a block as `decode` reads it; `None` if it was not reviewed.
    /// `entrants` contains the entrants of the line-up.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged, or if `decode` returns `None`.
    pub(crate) fn get<T>(
        &mut self,
        job: JobId,
        entrants: &[usize],
        decode: impl FnOnce(Vec<u8>) -> Option<T>,
    ) -> StoreResult<Option<T>> {
        let database = &self.writer.store.database;
        let JobId { line_up, block } = job;
        let Some(seating) = self.seatings.number(database, line_up, entrants)? else {
            return Ok(None);
        };
        let key = self.key(seating, block);
        let Some((result, sum)) = find(database, key)? else {
            return Ok(None);
        };
        let why = if sum == checksum(&key, &result) {
            match decode(result) {
                None => "invalid numbers",
                decoded => return Ok(decoded),
            }
        } else {
            "checksum mismatch"
        };
        let why = format!("review of {job}: {why}");
        Err(database.damaged(why))
    }

    /// Adds the result of a block; it is durable after the next commit.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or already has a result of the block.
    pub(crate) fn put(&mut self, job: JobId, entrants: &[usize], result: &[u8]) -> StoreResult {
        self.writer.begin_adding()?;
        let database = &self.writer.store.database;
        let seatings = &mut self.seatings;
        let seating = seatings.number_or_insert(database, job.line_up, entrants)?;
        insert(database, self.key(seating, job.block), result)?;
        self.writer.commit_if_due()
    }

    /// Commits everything added so far.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or is no longer at its path.
    pub(crate) fn commit(&mut self) -> StoreResult {
        self.writer.commit()
    }
}

impl Store {
    /// Calls `take` with every row.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged, or the first error of `take`.
    pub(super) fn each_review(
        &self,
        mut take: impl FnMut(ReviewKey, Vec<u8>) -> StoreResult,
    ) -> StoreResult {
        let sql =
            "SELECT seating, block, reviewed, compared, revision, result, checksum FROM reviews";
        self.database
            .each(sql, [], |row: (_, _, _, _, _, Vec<u8>, i64)| {
                let (seating, block, reviewed, compared, revision, result, sum) = row;
                let key = [seating, block, reviewed, compared, revision];
                if checksum(&key, &result) != sum {
                    let why = format!("review of block {block}: checksum mismatch");
                    return Err(self.database.damaged(why));
                }
                take(key, result)
            })
    }

    /// Returns the pairs of bots with the numbers of their reviewed blocks.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn reviewed(&self) -> StoreResult<Vec<ReviewedPair>> {
        let sql = format!(
            "SELECT own.name, other.name, ({}) AS is_current, count(*) FROM reviews \
             JOIN versions AS own ON own.version = reviewed JOIN versions AS other ON other.version = compared \
             GROUP BY own.name, other.name, is_current ORDER BY own.name, other.name, is_current DESC",
            self.current_reviews()
        );
        let pairs: Vec<(String, String, bool, i64)> = self.database.rows(&sql, [])?;
        Ok(pairs
            .into_iter()
            .map(|(reviewed, other, is_current, blocks)| ReviewedPair {
                reviewed,
                other,
                blocks: blocks.cast_unsigned(),
                is_current,
            })
            .collect())
    }

    /// Returns the SQL condition for rows that a review of the league uses.
    fn current_reviews(&self) -> String {
        let versions = self.seatings.versions.iter().flatten();
        let versions = joined(versions.map(i64::to_string), ",");
        format!(
            "reviews.revision = {} AND reviewed IN ({versions}) AND compared IN ({versions}) \
             AND (reviews.seating, reviews.block) IN (SELECT reviews.seating, reviews.block FROM {})",
            *REVISION,
            rows_of_league("reviews")
        )
    }
}

impl StoreWriter {
    /// Deletes the reviewed blocks that no review of the league uses, within the caller's
    /// transaction. Returns their number.
    pub(super) fn prune_reviews(&self) -> StoreResult<u64> {
        let unused = self
            .store
            .reviewed()?
            .into_iter()
            .filter(|pair| !pair.is_current)
            .map(|pair| pair.blocks)
            .sum();
        if 0 < unused {
            let current = self.store.current_reviews();
            self.execute(&format!("DELETE FROM reviews WHERE NOT ({current})"), [])?;
        }
        Ok(unused)
    }

    /// Adds the reviewed blocks of another store, within the caller's transaction. `seatings` and
    /// `versions` map ids from the input to this store. Returns the number of new blocks.
    ///
    /// # Errors
    /// Returns an error if the stores have different results for a block, or if one cannot be read
    /// or written.
    pub(super) fn merge_reviews(
        &self,
        input: &Store,
        seatings: &HashMap<u32, u32>,
        versions: &HashMap<i64, i64>,
    ) -> StoreResult<u64> {
        let store = &self.store;
        let mut added = 0;
        input.each_review(|[seating, block, reviewed, compared, revision], result| {
            let seating = u32::try_from(seating).ok();
            let (Some(&seating), Some(&reviewed), Some(&compared)) = (
                seating.and_then(|seating| seatings.get(&seating)),
                versions.get(&reviewed),
                versions.get(&compared),
            ) else {
                let why = format!("review of block {block}: unknown entrants");
                return Err(input.database.damaged(why));
            };
            let key = [seating.into(), block, reviewed, compared, revision];
            match find(&store.database, key)? {
                None => {
                    added += 1;
                    insert(&store.database, key, &result)
                }
                Some((known, sum)) if known == result && sum == checksum(&key, &known) => Ok(()),
                Some(_) => {
                    let table = format!("a review of {}", store.names_at(seating)?);
                    let block = u32::try_from(block).unwrap_or(u32::MAX);
                    Err(StoreError::contradiction(
                        store.path(),
                        input.path(),
                        &table,
                        block,
                    ))
                }
            }
        })?;
        Ok(added)
    }
}
