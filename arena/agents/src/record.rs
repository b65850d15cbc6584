//! The results of a played block. The store keeps them, and the statistics read them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The line-up and the number of a block. Together they identify the block in the league's store
/// and determine the block's seeds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct JobId {
    /// Index of the line-up in the league's schedule.
    pub line_up: u32,
    /// Number of the block.
    pub block: u32,
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line-up {}, block {}", self.line_up, self.block)
    }
}

/// The kinds of faults of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The bot could not be started.
    Start,
    /// The bot reported that it does not support this game, these options or this number of
    /// players.
    Refused,
    /// The bot chose an action that is not legal.
    IllegalAction,
    /// The bot chose an amount outside the action's range.
    IllegalAmount,
    /// The bot reported or raised an error.
    Error,
    /// The bot panicked; the instance cannot be called again.
    Panic,
    /// The bot exceeded a time limit.
    Time,
    /// The bot exceeded its memory limit; the instance cannot be called again.
    Memory,
    /// The bot's process ended; the instance cannot be called again.
    Crash,
    /// A call exceeded the processor time limit that stops calls whose work the host cannot count.
    /// On another machine the fault may not occur, or may have another kind.
    Clock,
}

impl FaultKind {
    /// Returns `true` if the instance cannot be called again.
    #[must_use]
    pub fn is_fatal(self) -> bool {
        matches!(
            self,
            FaultKind::Start
                | FaultKind::Refused
                | FaultKind::Panic
                | FaultKind::Memory
                | FaultKind::Crash
        )
    }

    /// Returns the name of the kind in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        FAULT_KINDS[self as usize].1
    }
}

/// All kinds in the order of their declaration, each with its name in reports. Stored answers
/// contain the index, so new kinds must be appended.
pub(crate) const FAULT_KINDS: [(FaultKind, &str); 10] = [
    (FaultKind::Start, "start"),
    (FaultKind::Refused, "refused"),
    (FaultKind::IllegalAction, "illegal action"),
    (FaultKind::IllegalAmount, "illegal amount"),
    (FaultKind::Error, "error"),
    (FaultKind::Panic, "panic"),
    (FaultKind::Time, "time"),
    (FaultKind::Memory, "memory"),
    (FaultKind::Crash, "crash"),
    (FaultKind::Clock, "clock"),
];

/// A fault of a bot, with the deal and the decision in which it occurred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Index of the bot in the line-up.
    pub entrant: u8,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Index of the deal in the block; rotations of duplicate deals are numbered consecutively.
    pub deal: u32,
    /// Index of the decision in the deal, counting the calls of all seats.
    pub decision: u32,
    /// Message of the bot or the host.
    pub message: String,
}

/// The result of one block. The same job gives the same record, byte for byte, on every machine.
///
/// Lists are indexed by entrant, in the order of the line-up; `n` is the number of entrants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Line-up and number of the block.
    pub job: JobId,
    /// Number of deals played, over all rotations.
    pub deals: u32,
    /// Sum of the payoffs of each entrant; `n` numbers.
    pub sum: Vec<i64>,
    /// Sums over deals of products of payoffs, row by row; `n * n` numbers. Together with `sum`
    /// they give the variance of any difference, so tests on single deals need no list of deals.
    pub product: Vec<i64>,
    /// Sums of the products of each entrant's payoffs in consecutive deals; `n` numbers. They give
    /// the correlation between consecutive deals.
    pub lagged: Vec<i64>,
    /// Number of deals in which an entrant (row) had a rank (column), row by row; `n * n` numbers.
    /// Equal payoffs share the better rank.
    pub places: Vec<u32>,
    /// Number of deals in which one entrant (row) scored more than another (column), row by row; `n
    /// * n` numbers. Ratings are fitted to them, because ranks do not show who was ahead of whom.
    pub ahead: Vec<u32>,
    /// Bit set of the entrants that forfeited the block.
    pub forfeits: u32,
    /// Number of faults of each entrant; `n` numbers.
    pub fault_counts: Vec<u32>,
    /// The first 4 faults of each entrant, and the first fault of each further kind.
    pub faults: Vec<Fault>,
    /// Hash of the events and payoffs of all deals.
    pub digest: u64,
    /// Luck of each entrant, summed over deals: a row of `n` numbers for each kind of chance event
    /// ([`Game::chances`](hattari_plugin::games::Game::chances)). The unit is
    /// 1/[`LUCK_PARTS`](hattari_plugin::games::LUCK_PARTS) of the unit of payoffs. Empty if luck
    /// was not measured.
    pub luck: Vec<i64>,
}

