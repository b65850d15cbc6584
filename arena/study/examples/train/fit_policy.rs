//! `fit-policy`: fits the weights of a policy to recorded choices.

use crate::policy::{Parameters, Recorded, record};
use crate::{Games, write};
use anyhow::Context;
use hattari_agents::text::{grouped, short, suggestion};
use hattari_play::prepared::PreparedLeague;
use hattari_search::daihinmin::policy::{FullFeatures, LightFeatures, Policy, PolicyInput};
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `fit-policy`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Plays a league of daihinmin from its seed, records every decision with at least two plays or \
passes, and fits a Bradley-Terry model to them by minorisation-maximisation. The strength of an \
action is the product of the weights of its features, and its probability is proportional to its \
strength. The same league and bots give the same weights for any number of threads. The file \
begins with the command and the log of the fit. The weights of mc-random and mc-estimate were \
made in this way; the policy `full` also considers the cards that remain in the hand after an \
action.

Examples:
  train fit-policy leagues/self-play.yaml --output light.txt
  train fit-policy leagues/self-play.yaml --policy full --learn strong --rounds 100

Exit codes: 0 fitted, 2 any error, 130 interrupted.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: Games,
    /// The policy to fit
    #[arg(long, value_enum, default_value_t = FittablePolicy::Light)]
    policy: FittablePolicy,
    /// Learn only from these entrants (default: all)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    learn: Vec<String>,
    /// Number of rounds of minorisation-maximisation
    #[arg(long, value_name = "N", default_value_t = 60)]
    rounds: u32,
    /// Prior: number of virtual choices that each feature wins and loses against an action of
    /// strength 1
    #[arg(long, value_name = "CHOICES", default_value_t = 2.0, value_parser = parse_prior)]
    prior: f64,
    /// Hold out one block in N to measure the predictions of the fit
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    hold_out: u64,
}

/// A policy that `fit-policy` can fit.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum FittablePolicy {
    /// The policy of playouts
    Light,
    /// The policy of moves in games
    Full,
}

fn parse_prior(text: &str) -> Result<f64, String> {
    let prior: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if prior.is_finite() && prior >= 0.0 {
        Ok(prior)
    } else {
        Err("must be 0 or more".into())
    }
}

/// Plays the league and fits the weights.
pub(crate) fn run(arguments: &Arguments, stop: &AtomicBool) -> anyhow::Result<()> {
    match arguments.policy {
        FittablePolicy::Light => fit::<LightFeatures, 7>(arguments, stop),
        FittablePolicy::Full => fit::<FullFeatures, 14>(arguments, stop),
    }
}

fn fit<L: PolicyInput<N>, const N: usize>(
    arguments: &Arguments,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let games = &arguments.games;
    let prepared = games.prepare()?;
    let learn = if arguments.learn.is_empty() {
        (0..prepared.league.entrants.len()).collect()
    } else {
        entrants(&prepared, &arguments.learn)?
    };
    let Recorded { fit, held_out } =
        record::<L, N>(games, &prepared, &learn, arguments.hold_out, stop)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    anyhow::ensure!(
        !fit.is_empty(),
        "these entrants make no choices in the league's games"
    );
    let mut log = String::new();
    let mut say = |line: String| {
        eprintln!("{line}");
        log += &format!("# {line}\n");
    };
    say(command(arguments));
    let count = |count: usize| grouped(count as u64);
    say(format!(
        "{} choices to fit to, {} held out",
        count(fit.len()),
        count(held_out.len())
    ));
    let strengths = fit.fit(arguments.rounds, arguments.prior, |round, strengths| {
        if round.is_power_of_two() || round == arguments.rounds {
            let seen = fit.prediction_accuracy(strengths);
            let mut line = format!(
                "round {round}: mean log-likelihood {:.4} (uniform {:.4}), strongest action chosen \
                 {:.1} %",
                seen.log_likelihood,
                seen.uniform,
                100.0 * seen.top
            );
            if !held_out.is_empty() {
                let unseen = held_out.prediction_accuracy(strengths);
                line += &format!(
                    "; held out {:.4} ({:.4}), {:.1} %",
                    unseen.log_likelihood,
                    unseen.uniform,
                    100.0 * unseen.top
                );
            }
            say(line);
        }
    });
    let weights = Policy::<L, N>::new(&strengths).to_text();
    write(games.output.as_ref(), log + &weights)
}

/// Returns the indices of the entrants with these names.
pub(crate) fn entrants(prepared: &PreparedLeague, names: &[String]) -> anyhow::Result<Vec<usize>> {
    names
        .iter()
        .map(|name| {
            prepared.league.entrant(name).with_context(|| {
                let entrants = prepared.league.entrants.iter();
                let known = entrants.map(|entrant| entrant.name.as_str());
                format!(
                    "--learn: the league has no entrant `{name}`; {}",
                    suggestion(name, "entrants", known)
                )
            })
        })
        .collect()
}

/// Returns the command that gives the same weights. The number of threads and the output file are
/// left out, because they do not affect the weights.
fn command(arguments: &Arguments) -> String {
    let Arguments {
        policy,
        rounds,
        prior,
        hold_out,
        ..
    } = arguments;
    let policy = if *policy == FittablePolicy::Light {
        "light"
    } else {
        "full"
    };
    let learn = if arguments.learn.is_empty() {
        String::new()
    } else {
        format!(" --learn {}", arguments.learn.join(","))
    };
    format!(
        "train fit-policy {} --policy {policy}{learn} --rounds {rounds} --prior {prior} --hold-out {hold_out}",
        short(&arguments.games.league)
    )
}
