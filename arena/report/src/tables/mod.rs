//! Tables of a league for other programs. One declaration defines the CSV and Parquet files, the
//! documentation in `arena/REPORTS.md` and the name in Python.

mod columns;
mod report;
mod store;

pub use columns::{Head, Kind, Sink, Value};
pub use store::{Deal, Deals};

use crate::standings::Standings;
use hattari_play::samples::Samples;
use hattari_play::store::{Store, StoreError};
/// The source of the rows of a table.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// Rows are computed from a report.
    Report(fn(&Standings, &Samples, &mut dyn Sink)),
    /// Rows are read from a store.
    Store(fn(&Store, &mut dyn Sink) -> Result<(), StoreError>),
    /// Rows are [`Deal`]s of replayed games.
    Replays,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name of the table and its files.
    pub name: &'static str,
    /// Description of a row.
    pub about: &'static str,
    /// Source of the rows.
    pub origin: Origin,
}

/// All tables.
pub const TABLES: [Table; 8] = [
    Table {
        name: "standings",
        about: "A row for each bot",
        origin: Origin::Report(report::standings),
    },
    Table {
        name: "pairs",
        about: "A row for every two bots",
        origin: Origin::Report(report::pairs),
    },
    Table {
        name: "lineups",
        about: "A row for every two bots of each line-up",
        origin: Origin::Report(report::line_ups),
    },
    Table {
        name: "faults",
        about: "A row for each fault that is kept in words",
        origin: Origin::Report(report::faults),
    },
    Table {
        name: "samples",
        about: "A row for each bot and block",
        origin: Origin::Report(report::samples),
    },
    Table {
        name: "congeniality",
        about: "A row for every two bots of a league with several line-ups: who leads where",
        origin: Origin::Report(report::congeniality),
    },
    Table {
        name: "blocks",
        about: "A row for each seat of a block",
        origin: Origin::Store(store::blocks),
    },
    Table {
        name: "deals",
        about: "A row for each player of a deal; its games are played again",
        origin: Origin::Replays,
    },
];
