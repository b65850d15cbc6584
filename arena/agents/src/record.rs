//! What a played block leaves behind: the values that the store keeps and the statistics read.

use serde::{Deserialize, Serialize};

/// Which block of which line-up: the coordinates of its chance and its key in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId {
    /// Number of the line-up in the league's schedule.
    pub line_up: u32,
    /// Number of the block.
    pub block: u32,
}

/// What a bot did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It could not be started.
    Start,
    /// It does not play this game, these options or tables of this size, and says so.
    Refused,
    /// It chose an action that is not among the legal ones.
    IllegalAction,
    /// It chose an amount outside the action's range.
    IllegalAmount,
    /// It reported an error or raised one.
    Error,
    /// It panicked; the instance is dead.
    Panic,
    /// It used more time than allowed.
    Time,
    /// It used more memory than allowed; the instance is dead.
    Memory,
    /// Its process ended; the instance is dead.
    Crash,
    /// One of its calls used more processor time than the backstop behind counted budgets allows.
    /// Another machine may come to another fault, or to none.
    Clock,
}

impl FaultKind {
    /// Whether the instance can no longer be called.
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

    /// The kind as reports name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Start => "start",
            FaultKind::Refused => "refused",
            FaultKind::IllegalAction => "illegal action",
            FaultKind::IllegalAmount => "illegal amount",
            FaultKind::Error => "error",
            FaultKind::Panic => "panic",
            FaultKind::Time => "time",
            FaultKind::Memory => "memory",
            FaultKind::Crash => "crash",
            FaultKind::Clock => "clock",
        }
    }
}

/// One fault, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Place of the bot in the line-up.
    pub entrant: u8,
    /// What it was.
    pub kind: FaultKind,
    /// Deal of the block, from 0; rotations of duplicate deals count on.
    pub deal: u32,
    /// Decision of the deal, from 0, counting the calls of all seats.
    pub decision: u32,
    /// In words: what the bot said or what the host found.
    pub message: String,
}

/// The result of one block. The same job gives the same record, byte for byte, wherever and
/// whenever it is played.
///
/// Lists go by place in the line-up; `n` is the number of entrants at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Which block.
    pub job: JobId,
    /// Deals played, all rotations together.
    pub deals: u32,
    /// Sum of payoffs; `n` numbers.
    pub sum: Vec<i64>,
    /// Sums over deals of products of payoffs, row by row; `n * n` numbers. With `sum` they give
    /// the variance of any difference, so the per-deal test needs no list of deals.
    pub product: Vec<i64>,
    /// Sums over neighbouring deals of products of an entrant's payoffs, for the correlation from
    /// deal to deal; `n`.
    pub lagged: Vec<i64>,
    /// How often each entrant came in each place, row by row; `n * n`. Equal payoffs share the
    /// better place.
    pub places: Vec<u32>,
    /// How often each entrant scored more than each other in the same deal, row by row; `n * n`
    /// numbers. Ratings are fitted to them: places alone do not tell who was ahead of whom.
    pub ahead: Vec<u32>,
    /// Entrants that forfeited the block, one bit each.
    pub forfeits: u32,
    /// Faults of each entrant, counted; `n`.
    pub fault_counts: Vec<u32>,
    /// The first faults of each entrant: up to 4, and the first of every kind.
    pub faults: Vec<Fault>,
    /// Hash of everything that was played: records and payoffs of all deals.
    pub digest: u64,
    /// What chance was worth, summed over deals, in
    /// [`LUCK_PARTS`](hattari_plugin::games::LUCK_PARTS) of a payoff: a row of `n` for each kind
    /// of [`Game::chances`](hattari_plugin::games::Game::chances). Empty where it was not
    /// measured.
    pub luck: Vec<i64>,
}

/// Faults that a record keeps in words for each entrant whatever their kind; of the others, the
/// first of a kind is kept, the rest is only counted.
pub(crate) const FAULTS_KEPT: usize = 4;

