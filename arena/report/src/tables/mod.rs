//! Tables of a league for other programs. One declaration defines the CSV and Parquet files, the
//! documentation in `arena/REPORTS.md` and the name in Python.

mod columns;
mod report;
mod store;

pub use columns::{CellValue, ColumnHead, ColumnType, RowWriter, TableSink};
pub use store::{ReplayedRow, ReplayedTable};

use crate::standings::Standings;
use hattari_play::samples::Samples;
use hattari_play::store::{Store, StoreError};

/// The source of the rows of a table.
#[derive(Clone, Copy, Debug)]
pub enum RowOrigin {
    /// Rows are computed from a report.
    Report(fn(&Standings, &Samples, &mut dyn TableSink)),
    /// Rows are read from a store.
    Store(fn(&Store, &mut dyn TableSink) -> Result<(), StoreError>),
    /// Rows are computed from replayed games.
    Replayed(ReplayedTable),
}

/// A table for export.
#[derive(Clone, Copy, Debug)]
pub struct DataTable {
    /// Name of the table and its files.
    pub name: &'static str,
    /// Description of a row.
    pub about: &'static str,
    /// Source of the rows.
    pub origin: RowOrigin,
}

const fn table(name: &'static str, about: &'static str, origin: RowOrigin) -> DataTable {
    DataTable {
        name,
        about,
        origin,
    }
}

/// All tables.
pub const TABLES: [DataTable; 10] = [
    table(
        "standings",
        "One row per bot",
        RowOrigin::Report(report::standings),
    ),
    table(
        "pairs",
        "One row per pair of bots",
        RowOrigin::Report(report::pairs),
    ),
    table(
        "lineups",
        "One row per line-up and pair of bots",
        RowOrigin::Report(report::line_ups),
    ),
    table(
        "faults",
        "One row per fault with a stored message",
        RowOrigin::Report(report::faults),
    ),
    table(
        "samples",
        "One row per bot and block",
        RowOrigin::Report(report::samples),
    ),
    table(
        "congeniality",
        "One row per pair of bots in a league with several line-ups: numbers of line-ups \
             in which each bot leads",
        RowOrigin::Report(report::congeniality),
    ),
    table(
        "blocks",
        "One row per line-up position and block",
        RowOrigin::Store(store::blocks),
    ),
    table(
        "deals",
        "One row per player and deal; the games are replayed",
        RowOrigin::Replayed(ReplayedTable::Deals),
    ),
    table(
        "decisions",
        "One row per decision of a bot with the features of position and choice; the games \
            are replayed",
        RowOrigin::Replayed(ReplayedTable::Decisions),
    ),
    table(
        "numbers",
        "One row per number that a bot logged in a decision; the games are replayed",
        RowOrigin::Replayed(ReplayedTable::Numbers),
    ),
];
