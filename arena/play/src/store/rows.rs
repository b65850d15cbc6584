//! Conversion between records and rows. Lists of numbers are blobs ([`pack`]) without a count. The
//! symmetric matrix of products is stored as its upper triangle.

use hattari_agents::packed::{pack, unpack};
use hattari_agents::record::{Fault, JobId, Record};
use rusqlite::Row;

/// Columns of a record, in the order of [`encode`] and [`decode`].
pub(super) const COLUMNS: &str = "line_up, block, deals, forfeits, digest, sums, products, lagged, places, fault_counts, ahead, checksum, answers, seating, luck";

/// Index of the checksum in [`COLUMNS`].
pub(super) const CHECKSUM: usize = 11;

/// Index of the hash of the answers in [`COLUMNS`].
pub(super) const ANSWERS: usize = 12;

/// Name of the luck column.
pub(super) const LUCK: &str = "luck";

/// Index of the seating's number in [`COLUMNS`].
pub(super) const SEATING: usize = 13;

/// Returns the blobs of a record in the order of the columns: sums, products, lagged, places, fault
/// counts and ahead.
pub(super) fn encode(record: &Record) -> [Vec<u8>; 6] {
    let n = record.sum.len();
    let upper = (0..n).flat_map(|row| record.product[row * n + row..(row + 1) * n].iter().copied());
    let counts = |counts: &[u32]| pack(counts.iter().map(|&count| count.into()));
    [
        pack(record.sum.iter().copied()),
        pack(upper),
        pack(record.lagged.iter().copied()),
        counts(&record.places),
        counts(&record.fault_counts),
        counts(&record.ahead),
    ]
}

/// Maximum number of kinds of chance of a game.
const CHANCES_MAX: usize = 64;
/// Maximum size of a packed number in bytes.
const NUMBER_BYTES_MAX: usize = 10;

/// Returns the blob if it is not longer than `count` packed numbers can be; `None` otherwise.
fn within_bound(blob: &[u8], count: usize) -> Option<&[u8]> {
    (blob.len() <= NUMBER_BYTES_MAX * count).then_some(blob)
}

/// Decodes a row to a record without its faults; `n` returns the number of places in a line-up. The
/// inner error contains the job and the problem.
pub(super) fn decode(
    row: &Row<'_>,
    n: impl Fn(u32) -> Option<usize>,
) -> rusqlite::Result<Result<Record, (JobId, String)>> {
    let job = JobId {
        line_up: row.get(0)?,
        block: row.get(1)?,
    };
    let (deals, forfeits, digest): (u32, u32, i64) = (row.get(2)?, row.get(3)?, row.get(4)?);
    let blob = |column| {
        row.get_ref(column)
            .map(|value| value.as_blob().unwrap_or_default())
    };
    let (sums, products, lagged) = (blob(5)?, blob(6)?, blob(7)?);
    let (places, fault_counts, ahead, luck) = (blob(8)?, blob(9)?, blob(10)?, blob(14)?);
    let broken = |what: &str| (job, what.to_owned());
    let read = || {
        let n = n(job.line_up).ok_or_else(|| broken("its line-up is unknown"))?;
        let numbers = |blob: &[u8], count, what| {
            let fits = |numbers: &Vec<i64>| numbers.len() == count;
            within_bound(blob, count)
                .and_then(unpack)
                .filter(fits)
                .ok_or_else(|| broken(what))
        };
        let small = |blob: &[u8], count, what| {
            let numbers = numbers(blob, count, what)?;
            numbers
                .into_iter()
                .map(u32::try_from)
                .collect::<Result<Vec<_>, _>>()
                .map_err(|_| broken(what))
        };
        let mut record = Record::new(job, n);
        (record.deals, record.forfeits, record.digest) = (deals, forfeits, digest.cast_unsigned());
        record.sum = numbers(sums, n, "invalid sums of payoffs")?;
        record.lagged = numbers(lagged, n, "invalid lagged products")?;
        record.places = small(places, n * n, "invalid place counts")?;
        record.fault_counts = small(fault_counts, n, "invalid fault counts")?;
        record.ahead = small(ahead, n * n, "invalid counts of entrants ahead")?;
        let fits = |luck: &Vec<i64>| luck.len().is_multiple_of(n);
        record.luck = within_bound(luck, CHANCES_MAX * n)
            .and_then(unpack)
            .filter(fits)
            .ok_or_else(|| broken("invalid luck"))?;
        let mut upper =
            numbers(products, n * (n + 1) / 2, "invalid products of payoffs")?.into_iter();
        for row in 0..n {
            for column in row..n {
                let product = upper.next().unwrap_or_default();
                record.product[row * n + column] = product;
                record.product[column * n + row] = product;
            }
        }
        // Every deal adds one to the place counts of each entrant. This check detects some damage
        // cheaply.
        let placed = |row: &[u32]| {
            row.iter().map(|&count| u64::from(count)).sum::<u64>() == u64::from(deals)
        };
        if record.places.chunks(n).all(placed) {
            Ok(record)
        } else {
            Err(broken(
                "the place counts of an entrant do not add up to the number of deals",
            ))
        }
    };
    Ok(read())
}

/// Returns the checksum of a record, its seating, its faults and its luck. Messages of faults
/// are excluded, because bots can choose them freely. `answers` is the hash of the stored answers.
pub(super) fn checksum(seating: u32, record: &Record, answers: Option<u64>) -> u64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hash_record(&mut hasher, seating, record);
    if let Some(hash) = answers {
        hasher.update(&hash.to_le_bytes());
    }
    // Records without luck have the same checksum as before the column existed.
    record
        .luck
        .iter()
        .for_each(|luck| hasher.update(&luck.to_le_bytes()));
    hasher.digest()
}

/// Returns the hash of the packed answers of a block.
pub(super) fn hash(packed: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(packed)
}

/// Adds a record, its faults without their messages, and the number `table` to a hash.
pub(super) fn hash_record(hasher: &mut xxhash_rust::xxh3::Xxh3, table: u32, record: &Record) {
    let head = [table, record.job.block, record.deals, record.forfeits];
    hasher.update(&head.map(u32::to_le_bytes).concat());
    hasher.update(&record.digest.to_le_bytes());
    for blob in encode(record) {
        hasher.update(&(blob.len() as u64).to_le_bytes());
        hasher.update(&blob);
    }
    for fault in &record.faults {
        let place = [u32::from(fault.entrant), fault.deal, fault.decision];
        hasher.update(&place.map(u32::to_le_bytes).concat());
        hasher.update(fault.kind.name().as_bytes());
    }
}

/// Columns of a fault, in the order of [`decode_fault`].
pub(super) const FAULT_COLUMNS: &str = "line_up, block, place, kind, deal, decision, message";

/// Decodes a row as a fault with its job. The outer error comes from SQLite; the inner
/// one says what is invalid in the row.
pub(super) fn decode_fault(row: &Row<'_>) -> rusqlite::Result<Result<(JobId, Fault), String>> {
    let job = JobId {
        line_up: row.get(0)?,
        block: row.get(1)?,
    };
    let (entrant, kind): (u8, String) = (row.get(2)?, row.get(3)?);
    let (deal, decision, message) = (row.get(4)?, row.get(5)?, row.get(6)?);
    let kind = serde_json::from_value(kind.into());
    let fault = kind.map(|kind| {
        (
            job,
            Fault {
                entrant,
                kind,
                deal,
                decision,
                message,
            },
        )
    });
    Ok(fault.map_err(|error| format!("line-up {}, block {}: {error}", job.line_up, job.block)))
}
