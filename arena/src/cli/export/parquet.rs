//! A writer for Parquet files (`github.com/apache/parquet-format`): row groups with one page per
//! column, plain encoding, gzip. The library of the Arrow project can do much more, but adds about
//! 30 seconds of processor time to a build.

mod thrift;

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use hattari_report::tables::{CellValue, ColumnHead, ColumnType};
use std::io::Write;
use thrift::Value::{I32, I64, List, Struct, Text};
use thrift::{Value, encode};

/// Number of rows per row group. The rows of one group are held in memory.
const GROUP_ROWS: usize = 1 << 17;
const MAGIC: &[u8; 4] = b"PAR1";

/// Returns the Parquet code of a physical type.
fn physical_type(kind: ColumnType) -> i32 {
    match kind {
        ColumnType::Boolean => 0,
        ColumnType::Integer => 2,
        ColumnType::Real => 5,
        ColumnType::Text => 6,
    }
}

// Codes of the Parquet format.
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const GZIP: i32 = 2;
const DATA_PAGE: i32 = 0;

/// A column of the current row group.
struct Column {
    head: ColumnHead,
    /// For each row of the group, `true` if the column has a value.
    is_there: Vec<bool>,
    /// The encoded values of the rows that have one; booleans take one byte each.
    values: Vec<u8>,
}

/// A writer for one table.
pub(super) struct Writer<W: Write> {
    out: W,
    /// Number of bytes written so far.
    at: usize,
    columns: Vec<Column>,
    /// Metadata of the row groups written so far.
    groups: Vec<Value<'static>>,
    rows: usize,
}

impl<W: Write> Writer<W> {
    /// Creates a writer for a table with these columns. All columns are nullable.
    pub(super) fn new(out: W, heads: Vec<ColumnHead>) -> anyhow::Result<Self> {
        let columns = heads
            .into_iter()
            .map(|head| Column {
                head,
                is_there: Vec::new(),
                values: Vec::new(),
            })
            .collect();
        let mut writer = Writer {
            out,
            at: 0,
            columns,
            groups: Vec::new(),
            rows: 0,
        };
        writer.put(MAGIC)?;
        Ok(writer)
    }

    /// Adds a row. An empty string becomes a null value.
    ///
    /// # Errors
    /// Returns an error if the type of a cell is not the type of its column, or if the output
    /// cannot be written.
    pub(super) fn row(&mut self, cells: &[CellValue<'_>]) -> anyhow::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.add(cell)?;
        }
        self.rows += 1;
        if self.rows.is_multiple_of(GROUP_ROWS) {
            self.end_group()
        } else {
            Ok(())
        }
    }

    /// Writes the last row group and the metadata; returns the output.
    pub(super) fn finish(mut self) -> anyhow::Result<W> {
        self.end_group()?;
        let columns = I32(i32::try_from(self.columns.len())?);
        let mut schema = vec![Struct(encode(&[(4, Text("table")), (5, columns)]))];
        for Column { head, .. } in &self.columns {
            let mut leaf = vec![
                (1, I32(physical_type(head.kind))),
                (3, I32(OPTIONAL)),
                (4, Text(&head.name)),
            ];
            if head.kind == ColumnType::Text {
                // Old readers use the converted type; newer readers use the logical type.
                let logical = encode(&[(1, Struct(encode(&[])))]);
                leaf.extend([(6, I32(UTF8)), (10, Struct(logical))]);
            }
            schema.push(Struct(encode(&leaf)));
        }
        let about = encode(&[
            (1, I32(1)),
            (2, List(schema)),
            (3, I64(self.rows)),
            (4, List(std::mem::take(&mut self.groups))),
            (6, Text(concat!("hattari ", env!("CARGO_PKG_VERSION")))),
        ]);
        self.put(&about)?;
        self.put(&u32::try_from(about.len())?.to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush().context("the table cannot be written")?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.at += bytes.len();
        self.out
            .write_all(bytes)
            .context("the table cannot be written")
    }

    /// Writes the buffered rows as a row group.
    fn end_group(&mut self) -> anyhow::Result<()> {
        let rows = self
            .columns
            .first()
            .map_or(0, |column| column.is_there.len());
        if rows == 0 {
            return Ok(());
        }
        let (mut chunks, mut total) = (Vec::new(), 0);
        for number in 0..self.columns.len() {
            let start = self.at;
            let (start_of_page, packed, plain) = self.columns[number].page()?;
            self.put(&start_of_page)?;
            self.put(&packed)?;
            let head = &self.columns[number].head;
            let size = plain + start_of_page.len();
            total += size;
            let about = encode(&[
                (1, I32(physical_type(head.kind))),
                (2, List(vec![I32(PLAIN), I32(RLE)])),
                (3, List(vec![Text(&head.name)])),
                (4, I32(GZIP)),
                (5, I64(rows)),
                (6, I64(size)),
                (7, I64(self.at - start)),
                (9, I64(start)),
            ]);
            chunks.push(Struct(encode(&[(2, I64(start)), (3, Struct(about))])));
        }
        let group = encode(&[(1, List(chunks)), (2, I64(total)), (3, I64(rows))]);
        self.groups.push(Struct(group));
        Ok(())
    }
}

impl Column {
    fn add(&mut self, cell: &CellValue<'_>) -> anyhow::Result<()> {
        let ColumnHead { name, kind } = &self.head;
        let is_there = *cell != CellValue::Empty && cell.text() != "";
        self.is_there.push(is_there);
        match (kind, cell) {
            _ if !is_there => {}
            (ColumnType::Text, CellValue::Text(text)) => {
                self.values.extend(u32::try_from(text.len())?.to_le_bytes());
                self.values.extend(text.as_bytes());
            }
            (ColumnType::Integer, CellValue::Integer(number)) => {
                self.values.extend(number.to_le_bytes())
            }
            (ColumnType::Real, CellValue::Real(number)) => self.values.extend(number.to_le_bytes()),
            (ColumnType::Boolean, CellValue::Boolean(bit)) => self.values.push(u8::from(*bit)),
            _ => bail!(
                "column {name}: `{}` is not of the type {kind:?}",
                cell.text()
            ),
        }
        Ok(())
    }

