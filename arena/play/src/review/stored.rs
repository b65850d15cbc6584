//! The stored form of a reviewed block: packed numbers. A word is written in full at its first
//! occurrence and as a number afterwards.

use super::plan::{OTHER, PerBot, REVIEWED};
use super::summary::{BlockSummary, Fork, ForkExamples, ForkKind, ForkSum, ReviewFault, to_u32};
use hattari_agents::agent::lock;
use hattari_agents::packed::{pack, unpack};
use hattari_agents::record::JobId;
use hattari_plugin::games::features::FeatureValue;
use std::collections::BTreeSet;
use std::mem;
use std::ops::RangeBounds;
use std::sync::Mutex;

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
    let mut words = lock(&WORDS);
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

/// Converts a summary to numbers, or numbers to a summary. Every method writes a value, or replaces
/// it by the next stored one, and returns `None` if the stored one is invalid.
#[derive(Default)]
struct Codec {
    /// The numbers to read; `None` to write.
    input: Option<std::vec::IntoIter<i64>>,
    output: Vec<i64>,
    words: Vec<&'static str>,
}

impl Codec {
    fn number<N>(&mut self, number: &mut N) -> Option<()>
    where
        N: Copy + TryFrom<i64> + TryInto<i64>,
    {
        match &mut self.input {
            Some(input) => *number = N::try_from(input.next()?).ok()?,
            None => self.output.push((*number).try_into().unwrap_or(i64::MAX)),
        }
        Some(())
    }

    /// Converts a number whose stored form must be in a range.
    fn limited<N>(&mut self, number: &mut N, range: impl RangeBounds<N>) -> Option<()>
    where
        N: Copy + PartialOrd + TryFrom<i64> + TryInto<i64>,
    {
        self.number(number)?;
        (self.input.is_none() || range.contains(number)).then_some(())
    }

    /// Converts a sum of points.
    fn points(&mut self, sum: &mut i64) -> Option<()> {
        self.limited(sum, -POINTS_MAX..=POINTS_MAX)
    }

    /// Converts a count that is added up over blocks.
    fn count(&mut self, count: &mut u64) -> Option<()> {
        self.limited(count, ..=POINTS_MAX.cast_unsigned())
    }

    /// Converts a list, whose items are `blank` until they are read.
    fn list<T: Clone>(
        &mut self,
        list: &mut Vec<T>,
        blank: &T,
        mut convert: impl FnMut(&mut Self, &mut T) -> Option<()>,
    ) -> Option<()> {
        let mut count = list.len();
        self.number(&mut count)?;
        // Do not reserve memory for a count that may be wrong.
        for index in 0..count {
            if self.input.is_some() {
                list.push(blank.clone());
            }
            convert(self, &mut list[index])?;
        }
        Some(())
    }

    fn text(&mut self, text: &mut String) -> Option<()> {
        let mut bytes = mem::take(text).into_bytes();
        self.list(&mut bytes, &0, Self::number)?;
        *text = String::from_utf8(bytes).ok()?;
        Some(())
    }

    fn word(&mut self, word: &mut &'static str) -> Option<()> {
        let next = self.words.len();
        let known = match self.input {
            // The number is read below. A search for each word would take quadratic time.
            Some(_) => None,
            None => self.words.iter().position(|known| known == word),
        };
        let mut number = known.unwrap_or(next);
        self.number(&mut number)?;
        if number == next {
            let mut text = (*word).to_owned();
            self.text(&mut text)?;
            let is_read = self.input.is_some();
            self.words
                .push(if is_read { constant(&text)? } else { word });
        }
        *word = self.words.get(number)?;
        Some(())
    }

