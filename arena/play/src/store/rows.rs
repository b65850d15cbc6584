//! Conversion between records and rows. Lists of numbers are blobs ([`append`]) without a count.
//! The symmetric matrix of products is stored as its upper triangle.

use hattari_agents::packed::{append, unpack, unpack_each};
use hattari_agents::record::{Fault, JobId, Record};
use hattari_agents::text::joined;
use rusqlite::Row;
use std::ops::Range;

/// Columns of the table `records` without its key and origin, in the order of [`encode`] and
/// [`decode`].
pub(super) const RECORD_COLUMNS: &str = "block, deals, forfeits, digest, sums, products, lagged, \
    places, fault_counts, ahead, checksum, answers";

pub(super) const TIMING_COLUMNS: &str = "run, version, decisions, timed, nanos, worst_nanos";

pub(super) const OUTPUT_COLUMNS: &str = "run, version, words";

/// Returns the statement that inserts a row with these columns. `insert` is `INSERT`, perhaps with
/// a conflict clause.
pub(super) fn insert_sql(insert: &str, table: &str, columns: &str) -> String {
    let count = columns.split(", ").count();
    let parameters = joined((1..=count).map(|number| format!("?{number}")), ", ");
    format!("{insert} INTO {table} ({columns}) VALUES ({parameters})")
}

/// Appends the blobs of a record, each after its length in 8 bytes. Returns their ranges in the
/// order of the columns: sums, products, lagged, places, fault counts and ahead.
pub(super) fn encode(record: &Record, bytes: &mut Vec<u8>) -> [Range<usize>; 6] {
    let n = record.sum.len();
    let upper = (0..n).flat_map(|row| &record.product[row * n + row..(row + 1) * n]);
    [
        encode_list(&record.sum, bytes),
        encode_list(upper, bytes),
        encode_list(&record.lagged, bytes),
        encode_list(&record.places, bytes),
        encode_list(&record.fault_counts, bytes),
        encode_list(&record.ahead, bytes),
    ]
}

fn encode_list<'r, T: Copy + Into<i64> + 'r>(
    numbers: impl IntoIterator<Item = &'r T>,
    bytes: &mut Vec<u8>,
) -> Range<usize> {
    let length = bytes.len();
    bytes.extend_from_slice(&[0; 8]);
    let start = bytes.len();
    append(numbers.into_iter().map(|&number| number.into()), bytes);
    let end = bytes.len();
    bytes[length..start].copy_from_slice(&(end as u64 - start as u64).to_le_bytes());
    start..end
}

/// Decodes a blob into `numbers`. Returns `None` unless the blob contains exactly as many valid
/// numbers.
fn fill<T: TryFrom<i64>>(numbers: &mut [T], blob: &[u8]) -> Option<()> {
    let mut decoded = unpack_each(blob);
    for number in numbers {
        *number = decoded.next()??.try_into().ok()?;
    }
    decoded.next().is_none().then_some(())
}

/// Maximum number of kinds of chance of a game.
const CHANCES_MAX: usize = 64;
/// Maximum size of a packed number in bytes.
const NUMBER_BYTES_MAX: usize = 10;

/// A decoded row of the table `records`.
pub(super) struct RecordRow {
    pub job: JobId,
    pub seating: u32,
    pub checksum: u64,
    /// Hash of the stored answers.
    pub answers: Option<u64>,
    /// The record without its faults, or the reason why it is invalid.
    pub record: Result<Record, &'static str>,
}

/// Decodes the upper triangle of the matrix of products of `n` players. Returns `None` if it is
/// invalid.
fn fill_products(products: &mut [i64], n: usize, blob: &[u8]) -> Option<()> {
    let mut upper = unpack_each(blob);
    for row in 0..n {
        for column in row..n {
            let product = upper.next()??;
            products[row * n + column] = product;
            products[column * n + row] = product;
        }
    }
    upper.next().is_none().then_some(())
}