    /// Encodes the buffered values as a page and clears them. Returns the page header, the
    /// compressed data and the size of the uncompressed data in bytes.
    fn page(&mut self) -> anyhow::Result<(Vec<u8>, Vec<u8>, usize)> {
        let rows = i32::try_from(self.is_there.len())?;
        let levels = encode_runs(&std::mem::take(&mut self.is_there));
        let mut content = u32::try_from(levels.len())?.to_le_bytes().to_vec();
        content.extend(levels);
        match self.head.kind {
            ColumnType::Boolean => content.extend(pack_bits(&self.values)),
            _ => content.extend(&self.values),
        }
        self.values.clear();
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&content)?;
        let packed = packer.finish()?;
        let about = encode(&[
            (1, I32(rows)),
            (2, I32(PLAIN)),
            (3, I32(RLE)),
            (4, I32(RLE)),
        ]);
        let head = encode(&[
            (1, I32(DATA_PAGE)),
            (2, I32(i32::try_from(content.len())?)),
            (3, I32(i32::try_from(packed.len())?)),
            (5, Struct(about)),
        ]);
        Ok((head, packed, content.len()))
    }
}

/// Encodes which rows have a value, as alternating runs of equal flags.
fn encode_runs(is_there: &[bool]) -> Vec<u8> {
    let mut runs = Vec::new();
    for run in is_there.chunk_by(|a, b| a == b) {
        thrift::put_number((run.len() as u64) << 1, &mut runs);
        runs.push(u8::from(run[0]));
    }
    runs
}

/// Packs bytes that are 0 or 1 into bits, eight to a byte, the first in the lowest bit.
fn pack_bits(truths: &[u8]) -> impl Iterator<Item = u8> {
    truths.chunks(8).map(|eight| {
        (0..)
            .zip(eight)
            .fold(0, |byte, (at, bit)| byte | (bit << at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_run_length_encoded_and_booleans_are_bit_packed() {
        assert_eq!(encode_runs(&[true; 3]), [6, 1]);
        assert_eq!(encode_runs(&[true, true, false]), [4, 1, 2, 0]);
        assert_eq!(encode_runs(&[true; 100]), [0xc8, 1, 1]);
        assert!(encode_runs(&[]).is_empty());
        assert_eq!(
            pack_bits(&[1, 0, 1, 1, 0, 0, 0, 0, 1]).collect::<Vec<_>>(),
            [0b1101, 1]
        );
    }

    fn head(name: &str, kind: ColumnType) -> ColumnHead {
        let name = name.to_owned();
        ColumnHead { name, kind }
    }

    #[test]
    fn a_cell_of_the_wrong_type_is_reported_with_its_column() {
        let heads = vec![
            head("bot", ColumnType::Text),
            head("deals", ColumnType::Integer),
        ];
        let mut writer = Writer::new(Vec::new(), heads).unwrap();
        writer.row(&["base".into(), 12_u32.into()]).unwrap();
        let error = writer.row(&["base".into(), 1.5.into()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column deals: `1.5` is not of the type Integer"
        );
    }

    /// A reader starts at the end of the file: magic number, size of the metadata, metadata with
    /// the version first.
    #[test]
    fn the_parquet_footer_locates_the_metadata() {
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file, vec![head("n", ColumnType::Integer)]).unwrap();
        writer.row(&[7_u32.into()]).unwrap();
        writer.finish().unwrap();
        let end = file.len() - 8;
        assert_eq!((&file[..4], &file[end + 4..]), (&MAGIC[..], &MAGIC[..]));
        let size = u32::from_le_bytes(file[end..end + 4].try_into().unwrap()) as usize;
        // Field 1, integer 1; field 2, a list of two structs, the first of which names the table.
        assert_eq!(file[end - size..][..5], [0x15, 2, 0x19, 0x2c, 0x48]);
    }
}