/// Number of an entrant's first faults that a record always describes. Of later faults, only the
/// first of each kind is described; the others are only counted.
const FAULTS_KEPT: usize = 4;

/// Maximum length of a fault's message in bytes.
const FAULT_MESSAGE_MAX: usize = 400;

/// Number and thinking times of an entrant's decisions. Not part of the record, because the times
/// differ from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DecisionTime {
    /// Number of decisions.
    pub decisions: u64,
    /// Number of timed decisions. Only a sample is timed, because reading the clock would slow down
    /// fast bots.
    pub timed: u64,
    /// Total time of the timed decisions in nanoseconds.
    pub nanos: u64,
    /// Time of the slowest timed decision in nanoseconds.
    pub worst_nanos: u64,
}

/// Decision times by entrant.
pub type Timing = Vec<DecisionTime>;

/// The number of times that other processes killed processes of an entrant. Not part of the record,
/// because they differ from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KillCounts {
    /// Number of blocks in which the entrant's processes were killed.
    pub blocks: u64,
    /// Number of kills.
    pub times: u64,
}

/// All results of a played block.
#[derive(Debug)]
pub struct BlockResult {
    /// Record, from which the statistics are computed.
    pub record: Record,
    /// Decision times.
    pub timing: Timing,
    /// Packed answers of the bots (see `agent::recorded`), if the seeds alone do not determine the
    /// block.
    pub answers: Option<Vec<u8>>,
    /// Number of external kills of each entrant's processes. Not part of the record, because kills
    /// are not results of play.
    pub kills: Vec<u32>,
}

impl Record {
    /// Returns `true` if two records describe the same play. Messages of faults are ignored,
    /// because they can contain addresses or times, and so is luck that only one record has.
    pub fn is_same_play(&self, other: &Record) -> bool {
        let without_words = |record: &Record| {
            let mut record = Record {
                luck: Vec::new(),
                ..record.clone()
            };
            record
                .faults
                .iter_mut()
                .for_each(|fault| fault.message.clear());
            record
        };
        let has_same_luck =
            self.luck.is_empty() || other.luck.is_empty() || self.luck == other.luck;
        has_same_luck && without_words(self) == without_words(other)
    }

    /// Creates a record without deals.
    pub fn new(job: JobId, n: usize) -> Record {
        Record {
            job,
            sum: vec![0; n],
            product: vec![0; n * n],
            lagged: vec![0; n],
            places: vec![0; n * n],
            ahead: vec![0; n * n],
            fault_counts: vec![0; n],
            ..Record::default()
        }
    }

    /// Adds a deal. `payoffs` is indexed by entrant; `before` contains the payoffs of the previous
    /// deal of the same rotation, if any.
    pub fn add_deal(&mut self, payoffs: &[i64], before: Option<&[i64]>) {
        let n = self.sum.len();
        debug_assert_eq!(payoffs.len(), n);
        self.deals += 1;
        for (i, &payoff) in payoffs.iter().enumerate() {
            self.sum[i] += payoff;
            let mut place = i * n;
            let row = self.product[place..place + n]
                .iter_mut()
                .zip(&mut self.ahead[place..place + n]);
            // One loop for all sums of a pair, because a list has only a few entrants.
            for ((product, ahead), &other) in row.zip(payoffs) {
                *product += payoff * other;
                *ahead += u32::from(payoff > other);
                place += usize::from(other > payoff);
            }
            self.places[place] += 1;
        }
        if let Some(before) = before {
            for ((lagged, payoff), before) in self.lagged.iter_mut().zip(payoffs).zip(before) {
                *lagged += payoff * before;
            }
        }
    }

