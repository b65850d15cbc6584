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
        about: "One row per bot",
        origin: Origin::Report(report::standings),
    },
    Table {
        name: "pairs",
        about: "One row per pair of bots",
        origin: Origin::Report(report::pairs),
    },
    Table {
        name: "lineups",
        about: "One row per line-up and pair of bots",
        origin: Origin::Report(report::line_ups),
    },
    Table {
        name: "faults",
        about: "One row per fault with a stored message",
        origin: Origin::Report(report::faults),
    },
    Table {
        name: "samples",
        about: "One row per bot and block",
        origin: Origin::Report(report::samples),
    },
    Table {
        name: "congeniality",
        about: "One row per pair of bots in a league with several line-ups: numbers of line-ups \
             in which each bot leads",
        origin: Origin::Report(report::congeniality),
    },
    Table {
        name: "blocks",
        about: "One row per seat and block",
        origin: Origin::Store(store::blocks),
    },
    Table {
        name: "deals",
        about: "One row per player and deal; the games are replayed",
        origin: Origin::Replays,
    },
];
