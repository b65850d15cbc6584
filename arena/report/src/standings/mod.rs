//! Standings: from samples to everything that a report says. Pure: no input or output, no clock;
//! every number comes from [`hattari_stats`].
//!
//! What is pooled over line-ups is the mean over line-ups, each counting alike, with the errors
//! within line-ups ([`compare`](fn@hattari_stats::compare)); so a bot's mean points and a pair's
//! difference answer "over the line-ups of this league", and what line-ups differ by shows in the
//! congeniality table instead of in the error.
//!
//! Congeniality, who beats whom over all line-ups, is told in the symbols of Satō and Itō, "A study
//! on the congeniality of play styles in daihinmin"
//! (大貧民におけるプレイスタイルの相性に関する研究), twice: by the test on blocks and by the
//! paper's test on single deals. The rule that makes a symbol of line-ups is
//! [`hattari_stats::congeniality`]'s.

mod about;
mod adaptive;
mod beside;
mod checks;
mod compute;
mod cut;
mod kills;
mod line_ups;
mod luck;
mod of_league;
mod published;
mod ratings;
mod relation;
pub mod rounds;
mod sequential;
mod types;
mod verdict;

pub use about::{About, AboutEntrant, AboutLeague, Stake};
pub use compute::standings;
pub use luck::{Luck, LuckFound, LuckKind, LuckOfBot, LuckOfPair};
pub use of_league::{NoStandings, POWER, Wishes, of_store};
pub use published::{PublishedError, PublishedTable};
pub(crate) use sequential::evidence_text;
pub use types::*;

impl Standings {
    /// Keeps only the pairs among the bots `names`; of one name, its pairs with all. The adjusted p
    /// stay those of the whole family: a comparison picked from many is not made alone.
    pub fn keep_pairs(&mut self, names: &[String]) {
        let named = |name: &String| names.contains(name);
        self.pairs.retain(|pair| match names {
            [_] => named(&pair.a) || named(&pair.b),
            _ => named(&pair.a) && named(&pair.b),
        });
    }

    /// The pooled difference of an ordered pair.
    #[must_use]
    pub fn difference(&self, row: &str, column: &str) -> Answer<Estimate> {
        for pair in &self.pairs {
            let turned = pair.a == column && pair.b == row;
            if turned || (pair.a == row && pair.b == column) {
                return match &pair.pooled {
                    Answer::NotTestable(why) => Answer::NotTestable(why.clone()),
                    Answer::Tested(test) if turned => Answer::Tested(Estimate {
                        value: -test.difference,
                        se: test.se,
                        low: -test.high,
                        high: -test.low,
                    }),
                    Answer::Tested(Test {
                        difference,
                        se,
                        low,
                        high,
                        ..
                    }) => Answer::Tested(Estimate {
                        value: *difference,
                        se: *se,
                        low: *low,
                        high: *high,
                    }),
                };
            }
        }
        Answer::NotTestable("not in this league".to_owned())
    }
}
