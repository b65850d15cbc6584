//! Tables of a store: blocks, and deals, decisions and logged numbers of replayed games.

use super::columns::{
    CellValue, ColumnHead, ColumnType, RowWriter, TableColumn, TableSink, columns,
};
use hattari_agents::agent::numbers::LoggedNumber;
use hattari_agents::record::JobId;
use hattari_agents::table::FeatureValues;
use hattari_play::store::{Store, StoreError};
use hattari_plugin::games::features::{FeatureInfo, FeatureValue};

/// The result of one line-up position in a block.
struct PositionResult<'a> {
    job: JobId,
    deals: u32,
    /// Line-up position, from 0.
    place: usize,
    bot: &'a str,
    sum: Option<i64>,
    sum_of_squares: Option<i64>,
    faults: u32,
    is_forfeited: bool,
    digest: u64,
}

/// Writes one row for each block and line-up position.
pub(super) fn blocks(store: &Store, sink: &mut dyn TableSink) -> Result<(), StoreError> {
    let (league, schedule) = (store.league(), &store.schedule);
    let columns = columns! { seat: PositionResult<'_>;
        "line_up", Integer = seat.job.line_up;
        "block", Integer = seat.job.block;
        "deals", Integer = seat.deals;
        "place", Integer = seat.place;
        "bot", Text = seat.bot;
        "sum", Integer = seat.sum;
        "sum_of_squares", Integer = seat.sum_of_squares;
        "faults", Integer = seat.faults;
        "forfeited", Boolean = seat.is_forfeited;
        "digest", Text = format!("{:016x}", seat.digest);
    };
    let mut rows = RowWriter::new(columns, sink);
    store.each_record(|record| {
        let line_up = schedule.line_ups.get(record.job.line_up as usize);
        let entrants = line_up.map_or(&[][..], |line_up| line_up);
        for (place, &entrant) in entrants.iter().enumerate() {
            rows.add(&PositionResult {
                job: record.job,
                deals: record.deals,
                place,
                bot: &league.entrants[entrant].name,
                sum: record.sum.get(place).copied(),
                sum_of_squares: record.product.get(place * (entrants.len() + 1)).copied(),
                faults: record.fault_counts.get(place).copied().unwrap_or(0),
                is_forfeited: record.forfeits >> place & 1 == 1,
                digest: record.digest,
            });
        }
    })
}

/// A table whose rows come from replayed blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayedTable {
    /// One row per player and deal, with the features of the outcome.
    Deals,
    /// One row per decision of a bot, with the features of position and choice.
    Decisions,
    /// One row per number that a bot logged in a decision.
    Numbers,
}

/// A row about a deal or a decision. A table has columns for some of these fields.
pub struct ReplayedRow {
    /// Line-up and block.
    pub job: JobId,
    /// Number of the deal in the block.
    pub deal: u32,
    /// Number of the decision in the deal, as in faults.
    pub decision: u32,
    /// Number of the player, from 0.
    pub player: usize,
    /// Line-up position, from 0.
    pub place: usize,
    /// Name of the bot.
    pub bot: String,
    /// The choice in words.
    pub choice: String,
    /// Payoff of the player at the end of the deal, in points.
    pub payoff: i64,
    /// Features of the outcome, or of the position and the choice.
    pub features: FeatureValues,
    /// Name and value of a logged number.
    pub number: LoggedNumber,
}

impl ReplayedTable {
    /// Creates the table and writes the headers. Each of the features has a column; its name has
    /// `_` in place of spaces.
    pub fn begin<'s>(
        self,
        features: &[&'static [FeatureInfo]],
        sink: &'s mut dyn TableSink,
    ) -> RowWriter<'s, ReplayedRow> {
        let mut columns = columns! { row: ReplayedRow;
            "line_up", Integer = row.job.line_up;
            "block", Integer = row.job.block;
            "deal", Integer = row.deal;
        };
        if self != ReplayedTable::Deals {
            columns.extend(columns! { row: ReplayedRow;
                "decision", Integer = row.decision;
            });
        }
        columns.extend(columns! { row: ReplayedRow;
            "player", Integer = row.player;
            "place", Integer = row.place;
            "bot", Text = row.bot.as_str();
        });
        columns.extend(match self {
            ReplayedTable::Deals => columns! { row: ReplayedRow;
                "payoff", Integer = row.payoff;
            },
            ReplayedTable::Decisions => columns! { row: ReplayedRow;
                "choice", Text = row.choice.as_str();
                "payoff", Integer = row.payoff;
            },
            ReplayedTable::Numbers => columns! { row: ReplayedRow;
                "name", Text = row.number.0.as_str();
                "number", Real = row.number.1;
            },
        });
        columns.extend(features.iter().copied().flatten().map(feature));
        RowWriter::new(columns, sink)
    }
}

/// Returns the column of a feature.
fn feature(&(name, words): &'static FeatureInfo) -> TableColumn<'static, ReplayedRow> {
    let kind = match words {
        [] => ColumnType::Integer,
        _ => ColumnType::Text,
    };
    TableColumn {
        head: ColumnHead {
            name: name.replace(' ', "_"),
            kind,
        },
        value: Box::new(move |row| {
            let feature = row.features.iter().find(|feature| feature.0 == name);
            match feature.map(|feature| feature.1) {
                Some(FeatureValue::Count(number)) => u32::from(number).into(),
                Some(FeatureValue::Word(word)) => word.into(),
                None => CellValue::Empty,
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a table.
    struct Lines(Vec<String>);

    impl TableSink for Lines {
        fn columns(&mut self, heads: Vec<ColumnHead>) {
            let names: Vec<String> = heads.into_iter().map(|head| head.name).collect();
            self.0.push(names.join(" "));
        }

        fn row(&mut self, cells: &[CellValue<'_>]) {
            let cells: Vec<_> = cells.iter().map(CellValue::text).collect();
            self.0.push(cells.join(" "));
        }
    }

    fn row() -> ReplayedRow {
        ReplayedRow {
            job: JobId {
                line_up: 1,
                block: 2,
            },
            deal: 3,
            decision: 4,
            player: 5,
            place: 6,
            bot: "x".into(),
            choice: "pass".into(),
            payoff: -7,
            features: vec![("kind of lead", FeatureValue::Count(9))],
            number: ("win".into(), 0.5),
        }
    }

    #[test]
    fn tables_about_decisions_begin_with_the_same_columns() {
        let lines = |table: ReplayedTable, features: &[&'static [FeatureInfo]]| {
            let mut lines = Lines(Vec::new());
            table.begin(features, &mut lines).add(&row());
            lines.0
        };
        let begin = [
            "line_up block deal decision player place bot",
            "1 2 3 4 5 6 x",
        ];
        let ends = |ends: [&str; 2]| [0, 1].map(|line| format!("{} {}", begin[line], ends[line]));
        let choices = lines(ReplayedTable::Decisions, &[&[("kind of lead", &[])], &[]]);
        assert_eq!(choices, ends(["choice payoff kind_of_lead", "pass -7 9"]));
        let numbers = lines(ReplayedTable::Numbers, &[]);
        assert_eq!(numbers, ends(["name number", "win 0.5"]));
    }
}
