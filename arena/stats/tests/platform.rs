//! Tests that no result depends on the logarithms and exponentials of the platform. The functions
//! of the C library are replaced by functions whose last bit is wrong.
#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    reason = "this test uses functions that are forbidden elsewhere"
)]

#[path = "it/common.rs"]
#[allow(dead_code, reason = "this test uses a part of the shared code")]
mod common;

use common::{compared, sequence, sprt};
use hattari_stats::compare::CompareOptions;
use hattari_stats::race::{Goal, Race, RaceOptions};
use hattari_stats::rating::{Ahead, RatingOptions, rate};
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{Rng, luck, power, required_blocks};
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, Ordering};

/// Error in units in the last place that is added to every result.
static ERROR: AtomicI64 = AtomicI64::new(0);

fn wrong(x: f64) -> f64 {
    let is_ordinary = x.is_finite() && x != 0.0;
    if is_ordinary {
        f64::from_bits(
            x.to_bits()
                .wrapping_add_signed(ERROR.load(Ordering::Relaxed)),
        )
    } else {
        x
    }
}

/// Replaces functions of the C mathematical library in this program.
macro_rules! replace {
    ($($name:ident($($x:ident),+);)*) => {
        #[expect(unsafe_code, reason = "the macro defines functions with the names of C functions")]
        mod platform {
            $(
                #[unsafe(no_mangle)]
                extern "C" fn $name($($x: f64),+) -> f64 {
                    super::wrong(libm::$name($($x),+))
                }
            )*
        }
    };
}

replace! {
    log(x);
    log2(x);
    log10(x);
    log1p(x);
    exp(x);
    exp2(x);
    expm1(x);
    pow(x, y);
    hypot(x, y);
    cbrt(x);
    sin(x);
    cos(x);
    tan(x);
    atan(x);
    tanh(x);
}

/// Returns scores with this mean and standard deviation 1, computed without the replaced functions.
fn scores(rng: &mut Rng, mean: f64, blocks: usize) -> Vec<f64> {
    (0..blocks)
        .map(|_| mean + (0..12).map(|_| rng.uniform()).sum::<f64>() - 6.0)
        .collect()
}

/// Returns all decisions and many numbers as text, with all digits.
fn everything() -> String {
    let mut text = String::new();
    let mut tell = |what: &dyn std::fmt::Debug| writeln!(text, "{what:?}").unwrap();
    let mut rng = Rng::new(1);
    let rules = [
        sequence(Some(0.3)),
        StoppingRule::Sprt(sprt(None, 0.0, 0.3, false)),
        StoppingRule::Sprt(sprt(Some(1.0), 0.0, 0.3, false)),
    ];
    for mean in [0.0, 0.2, 0.5] {
        let differences = scores(&mut rng, mean, 300);
        rules
            .iter()
            .for_each(|rule| tell(&rule.apply(&differences)));
    }
    for goal in [Goal::Best, Goal::Top(2), Goal::Ranking] {
        let options = RaceOptions {
            margin: 0.2,
            max_blocks: Some(200),
            ..RaceOptions::new(goal)
        };
        let mut race = Race::new(4, options).unwrap();
        let arms: Vec<Vec<f64>> = [0.0, 0.3, 0.7, 0.5]
            .map(|mean| scores(&mut rng, mean, 200))
            .to_vec();
        let mut played = [0; 4];
        while race.end().is_none() {
            for (arm, target) in race.next_round() {
                let more = &arms[arm][played[arm]..target as usize];
                more.iter()
                    .for_each(|score| race.push(arm, *score).unwrap());
                played[arm] = target as usize;
            }
            tell(&race.standing());
        }
    }
    let rows: Vec<Vec<Option<f64>>> = [0.0, 0.2, 0.6]
        .map(|mean| scores(&mut rng, mean, 40).into_iter().map(Some).collect())
        .to_vec();
    let options = CompareOptions {
        equal_within: Some(0.4),
        ..CompareOptions::default()
    };
    let comparison = compared(&rows, &options);
    comparison
        .pairs
        .iter()
        .for_each(|pair| tell(&pair.required(&options)));
    tell(&comparison);
    tell(&[power(23.0, 0.4, 0.01), required_blocks(0.01, 0.05, 0.8)]);
    let order = |rng: &mut Rng| {
        let [first, second, third] = if rng.uniform() < 0.6 {
            [0, 1, 2]
        } else {
            [2, 0, 1]
        };
        let pairs = [(first, second), (first, third), (second, third)];
        pairs.map(|(first, second)| Ahead {
            first,
            second,
            times: 1.0,
        })
    };
    let blocks: Vec<Vec<Ahead>> = (0..40)
        .map(|_| (0..5).flat_map(|_| order(&mut rng)).collect())
        .collect();
    let options = RatingOptions {
        virtual_draws: 0.5,
        confidence: 0.95,
        samples: 99,
        seed: 3,
    };
    tell(&rate(3, &[blocks], &options));
    let (chance, clusters) = ([scores(&mut rng, 0.0, 40)], Vec::from_iter(0..40));
    let group = luck::Group {
        scores: &rows[0],
        luck: &chance,
        clusters: &clusters,
    };
    tell(&luck::remove(&[group]));
    text
}

#[test]
fn results_do_not_depend_on_the_last_bit_of_platform_math_functions() {
    let found = [-1, 0, 1].map(|error| {
        ERROR.store(error, Ordering::Relaxed);
        let seen = [
            black_box(2.0f64).ln(),
            black_box(0.3f64).exp(),
            black_box(3.0f64).hypot(2.0),
        ];
        (seen.map(f64::to_bits), everything())
    });
    for (other, this) in [(&found[0], &found[1]), (&found[2], &found[1])] {
        assert!(
            other.0.iter().zip(this.0).all(|(x, y)| x.abs_diff(y) == 1),
            "the functions are not replaced"
        );
        for (x, y) in other.1.lines().zip(this.1.lines()) {
            assert_eq!(x, y);
        }
        assert_eq!(other.1.len(), this.1.len());
    }
}
