//! The stored form of a reviewed block: packed numbers. A word is written in full at its first
//! occurrence and as a number afterwards.

use super::per_bot::PerBot;
use super::summary::{
    BlockSummary, DifferenceParts, Fork, ForkExamples, ForkKind, ForkSum, ReviewFault,
};
use hattari_agents::packed::{pack, unpack};
use hattari_agents::record::JobId;
use hattari_agents::table::FeatureValues;
use hattari_plugin::games::features::FeatureValue;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

/// Maximum size of a stored sum of points, so that sums over blocks do not overflow.
const POINTS_MAX: i64 = 1 << 48;
/// Maximum number of different words of all games.
const WORDS_MAX: usize = 4096;
/// Maximum size of a word in bytes.
const WORD_BYTES_MAX: usize = 256;

/// Returns a stored word as a constant. The names of features and faults are constants of the
/// program, so they are few. Constants are never freed. Therefore, the function returns `None` for
/// words beyond the limits, which only a forged store contains.
fn constant(word: &str) -> Option<&'static str> {
    static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(word) {
        return Some(known);
    }
    if WORDS_MAX <= words.len() || WORD_BYTES_MAX < word.len() {
        return None;
    }
    let word = Box::leak(word.to_owned().into_boxed_str());
    words.insert(word);
    Some(word)
}

/// A writer of numbers and words.
#[derive(Default)]
struct NumberWriter<'w> {
    numbers: Vec<i64>,
    words: HashMap<&'w str, i64>,
}

impl<'w> NumberWriter<'w> {
    fn count(&mut self, number: usize) {
        self.numbers.push(i64::try_from(number).unwrap_or(i64::MAX));
    }

    fn all(&mut self, numbers: impl IntoIterator<Item = i64>) {
        self.numbers.extend(numbers);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.all(text.bytes().map(i64::from));
    }

    fn word(&mut self, word: &'w str) {
        let next = i64::try_from(self.words.len()).unwrap_or(i64::MAX);
        let number = *self.words.entry(word).or_insert(next);
        self.numbers.push(number);
        if number == next {
            self.text(word);
        }
    }

    fn features(&mut self, features: &'w [FeatureValues]) {
        self.count(features.len());
        for values in features {
            self.count(values.len());
            for (name, value) in values {
                self.word(name);
                match value {
                    FeatureValue::Word(word) => {
                        self.all([0]);
                        self.word(word);
                    }
                    FeatureValue::Count(number) => self.all([1, i64::from(*number)]),
                }
            }
        }
    }

    fn kind(&mut self, ForkKind { position, choices }: ForkKind) {
        self.all([position, choices.other, choices.reviewed].map(i64::from));
    }

    fn forks(&mut self, forks: &[Fork]) {
        self.count(forks.len());
        for fork in forks {
            self.all([fork.game, fork.decision].map(i64::from));
            self.kind(fork.kind);
            self.all([fork.value]);
        }
    }
}

/// A reader of the output of a [`NumberWriter`]. Every method returns `None` for invalid numbers.
struct NumberReader {
    numbers: std::vec::IntoIter<i64>,
    words: Vec<&'static str>,
}

impl NumberReader {
    fn number<N: TryFrom<i64>>(&mut self) -> Option<N> {
        N::try_from(self.numbers.next()?).ok()
    }

    /// Returns a sum of points.
    fn points(&mut self) -> Option<i64> {
        self.numbers
            .next()
            .filter(|sum| (-POINTS_MAX..=POINTS_MAX).contains(sum))
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.number()?;
        // Do not reserve memory for a count that may be wrong.
        (0..count).map(|_| read(self)).collect()
    }

    fn text(&mut self) -> Option<String> {
        let bytes = self.list(Self::number::<u8>)?;
        String::from_utf8(bytes).ok()
    }

