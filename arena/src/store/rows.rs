//! Records as rows: lists of numbers become blobs of variable-length integers.
//!
//! A number is zigzag coded (0, -1, 1, -2 … become 0, 1, 2, 3 …) and written in groups of seven bits, lowest first, with
//! the top bit set on all bytes but the last. A blob is such numbers one after the other, without a count. Of the
//! symmetric matrix of products the rows from the diagonal on are kept.

use crate::record::{Fault, JobId, Record};
use rusqlite::Row;

/// Columns of a record, in the order of [`encode`] and [`decode`].
pub const COLUMNS: &str =
    "line_up, block, deals, forfeits, digest, sums, products, lagged, places, fault_counts, ahead";

/// The blobs of a record, in the order of the columns.
pub struct Blobs {
    pub sums: Vec<u8>,
    pub products: Vec<u8>,
    pub lagged: Vec<u8>,
    pub places: Vec<u8>,
    pub fault_counts: Vec<u8>,
    pub ahead: Vec<u8>,
}

pub fn encode(record: &Record) -> Blobs {
    let n = record.sum.len();
    let upper = (0..n).flat_map(|row| record.product[row * n + row..(row + 1) * n].iter().copied());
    Blobs {
        sums: pack(record.sum.iter().copied()),
        products: pack(upper),
        lagged: pack(record.lagged.iter().copied()),
        places: pack(record.places.iter().map(|&count| count.into())),
        fault_counts: pack(record.fault_counts.iter().map(|&count| count.into())),
        ahead: pack(record.ahead.iter().map(|&count| count.into())),
    }
}

/// A row as a record of `n` entrants, without its faults; `Ok(Err)` says what is wrong with it.
pub fn decode(row: &Row<'_>, n: impl Fn(u32) -> Option<usize>) -> rusqlite::Result<Result<Record, String>> {
    let job = JobId { line_up: row.get(0)?, block: row.get(1)? };
    let (deals, forfeits, digest): (u32, u32, i64) = (row.get(2)?, row.get(3)?, row.get(4)?);
    let blob = |column| row.get_ref(column).map(|value| value.as_blob().unwrap_or_default());
    let (sums, products, lagged) = (blob(5)?, blob(6)?, blob(7)?);
    let (places, fault_counts, ahead) = (blob(8)?, blob(9)?, blob(10)?);
    let broken = |what: &str| format!("line-up {}, block {}: {what}", job.line_up, job.block);
    let read = || {
        let n = n(job.line_up).ok_or_else(|| broken("no such line-up"))?;
        let numbers = |blob, count, what| unpack(blob, count).ok_or_else(|| broken(what));
        let small = |blob, count, what| {
            let numbers = numbers(blob, count, what)?;
            numbers.into_iter().map(u32::try_from).collect::<Result<Vec<_>, _>>().map_err(|_| broken(what))
        };
        let mut record = Record::new(job, n);
        (record.deals, record.forfeits, record.digest) = (deals, forfeits, digest.cast_unsigned());
        record.sum = numbers(sums, n, "its sums")?;
        record.lagged = numbers(lagged, n, "its lagged products")?;
        record.places = small(places, n * n, "its places")?;
        record.fault_counts = small(fault_counts, n, "its counts of faults")?;
        record.ahead = small(ahead, n * n, "who was ahead of whom")?;
        let mut upper = numbers(products, n * (n + 1) / 2, "its products")?.into_iter();
        for row in 0..n {
            for column in row..n {
                let product = upper.next().unwrap_or_default();
                record.product[row * n + column] = product;
                record.product[column * n + row] = product;
            }
        }
        // Every deal puts every entrant in one place: a cheap look for damage.
        let placed = |row: &[u32]| row.iter().map(|&count| u64::from(count)).sum::<u64>() == u64::from(deals);
        if record.places.chunks(n).all(placed) { Ok(record) } else { Err(broken("its places are not one a deal")) }
    };
    Ok(read())
}

/// Columns of a fault, in the order of [`decode_fault`].
pub const FAULT_COLUMNS: &str = "line_up, block, entrant, kind, deal, decision, message";

/// A row as a fault and the job it happened in; `Ok(Err)` says what is wrong with it.
pub fn decode_fault(row: &Row<'_>) -> rusqlite::Result<Result<(JobId, Fault), String>> {
    let job = JobId { line_up: row.get(0)?, block: row.get(1)? };
    let (entrant, kind): (u8, String) = (row.get(2)?, row.get(3)?);
    let (deal, decision, message) = (row.get(4)?, row.get(5)?, row.get(6)?);
    let kind = serde_json::from_value(kind.into());
    let fault = kind.map(|kind| (job, Fault { entrant, kind, deal, decision, message }));
    Ok(fault.map_err(|error| format!("line-up {}, block {}: {error}", job.line_up, job.block)))
}

/// Numbers as a blob.
pub fn pack(numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut blob = Vec::new();
    for number in numbers {
        let mut rest = (number << 1 ^ number >> 63).cast_unsigned();
        while rest >= 0x80 {
            blob.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        blob.push((rest & 0x7f) as u8);
    }
    blob
}

/// A blob as `count` numbers; `None` if it holds anything else.
fn unpack(blob: &[u8], count: usize) -> Option<Vec<i64>> {
    let mut numbers = Vec::with_capacity(count);
    let (mut value, mut shift) = (0_u64, 0);
    for &byte in blob {
        if shift > 63 || shift == 63 && byte > 1 {
            return None;
        }
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push((value >> 1).cast_signed() ^ -(value & 1).cast_signed());
            (value, shift) = (0, 0);
        }
    }
    (shift == 0 && numbers.len() == count).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_packing() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, i64::from(u32::MAX), i64::MAX, i64::MIN];
        let blob = pack(numbers.into_iter());
        assert_eq!(unpack(&blob, numbers.len()).as_deref(), Some(&numbers[..]));
        assert_eq!(&blob[..4], [0, 2, 1, 126]);
        assert_eq!(unpack(&blob, numbers.len() - 1), None, "too many numbers");
        assert_eq!(unpack(&blob[..blob.len() - 1], numbers.len()), None, "cut short");
        assert_eq!(unpack(&[0xff; 11], 1), None, "too large");
    }
}
