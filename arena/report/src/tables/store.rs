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
    let (league, schedule) = (store.league(), store.schedule());
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
        let entrants = line_up.map_or(&[][..], |line_up| &line_up.entrants);
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

/// A player's result of a deal.
pub struct Deal {
    /// Line-up and block.
    pub job: JobId,
    /// Number of the deal in the block.
    pub deal: u32,
    /// Number of the player, from 0.
    pub player: usize,
    /// Line-up position, from 0.
    pub place: usize,
    /// Name of the bot.
    pub bot: String,
    /// Payoff in points.
    pub payoff: i64,
    /// Features of the outcome.
    pub outcome: FeatureValues,
}

/// A writer for the table of deals.
pub type Deals<'s> = RowWriter<'s, Deal>;

/// Creates the table of deals and writes the headers. Each feature of outcomes has a column; its
/// name has `_` in place of spaces.
pub fn deals<'s>(outcomes: &'static [FeatureInfo], sink: &'s mut dyn TableSink) -> Deals<'s> {
    let mut columns = columns! { deal: Deal;
        "line_up", Integer = deal.job.line_up;
        "block", Integer = deal.job.block;
        "deal", Integer = deal.deal;
        "player", Integer = deal.player;
        "place", Integer = deal.place;
        "bot", Text = deal.bot.as_str();
        "payoff", Integer = deal.payoff;
    };
    let features = outcomes.iter();
    columns.extend(features.map(|info| feature(info, |deal: &Deal| &deal.outcome)));
    RowWriter::new(columns, sink)
}

/// A row about a decision of a bot.
pub struct DecisionRow<D> {
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
    /// The data of the columns in which the tables about decisions differ.
    pub data: D,
}

/// Returns the columns that all tables about decisions have in common.
fn decision_columns<D: 'static>() -> Vec<TableColumn<'static, DecisionRow<D>>> {
    columns! { row: DecisionRow<D>;
        "line_up", Integer = row.job.line_up;
        "block", Integer = row.job.block;
        "deal", Integer = row.deal;
        "decision", Integer = row.decision;
        "player", Integer = row.player;
        "place", Integer = row.place;
        "bot", Text = row.bot.as_str();
    }
}

/// A choice of a bot with its payoff.
pub struct BotChoice {
    /// The choice in words.
    pub choice: String,
    /// Features of the position and the choice.
    pub features: FeatureValues,
    /// Payoff of the player at the end of the deal, in points.
    pub payoff: i64,
}

/// A writer for the table of decisions.
pub type Decisions<'s> = RowWriter<'s, DecisionRow<BotChoice>>;

/// Creates the table of decisions and writes the headers. `features` are the features of positions
/// and of choices. Each feature has a column; its name has `_` in place of spaces.
pub fn decisions<'s>(
    features: [&'static [FeatureInfo]; 2],
    sink: &'s mut dyn TableSink,
) -> Decisions<'s> {
    let mut columns = decision_columns();
    columns.extend(columns! { row: DecisionRow<BotChoice>;
        "choice", Text = row.data.choice.as_str();
        "payoff", Integer = row.data.payoff;
    });
    let features = features.into_iter().flatten();
    columns.extend(
        features.map(|info| feature(info, |row: &DecisionRow<BotChoice>| &row.data.features)),
    );
    RowWriter::new(columns, sink)
}

/// Returns the column of a feature. `of` selects the features of a row.
fn feature<R: 'static>(
    &(name, words): &'static FeatureInfo,
    of: fn(&R) -> &FeatureValues,
) -> TableColumn<'static, R> {
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
            let feature = of(row).iter().find(|feature| feature.0 == name);
            match feature.map(|feature| feature.1) {
                Some(FeatureValue::Count(number)) => u32::from(number).into(),
                Some(FeatureValue::Word(word)) => word.into(),
                None => CellValue::Empty,
            }
        }),
    }
}

/// A writer for the table of logged numbers.
pub type LoggedNumbers<'s> = RowWriter<'s, DecisionRow<LoggedNumber>>;

/// Creates the table of logged numbers and writes the headers.
pub fn logged_numbers(sink: &mut dyn TableSink) -> LoggedNumbers<'_> {
    let mut columns = decision_columns();
    columns.extend(columns! { row: DecisionRow<LoggedNumber>;
        "name", Text = row.data.0.as_str();
        "number", Real = row.data.1;
    });
    RowWriter::new(columns, sink)
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

    fn row<D>(data: D) -> DecisionRow<D> {
        DecisionRow {
            job: JobId {
                line_up: 1,
                block: 2,
            },
            deal: 3,
            decision: 4,
            player: 5,
            place: 6,
            bot: "x".into(),
            data,
        }
    }

    #[test]
    fn tables_about_decisions_begin_with_the_same_columns() {
        let (mut choices, mut numbers) = (Lines(Vec::new()), Lines(Vec::new()));
        decisions([&[("kind of lead", &[])], &[]], &mut choices).add(&row(BotChoice {
            choice: "pass".into(),
            features: vec![("kind of lead", FeatureValue::Count(9))],
            payoff: -7,
        }));
        logged_numbers(&mut numbers).add(&row(("win".into(), 0.5)));
        let begin = [
            "line_up block deal decision player place bot",
            "1 2 3 4 5 6 x",
        ];
        let ends = |ends: [&str; 2]| [0, 1].map(|line| format!("{} {}", begin[line], ends[line]));
        assert_eq!(choices.0, ends(["choice payoff kind_of_lead", "pass -7 9"]));
        assert_eq!(numbers.0, ends(["name number", "win 0.5"]));
    }
}