    fn word(&mut self) -> Option<&'static str> {
        let number: usize = self.number()?;
        if number == self.words.len() {
            let word = self.text()?;
            self.words.push(constant(&word)?);
        }
        self.words.get(number).copied()
    }

    fn feature(&mut self) -> Option<(&'static str, FeatureValue)> {
        let name = self.word()?;
        Some((
            name,
            match self.number()? {
                0 => FeatureValue::Word(self.word()?),
                1 => FeatureValue::Count(self.number()?),
                _ => return None,
            },
        ))
    }

    /// Returns an index of features, which must be less than `count`.
    fn index(&mut self, count: usize) -> Option<u32> {
        self.number()
            .filter(|&index: &u32| (index as usize) < count)
    }

    /// Returns a count for each bot.
    fn counts(&mut self) -> Option<PerBot<u32>> {
        Some(PerBot {
            reviewed: self.number()?,
            other: self.number()?,
        })
    }

    /// Returns the features of a fork as indices, which must be less than `count`.
    fn kind(&mut self, count: usize) -> Option<ForkKind> {
        Some(ForkKind {
            position: self.index(count)?,
            choices: PerBot {
                other: self.index(count)?,
                reviewed: self.index(count)?,
            },
        })
    }

    fn forks(&mut self, job: JobId, known: usize) -> Option<Vec<Fork>> {
        self.list(|reader| {
            Some(Fork {
                job,
                game: reader.number()?,
                decision: reader.number()?,
                kind: reader.kind(known)?,
                value: reader.points()?,
            })
        })
    }

    fn fault(&mut self, job: JobId, entrants: &[usize]) -> Option<ReviewFault> {
        Some(ReviewFault {
            entrant: *entrants.get(self.number::<usize>()?)?,
            job,
            game: self.number()?,
            count: self.number().filter(is_limited)?,
            kind: self.word()?,
            message: self.text()?,
        })
    }
}

/// Returns `true` if a stored count is small enough, so that sums over blocks do not overflow.
fn is_limited(count: &u64) -> bool {
    *count <= POINTS_MAX.cast_unsigned()
}

impl BlockSummary {
    /// Returns the stored form. `entrants` contains the entrants of the line-up, followed by the
    /// bot with which the reviewed bot is compared.
    pub(super) fn encode(&self, entrants: &[usize]) -> Vec<u8> {
        let mut writer = NumberWriter::default();
        let mut sums = self.sums;
        writer.all([self.games.cast_signed(), self.copies.cast_signed()]);
        writer.all(sums.parts_mut().map(|part| *part));
        writer.all([self.digest.cast_signed()]);
        writer.features(&self.features);
        writer.count(self.forks.len());
        for sum in &self.forks {
            writer.kind(sum.kind);
            writer.all(sum.counts.reviewed_first().map(i64::from));
            writer.all(sum.values.reviewed_first());
        }
        writer.count(self.decisions.len());
        for &(position, counts) in &self.decisions {
            writer.all([i64::from(position)]);
            writer.all(counts.reviewed_first().map(i64::from));
        }
        let ForkExamples {
            gains,
            losses,
            sample,
        } = &self.examples;
        for forks in [gains, losses, sample] {
            writer.forks(forks);
        }
        writer.count(self.faults.len());
        for fault in &self.faults {
            let place = entrants
                .iter()
                .position(|&entrant| entrant == fault.entrant);
            writer.count(place.unwrap_or_default());
            writer.count(fault.game);
            writer.all([fault.count.cast_signed()]);
            writer.word(fault.kind);
            writer.text(&fault.message);
        }
        pack(writer.numbers.into_iter())
    }

    /// Reads the stored form of the block `job`; see [`BlockSummary::encode`]. Returns `None` if it
    /// is invalid.
    pub(super) fn decode(stored: &[u8], job: JobId, entrants: &[usize]) -> Option<BlockSummary> {
        let mut reader = NumberReader {
            numbers: unpack(stored)?.into_iter(),
            words: Vec::new(),
        };
        let games = reader.number().filter(is_limited)?;
        let copies = reader
            .number()
            .filter(|&copies: &u64| copies <= entrants.len() as u64)?;
        let mut sums = DifferenceParts::default();
        for part in sums.parts_mut() {
            *part = reader.points()?;
        }
        let digest = reader.numbers.next()?.cast_unsigned();
        let features: Vec<FeatureValues> =
            reader.list(|reader| reader.list(NumberReader::feature))?;
        let known = features.len();
        let forks = reader.list(|reader| {
            Some(ForkSum {
                kind: reader.kind(known)?,
                counts: reader.counts()?,
                values: PerBot {
                    reviewed: reader.points()?,
                    other: reader.points()?,
                },
            })
        })?;
        let decisions = reader.list(|reader| {
            let position = reader.index(known)?;
            Some((position, reader.counts()?))
        })?;
        let examples = ForkExamples {
            gains: reader.forks(job, known)?,
            losses: reader.forks(job, known)?,
            sample: reader.forks(job, known)?,
        };
        let faults = reader.list(|reader| reader.fault(job, entrants))?;
        let is_over = reader.numbers.next().is_none();
        is_over.then_some(BlockSummary {
            games,
            copies,
            sums,
            features,
            forks,
            decisions,
            examples,
            faults,
            digest,
        })
    }
}
