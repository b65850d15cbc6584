//! Tables of a league for other programs. One declaration defines the CSV and Parquet files, the
//! documentation in `arena/REPORTS.md` and the name in Python.

mod columns;
mod report;
mod store;

pub use columns::{CellValue, ColumnHead, ColumnType, TableSink};
pub use store::{Deal, Deals, Decision, Decisions};

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
    /// Rows are [`Deal`]s of replayed games.
    Deals,
    /// Rows are [`Decision`]s of replayed games.
    Decisions,
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

/// All tables.
pub const TABLES: [DataTable; 9] = [
    DataTable {
        name: "standings",
        about: "One row per bot",
        origin: RowOrigin::Report(report::standings),
    },
    DataTable {
        name: "pairs",
        about: "One row per pair of bots",
        origin: RowOrigin::Report(report::pairs),
    },
    DataTable {
        name: "lineups",
        about: "One row per line-up and pair of bots",
        origin: RowOrigin::Report(report::line_ups),
    },
    DataTable {
        name: "faults",
        about: "One row per fault with a stored message",
        origin: RowOrigin::Report(report::faults),
    },
    DataTable {
        name: "samples",
        about: "One row per bot and block",
        origin: RowOrigin::Report(report::samples),
    },
    DataTable {
        name: "congeniality",
        about: "One row per pair of bots in a league with several line-ups: numbers of line-ups \
             in which each bot leads",
        origin: RowOrigin::Report(report::congeniality),
    },
    DataTable {
        name: "blocks",
        about: "One row per line-up position and block",
        origin: RowOrigin::Store(store::blocks),
    },
    DataTable {
        name: "deals",
        about: "One row per player and deal; the games are replayed",
        origin: RowOrigin::Deals,
    },
    DataTable {
        name: "decisions",
        about: "One row per decision of a bot with the features of position and choice; the games \
            are replayed",
        origin: RowOrigin::Decisions,
    },
];