/// Bytes of a fault's words that a record keeps at most.
pub(crate) const FAULT_MESSAGE_MAX: usize = 400;

/// How long the bots thought. Not part of the record: it differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Decisions asked of each entrant.
    pub decisions: Vec<u64>,
    /// Decisions that were timed; a sample, the clock would cost more than a fast bot.
    pub timed: Vec<u64>,
    /// Nanoseconds of the timed decisions together.
    pub nanos: Vec<u64>,
    /// Nanoseconds of the slowest timed decision.
    pub worst_nanos: Vec<u64>,
}

/// How often somebody else ended the process of an entrant. Not part of the record: it differs from
/// run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kills {
    /// Blocks in which it happened.
    pub blocks: u64,
    /// How often in all.
    pub times: u64,
}

/// All that playing a block leaves behind.
#[derive(Clone, Debug)]
pub struct Played {
    /// What statistics read.
    pub record: Record,
    /// How long it took.
    pub timing: Timing,
    /// What the bots answered, packed (see the host of recorded answers), where the block cannot
    /// be made again from its seeds.
    pub answers: Option<Vec<u8>>,
    /// How often somebody else ended the process of each entrant while it was played; by place in
    /// the line-up. Not part of the record: it says nothing of the play.
    pub kills: Vec<u32>,
}

impl Record {
    /// Whether two records are of the same play. What a bot says of its faults may hold an address
    /// or a time: words do not count. Nor does luck, which is not always measured.
    #[must_use]
    pub fn is_play_of(&self, other: &Record) -> bool {
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
        without_words(self) == without_words(other)
    }

    /// A record with nothing played.
    #[must_use]
    pub fn new(job: JobId, n: usize) -> Record {
        Record {
            job,
            deals: 0,
            sum: vec![0; n],
            product: vec![0; n * n],
            lagged: vec![0; n],
            places: vec![0; n * n],
            ahead: vec![0; n * n],
            forfeits: 0,
            fault_counts: vec![0; n],
            faults: Vec::new(),
            digest: 0,
            luck: Vec::new(),
        }
    }

    /// Adds one deal: payoffs by entrant, and those of the deal before it where there was one in
    /// the same run of deals.
    pub fn add_deal(&mut self, payoffs: &[i64], before: Option<&[i64]>) {
        let n = self.sum.len();
        debug_assert_eq!(payoffs.len(), n);
        self.deals += 1;
        for (i, &payoff) in payoffs.iter().enumerate() {
            self.sum[i] += payoff;
            for (product, other) in self.product[i * n..(i + 1) * n].iter_mut().zip(payoffs) {
                *product += payoff * other;
            }
            for (ahead, &other) in self.ahead[i * n..(i + 1) * n].iter_mut().zip(payoffs) {
                *ahead += u32::from(payoff > other);
            }
            let place = payoffs.iter().filter(|&&other| other > payoff).count();
            self.places[i * n + place] += 1;
        }
        if let Some(before) = before {
            for ((lagged, payoff), before) in self.lagged.iter_mut().zip(payoffs).zip(before) {
                *lagged += payoff * before;
            }
        }
    }

    /// Notes a fault. Cuts off words beyond 400 bytes.
    pub fn add_fault(&mut self, mut fault: Fault) {
        if FAULT_MESSAGE_MAX < fault.message.len() {
            fault
                .message
                .truncate(crate::text::cut(&fault.message, FAULT_MESSAGE_MAX).len());
            fault.message.push('…');
        }
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

    /// Counts the whole block as lost for an entrant: every deal at `worst`, the least that a deal
    /// can bring, and in the last place. What the others scored at that table stands. Call it
    /// when the block is over.
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
            self.ahead[other * n + entrant] = if other == entrant { 0 } else { self.deals };
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
    fn a_record_keeps_moments_and_places() {
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
    }

    #[test]
    fn faults_are_counted_and_the_first_are_kept_in_short() {
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