    /// Adds a fault. Messages are cut off after 400 bytes.
    pub fn add_fault(&mut self, mut fault: Fault) {
        fault.message = crate::text::shortened(&fault.message, FAULT_MESSAGE_MAX);
        let entrant = usize::from(fault.entrant);
        self.fault_counts[entrant] += 1;
        let is_first = || {
            !self
                .faults
                .iter()
                .any(|kept| (kept.entrant, kept.kind) == (fault.entrant, fault.kind))
        };
        if self.fault_counts[entrant] as usize <= FAULTS_KEPT || is_first() {
            self.faults.push(fault);
        }
    }

    /// Counts all deals of the block as lost by an entrant. Each deal gets the payoff `worst`, the
    /// lowest possible, and the last rank. The scores of the others are unchanged. Must be called
    /// after the last deal.
    pub fn forfeit(&mut self, entrant: usize, worst: i64) {
        let n = self.sum.len();
        let deals = i64::from(self.deals);
        self.forfeits |= 1 << entrant;
        self.sum[entrant] = deals * worst;
        self.lagged[entrant] = deals * worst * worst;
        for other in 0..n {
            let product = if other == entrant {
                deals * worst
            } else {
                self.sum[other]
            } * worst;
            self.product[entrant * n + other] = product;
            self.product[other * n + entrant] = product;
            self.ahead[entrant * n + other] = 0;
            let is_equal = self.forfeits >> other & 1 == 1;
            self.ahead[other * n + entrant] = if is_equal { 0 } else { self.deals };
        }
        let places = &mut self.places[entrant * n..(entrant + 1) * n];
        places.fill(0);
        places[n - 1] = self.deals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_fault_kinds_is_in_the_order_of_the_enum() {
        for (number, (kind, _)) in FAULT_KINDS.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }

    #[test]
    fn a_record_accumulates_sums_products_and_places() {
        let mut record = Record::new(
            JobId {
                line_up: 0,
                block: 0,
            },
            3,
        );
        record.add_deal(&[5, 1, 1], None);
        record.add_deal(&[2, 4, 0], Some(&[5, 1, 1]));
        assert_eq!(record.deals, 2);
        assert_eq!(record.sum, [7, 5, 1]);
        assert_eq!(record.product, [29, 13, 5, 13, 17, 1, 5, 1, 1]);
        assert_eq!(record.lagged, [10, 4, 0]);
        assert_eq!(record.places, [1, 1, 0, 1, 1, 0, 0, 1, 1]);
        assert_eq!(record.ahead, [0, 1, 2, 1, 0, 1, 0, 0, 0]);

        record.forfeit(0, -1);
        assert_eq!((record.forfeits, &record.sum[..]), (1, &[-2, 5, 1][..]));
        assert_eq!(record.product, [2, -5, -1, -5, 17, 1, -1, 1, 1]);
        assert_eq!(record.places[..3], [0, 0, 2]);
        assert_eq!(record.ahead, [0, 0, 0, 2, 0, 1, 2, 0, 0]);
        // Of two entrants that forfeit, neither is ahead.
        record.forfeit(1, -1);
        assert_eq!(record.ahead, [0, 0, 0, 0, 0, 0, 2, 2, 0]);
    }

    #[test]
    fn faults_are_counted_and_the_first_ones_are_kept() {
        let mut record = Record::new(
            JobId {
                line_up: 0,
                block: 0,
            },
            2,
        );
        for deal in 0..10 {
            let message = "é".repeat(if deal == 1 { 1000 } else { 3 });
            record.add_fault(Fault {
                entrant: 1,
                kind: FaultKind::Error,
                deal,
                decision: 0,
                message,
            });
        }
        assert_eq!(
            (&record.fault_counts[..], record.faults.len()),
            (&[0, 10][..], FAULTS_KEPT)
        );
        let crash = Fault {
            entrant: 1,
            kind: FaultKind::Crash,
            deal: 10,
            decision: 0,
            message: "down".to_owned(),
        };
        (0..2).for_each(|_| record.add_fault(crash.clone()));
        assert_eq!(
            (record.fault_counts[1], &record.faults[FAULTS_KEPT..]),
            (12, &[crash][..]),
            "the first of its kind"
        );
        assert_eq!(record.faults[0].message, "ééé");
        assert_eq!(record.faults[1].message, "é".repeat(200) + "…");
    }
}