    fn feature(&mut self, (name, value): &mut (&'static str, FeatureValue)) -> Option<()> {
        self.word(name)?;
        let mut kind = u8::from(matches!(value, FeatureValue::Count(_)));
        self.number(&mut kind)?;
        if let (1, FeatureValue::Word(_)) = (kind, &value) {
            *value = FeatureValue::Count(0);
        }
        match value {
            FeatureValue::Word(word) if kind == 0 => self.word(word),
            FeatureValue::Count(number) if kind == 1 => self.number(number),
            _ => None,
        }
    }

    /// Converts the features of a fork as indices, which must be less than `known`.
    fn kind(&mut self, kind: &mut ForkKind, known: u32) -> Option<()> {
        let [other, reviewed] = &mut kind.choices;
        [&mut kind.position, other, reviewed]
            .into_iter()
            .try_for_each(|index| self.limited(index, ..known))
    }

    /// Converts the values of both bots.
    fn both<T>(
        &mut self,
        values: &mut PerBot<T>,
        convert: impl Fn(&mut Self, &mut T) -> Option<()>,
    ) -> Option<()> {
        convert(self, &mut values[REVIEWED])?;
        convert(self, &mut values[OTHER])
    }
}

impl BlockSummary {
    /// Returns the stored form of the block `job`. `entrants` contains the entrants of the line-up,
    /// followed by the bot with which the reviewed bot is compared.
    pub(super) fn encode(&self, job: JobId, entrants: &[usize]) -> Vec<u8> {
        let mut codec = Codec::default();
        let written = self.clone().convert(&mut codec, job, entrants);
        written.expect("only stored numbers can be invalid");
        pack(codec.output.into_iter())
    }

    /// Reads the stored form of the block `job`; see [`BlockSummary::encode`]. Returns `None` if it
    /// is invalid.
    pub(super) fn decode(stored: &[u8], job: JobId, entrants: &[usize]) -> Option<BlockSummary> {
        let mut codec = Codec {
            input: Some(unpack(stored)?.into_iter()),
            ..Codec::default()
        };
        let mut summary = BlockSummary::default();
        summary.convert(&mut codec, job, entrants)?;
        let is_over = codec.input?.next().is_none();
        is_over.then_some(summary)
    }

    /// Writes the values of this summary, or reads them into this empty summary.
    fn convert(&mut self, codec: &mut Codec, job: JobId, entrants: &[usize]) -> Option<()> {
        codec.count(&mut self.games)?;
        codec.limited(&mut self.copies, ..=entrants.len() as u64)?;
        for part in self.sums.parts_mut() {
            codec.points(part)?;
        }
        let mut digest = self.digest.cast_signed();
        codec.number(&mut digest)?;
        self.digest = digest.cast_unsigned();
        let blank = ("", FeatureValue::Word(""));
        codec.list(&mut self.features, &Vec::new(), |codec, values| {
            codec.list(values, &blank, Codec::feature)
        })?;
        let known = to_u32(self.features.len());
        codec.list(&mut self.forks, &ForkSum::default(), |codec, sum| {
            codec.kind(&mut sum.kind, known)?;
            codec.both(&mut sum.counts, Codec::number)?;
            codec.both(&mut sum.values, Codec::points)
        })?;
        let blank = (0, [0; 2]);
        codec.list(&mut self.decisions, &blank, |codec, (position, counts)| {
            codec.limited(position, ..known)?;
            codec.both(counts, Codec::number)
        })?;
        let blank = Fork {
            job,
            ..Fork::default()
        };
        let ForkExamples {
            gains,
            losses,
            sample,
        } = &mut self.examples;
        for forks in [gains, losses, sample] {
            codec.list(forks, &blank, |codec, fork| {
                codec.number(&mut fork.game)?;
                codec.number(&mut fork.decision)?;
                codec.kind(&mut fork.kind, known)?;
                codec.points(&mut fork.value)
            })?;
        }
        let blank = ReviewFault {
            job,
            ..ReviewFault::default()
        };
        codec.list(&mut self.faults, &blank, |codec, fault| {
            let mut place = entrants
                .iter()
                .position(|&entrant| entrant == fault.entrant)
                .unwrap_or_default();
            codec.number(&mut place)?;
            fault.entrant = *entrants.get(place)?;
            codec.number(&mut fault.game)?;
            codec.count(&mut fault.count)?;
            codec.word(&mut fault.kind)?;
            codec.text(&mut fault.message)
        })
    }
}
