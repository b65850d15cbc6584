//! A model of choices. Every option is a set of features, and every feature has a strength. The
//! strength of an option is the product of the strengths of its features. The probability of an
//! option is proportional to its strength.
//!
//! This is the Bradley-Terry model for competitions of teams. It is fitted by
//! minorisation-maximisation (Hunter, "MM Algorithms for Generalized Bradley-Terry Models"; Coulom,
//! "Computing Elo Ratings of Move Patterns in the Game of Go").

use libm::log;
use std::ops::Range;

/// Recorded choices: the features of all options, and the option taken.
///
/// An option has one feature of each of `GROUPS` groups. The features of the groups are successive
/// ranges of numbers.
pub(crate) struct Choices<const GROUPS: usize> {
    starts: [u16; GROUPS],
    features: usize,
    options: Vec<[u16; GROUPS]>,
    /// End index of the options of each choice.
    ends: Vec<usize>,
    /// Option taken in each choice, as an index into all options.
    taken: Vec<usize>,
}

/// The accuracy with which a model predicts choices.
pub(crate) struct PredictionAccuracy {
    /// Mean log-likelihood of a choice (natural logarithm); 0 is perfect.
    pub log_likelihood: f64,
    /// Log-likelihood of the model in which all options are equally likely.
    pub uniform: f64,
    /// Share of the choices in which the strongest option (the first of equal ones) was taken.
    pub top: f64,
}

