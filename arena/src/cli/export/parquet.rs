//! A writer for Parquet files (`github.com/apache/parquet-format`): row groups with one page per
//! column, plain encoding, gzip. The library of the Arrow project can do much more, but adds about
//! 30 seconds of processor time to a build.

mod thrift;

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use hattari_report::tables::{CellValue, ColumnHead, ColumnType};
use std::io::Write;
use thrift::Struct;

/// Number of rows per row group. The rows of one group are held in memory.
const GROUP: usize = 1 << 17;
const MAGIC: &[u8; 4] = b"PAR1";

/// Returns the Parquet code of a physical type.
fn physical(kind: ColumnType) -> i32 {
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
    groups: Vec<Vec<u8>>,
    rows: usize,
}

impl<W: Write> Writer<W> {
    /// Creates a writer for a table with these columns. All columns are nullable.
    pub(super) fn new(out: W, heads: Vec<ColumnHead>) -> anyhow::Result<Writer<W>> {
        let column = |head| Column {
            head,
            is_there: Vec::new(),
            values: Vec::new(),
        };
        let columns = heads.into_iter().map(column).collect();
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
        if self.rows.is_multiple_of(GROUP) {
            self.end_group()
        } else {
            Ok(())
        }
    }

    /// Writes the last row group and the metadata; returns the output.
    pub(super) fn finish(mut self) -> anyhow::Result<W> {
        self.end_group()?;
        let root = Struct::new()
            .text(4, "table")
            .i32(5, i32::try_from(self.columns.len())?)
            .end();
        let leaf = |column: &Column| {
            let leaf = Struct::new()
                .i32(1, physical(column.head.kind))
                .i32(3, OPTIONAL)
                .text(4, &column.head.name);
            match column.head.kind {
                // Old readers use the converted type; newer readers use the logical type.
                ColumnType::Text => leaf
                    .i32(6, UTF8)
                    .inner(10, &Struct::new().inner(1, &Struct::new().end()).end())
                    .end(),
                _ => leaf.end(),
            }
        };
        let schema: Vec<Vec<u8>> = std::iter::once(root)
            .chain(self.columns.iter().map(leaf))
            .collect();
        let about = Struct::new()
            .i32(1, 1)
            .inners(2, &schema)
            .i64(3, self.rows)
            .inners(4, &self.groups);
        let about = about
            .text(6, concat!("hattari ", env!("CARGO_PKG_VERSION")))
            .end();
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
            let about = Struct::new()
                .i32(1, physical(head.kind))
                .i32s(2, &[PLAIN, RLE])
                .texts(3, &[&head.name])
                .i32(4, GZIP);
            let about = about
                .i64(5, rows)
                .i64(6, size)
                .i64(7, self.at - start)
                .i64(9, start)
                .end();
            chunks.push(Struct::new().i64(2, start).inner(3, &about).end());
        }
        self.groups.push(
            Struct::new()
                .inners(1, &chunks)
                .i64(2, total)
                .i64(3, rows)
                .end(),
        );
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
            (ColumnType::Boolean, CellValue::Boolean(truth)) => self.values.push(u8::from(*truth)),
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
        let levels = runs(&std::mem::take(&mut self.is_there));
        let mut content = u32::try_from(levels.len())?.to_le_bytes().to_vec();
        content.extend(levels);
        match self.head.kind {
            ColumnType::Boolean => content.extend(bits(&self.values)),
            _ => content.extend(&self.values),
        }
        self.values.clear();
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&content)?;
        let packed = packer.finish()?;
        let about = Struct::new()
            .i32(1, rows)
            .i32(2, PLAIN)
            .i32(3, RLE)
            .i32(4, RLE)
            .end();
        let (plain_size, packed_size) =
            (i32::try_from(content.len())?, i32::try_from(packed.len())?);
        let head = Struct::new()
            .i32(1, DATA_PAGE)
            .i32(2, plain_size)
            .i32(3, packed_size)
            .inner(5, &about)
            .end();
        Ok((head, packed, content.len()))
    }
}

/// Encodes, as run lengths, which rows have a value.
fn runs(is_there: &[bool]) -> Vec<u8> {
    let mut runs = Vec::new();
    for run in is_there.chunk_by(|a, b| a == b) {
        thrift::put_number((run.len() as u64) << 1, &mut runs);
        runs.push(u8::from(run[0]));
    }
    runs
}

/// Packs bytes of 0 and 1 into bits, lowest bit first.
fn bits(truths: &[u8]) -> impl Iterator<Item = u8> {
    truths.chunks(8).map(|eight| {
        (0..)
            .zip(eight)
            .fold(0, |byte, (at, truth)| byte | (truth << at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_run_length_encoded_and_booleans_are_bit_packed() {
        assert_eq!(runs(&[true; 3]), [6, 1]);
        assert_eq!(runs(&[true, true, false]), [4, 1, 2, 0]);
        assert_eq!(runs(&[true; 100]), [0xc8, 1, 1]);
        assert!(runs(&[]).is_empty());
        assert_eq!(
            bits(&[1, 0, 1, 1, 0, 0, 0, 0, 1]).collect::<Vec<_>>(),
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