/// Decodes a row of the columns `line_up`, [`RECORD_COLUMNS`], `seating` and `luck`. `players`
/// returns the number of places in a line-up.
pub(super) fn decode(
    row: &Row<'_>,
    players: impl Fn(u32) -> Option<usize>,
) -> rusqlite::Result<RecordRow> {
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
    let decode_numbers = || {
        let n = players(job.line_up).ok_or("its line-up is unknown")?;
        let mut record = Record::new(job, n);
        (record.deals, record.forfeits, record.digest) = (deals, forfeits, digest.cast_unsigned());
        fill(&mut record.sum, sums).ok_or("invalid sums of payoffs")?;
        fill(&mut record.lagged, lagged).ok_or("invalid lagged products")?;
        fill(&mut record.places, places).ok_or("invalid place counts")?;
        fill(&mut record.fault_counts, fault_counts).ok_or("invalid fault counts")?;
        fill(&mut record.ahead, ahead).ok_or("invalid counts of entrants ahead")?;
        let is_bounded = luck.len() <= NUMBER_BYTES_MAX * CHANCES_MAX * n;
        record.luck = is_bounded
            .then(|| unpack(luck))
            .flatten()
            .filter(|luck| luck.len().is_multiple_of(n))
            .ok_or("invalid luck")?;
        fill_products(&mut record.product, n, products).ok_or("invalid products of payoffs")?;
        // Every deal adds one to the place counts of each entrant. This check detects some damage
        // cheaply.
        if record
            .places
            .chunks(n)
            .all(|row| row.iter().map(|&count| u64::from(count)).sum::<u64>() == u64::from(deals))
        {
            Ok(record)
        } else {
            Err("the place counts of an entrant do not add up to the number of deals")
        }
    };
    Ok(RecordRow {
        job,
        seating: row.get(13)?,
        checksum: row.get::<_, i64>(11)?.cast_unsigned(),
        answers: row.get::<_, Option<i64>>(12)?.map(i64::cast_unsigned),
        record: decode_numbers(),
    })
}

/// Returns the checksum of a record, its seating, its faults and its luck. Messages of faults
/// are excluded, because bots can choose them freely. `answers` is the hash of the stored answers.
pub(super) fn checksum(seating: u32, record: &Record, answers: Option<u64>) -> u64 {
    let mut bytes = record_bytes(seating, record);
    bytes.extend(answers.iter().flat_map(|hash| hash.to_le_bytes()));
    // Records without luck have the same checksum as before the column existed.
    bytes.extend(record.luck.iter().flat_map(|luck| luck.to_le_bytes()));
    hash(&bytes)
}

pub(super) fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Returns the bytes of a record, its faults without their messages, and the number of its
/// line-up or seating, to be hashed.
pub(super) fn record_bytes(number: u32, record: &Record) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256);
    let head = [number, record.job.block, record.deals, record.forfeits];
    bytes.extend_from_slice(head.map(u32::to_le_bytes).as_flattened());
    bytes.extend_from_slice(&record.digest.to_le_bytes());
    encode(record, &mut bytes);
    for fault in &record.faults {
        let position = [u32::from(fault.entrant), fault.deal, fault.decision];
        bytes.extend_from_slice(position.map(u32::to_le_bytes).as_flattened());
        bytes.extend_from_slice(fault.kind.name().as_bytes());
    }
    bytes
}

/// Columns of the table `faults`, without its key, in the order of [`decode_fault`].
pub(super) const FAULT_COLUMNS: &str = "block, place, kind, deal, decision, message";

/// Decodes a row as a fault with its job. The line-up precedes [`FAULT_COLUMNS`]. The outer error
/// comes from SQLite; the inner one says what is invalid in the row.
pub(super) fn decode_fault(row: &Row<'_>) -> rusqlite::Result<Result<(JobId, Fault), String>> {
    let job = JobId {
        line_up: row.get(0)?,
        block: row.get(1)?,
    };
    let (entrant, kind): (u8, String) = (row.get(2)?, row.get(3)?);
    let (deal, decision, message) = (row.get(4)?, row.get(5)?, row.get(6)?);
    let fault = serde_json::from_value(kind.into()).map(|kind| Fault {
        entrant,
        kind,
        deal,
        decision,
        message,
    });
    Ok(fault
        .map(|fault| (job, fault))
        .map_err(|error| format!("{job}: {error}")))
}