impl<const GROUPS: usize> Choices<GROUPS> {
    /// Creates an empty list. Group `g` has the features from `starts[g]` to the start of the next
    /// group; the last group ends before `features`.
    pub(crate) fn new(starts: [u16; GROUPS], features: usize) -> Self {
        Choices {
            starts,
            features,
            options: Vec::new(),
            ends: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Adds a choice between `options`, in which the option with index `taken` was taken.
    ///
    /// # Panics
    /// Panics if there is no such option, or if a feature is not in its group.
    pub(crate) fn push(&mut self, options: impl IntoIterator<Item = [u16; GROUPS]>, taken: usize) {
        let first = self.options.len();
        self.options.extend(options);
        let last = self.options.len();
        assert!(
            first + taken < last,
            "the option taken is not among the options"
        );
        for option in &self.options[first..] {
            let fits = |group: usize| self.range(group).contains(&usize::from(option[group]));
            assert!(
                (0..GROUPS).all(fits),
                "a feature does not belong to its group: {option:?}"
            );
        }
        self.ends.push(last);
        self.taken.push(first + taken);
    }

    /// Returns the number of choices.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no choices.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn range(&self, group: usize) -> Range<usize> {
        let end = self
            .starts
            .get(group + 1)
            .map_or(self.features, |&start| usize::from(start));
        usize::from(self.starts[group])..end
    }

    /// Returns the options of each choice as a range, and the index of the option taken.
    fn iter(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .zip(&self.taken)
            .map(|((start, &end), &taken)| (start..end, taken))
    }

    /// Fits the strengths of all features with `rounds` rounds of minorisation-maximisation,
    /// starting from 1. As prior information, each feature is
    /// assumed to have won and lost `prior` choices against an option of strength 1, so rare
    /// features stay near 1. After each round, `progress` receives the number of the round and the
    /// strengths.
    ///
    /// A round processes one group after the other. No option has two features of a group, so all
    /// features of a group are updated together. The likelihood including the prior never
    /// decreases.
    pub(crate) fn fit(
        &self,
        rounds: u32,
        prior: f64,
        mut progress: impl FnMut(u32, &[f64]),
    ) -> Vec<f64> {
        let mut strengths = vec![1.0; self.features];
        let mut wins = vec![prior; self.features];
        for &taken in &self.taken {
            self.options[taken]
                .iter()
                .for_each(|&feature| wins[usize::from(feature)] += 1.0);
        }
        let mut products: Vec<f64> = self
            .options
            .iter()
            .map(|option| product(option, &strengths))
            .collect();
        let mut weights = vec![0.0; self.features];
        for round in 1..=rounds {
            for group in 0..GROUPS {
                weights.fill(0.0);
                for (options, _) in self.iter() {
                    let share = 1.0 / products[options.clone()].iter().sum::<f64>();
                    for option in options {
                        weights[usize::from(self.options[option][group])] +=
                            products[option] * share;
                    }
                }
                let before = strengths.clone();
                for feature in self.range(group) {
                    // The update formula needs the strength of options without this feature, so the
                    // old strength is divided out.
                    let old = before[feature];
                    strengths[feature] =
                        wins[feature] / (weights[feature] / old + 2.0 * prior / (old + 1.0));
                }
                for (option, product) in self.options.iter().zip(&mut products) {
                    let feature = usize::from(option[group]);
                    *product *= strengths[feature] / before[feature];
                }
            }
            progress(round, &strengths);
        }
        strengths
    }

    /// Measures the accuracy with which the strengths predict these choices.
    pub(crate) fn prediction_accuracy(&self, strengths: &[f64]) -> PredictionAccuracy {
        let (mut likelihood, mut uniform, mut top) = (0.0, 0.0, 0_u32);
        for (options, taken) in self.iter() {
            let products: Vec<f64> = self.options[options.clone()]
                .iter()
                .map(|option| product(option, strengths))
                .collect();
            let sum: f64 = products.iter().sum();
            let taken = taken - options.start;
            likelihood += log(products[taken] / sum);
            uniform -= log(products.len() as f64);
            top += u32::from(!products.iter().enumerate().any(|(index, &product)| {
                product > products[taken] || index < taken && product == products[taken]
            }));
        }
        let choices = self.len() as f64;
        PredictionAccuracy {
            log_likelihood: likelihood / choices,
            uniform: uniform / choices,
            top: f64::from(top) / choices,
        }
    }
}

fn product<const GROUPS: usize>(option: &[u16; GROUPS], strengths: &[f64]) -> f64 {
    option
        .iter()
        .map(|&feature| strengths[usize::from(feature)])
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns choices between options with three colours and two sizes.
    fn choices(counts: &[(&[[u16; 2]], usize, u32)]) -> Choices<2> {
        let mut choices = Choices::new([0, 3], 5);
        for &(options, taken, count) in counts {
            (0..count).for_each(|_| choices.push(options.iter().copied(), taken));
        }
        choices
    }

    #[test]
    fn fitted_strengths_match_the_frequencies_of_two_options() {
        let pair: &[[u16; 2]] = &[[0, 3], [1, 3]];
        let fitted = choices(&[(pair, 0, 75), (pair, 1, 25)]).fit(200, 0.0, |_, _| ());
        assert!((fitted[0] / fitted[1] - 3.0).abs() < 1e-6, "{fitted:?}");
    }

    #[test]
    fn known_strengths_are_recovered_and_the_likelihood_never_decreases() {
        // Exact frequencies of a model in which feature 1 is twice as strong as 0, and feature 4
        // three times as strong as 3.
        let four: &[[u16; 2]] = &[[0, 3], [1, 3], [0, 4], [1, 4]];
        let mixed: &[[u16; 2]] = &[[2, 4], [1, 3]];
        let counts = [
            (four, 0, 100),
            (four, 1, 200),
            (four, 2, 300),
            (four, 3, 600),
            (mixed, 0, 150),
            (mixed, 1, 50),
        ];
        let choices = choices(&counts);
        let mut last = f64::NEG_INFINITY;
        let fitted = choices.fit(2000, 0.0, |_, strengths| {
            let now = choices.prediction_accuracy(strengths).log_likelihood;
            assert!(now >= last - 1e-12, "{last} then {now}");
            last = now;
        });
        assert!((fitted[1] / fitted[0] - 2.0).abs() < 1e-4, "{fitted:?}");
        assert!((fitted[4] / fitted[3] - 3.0).abs() < 1e-4, "{fitted:?}");
        // The mixed choice is 3 to 1: three times feature 2 against feature 1.
        assert!(
            (3.0 * fitted[2] / fitted[1] - 3.0).abs() < 1e-4,
            "{fitted:?}"
        );
        let foresight = choices.prediction_accuracy(&fitted);
        assert_eq!((choices.len(), foresight.top), (1400, 750.0 / 1400.0));
        assert!(foresight.log_likelihood > foresight.uniform);
    }

    #[test]
    fn unseen_features_keep_their_strength_and_rare_ones_stay_near_it() {
        let pair: &[[u16; 2]] = &[[0, 3], [1, 3]];
        let fitted = choices(&[(pair, 0, 1)]).fit(500, 1.0, |_, _| ());
        assert!(
            (fitted[2] - 1.0).abs() < 1e-9 && (fitted[4] - 1.0).abs() < 1e-9,
            "{fitted:?}"
        );
        assert!(
            fitted[0] > 1.0 && fitted[0] < 2.0 && fitted[1] < 1.0 && fitted[1] > 0.4,
            "{fitted:?}"
        );
    }

    #[test]
    #[should_panic(expected = "not belong to its group")]
    fn features_of_another_group_are_refused() {
        Choices::new([0, 3], 5).push([[3, 3]], 0);
    }
}
