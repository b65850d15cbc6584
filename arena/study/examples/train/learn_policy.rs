//! `learn-policy`: learns the weights of a policy by policy gradient.

use crate::fit_policy::entrants;
use crate::policy::{Learners, LearningOptions, LearningPolicy, Parameters, PolicyState, learn};
use crate::{Games, progress_bar, write};
use hattari_agents::text::{grouped, short};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_search::daihinmin::policy::{
    DeepFeatures, FullFeatures, GiftPolicy, LightFeatures, Policy, PolicyInput,
};
use hattari_study::AtPath;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `learn-policy`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Plays a league of daihinmin in rounds and improves a policy by policy gradient. The entrants \
that learn use the bot `policy` and choose each action with a probability proportional to its \
strength. After every round, a choice becomes more likely if its game gave more points than \
expected, and less likely if it gave fewer. The league file defines the other players. The same \
league and bots give the same weights for any number of threads. The file begins with the \
command and the log.

Examples:
  train learn-policy leagues/learning.yaml --learn a,b,c,d --output deep.txt --gifts gift.txt
  train learn-policy leagues/learning.yaml --learn a,b --policy light --rounds 200 --output light.txt

Exit codes: 0 learned, 2 any error, 130 interrupted.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: Games,
    /// Entrants that learn
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    learn: Vec<String>,
    /// The policy to learn
    #[arg(long, value_enum, default_value_t = LearnablePolicy::Deep)]
    policy: LearnablePolicy,
    /// Also learn the card exchange in the same games, and write its weights to this file
    #[arg(long, value_name = "FILE")]
    gifts: Option<PathBuf>,
    /// File with the initial weights, written by `fit-policy` (default: the built-in weights fitted
    /// to recorded choices; none for the exchange)
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Number of rounds; the weights are changed after each round
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// Blocks of each line-up in a round
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    blocks: u32,
    /// Initial change of the logarithm of a weight per round; it decreases to a tenth in the last
    /// round
    #[arg(long, value_name = "STEP", default_value_t = 0.03, value_parser = parse_rate)]
    rate: f64,
}

/// A policy that `learn-policy` can learn.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum LearnablePolicy {
    /// The policy of playouts
    Light,
    /// The policy that also considers the rest of the hand
    Full,
    /// The policy of moves in games
    Deep,
    /// The policy of the card exchange
    Gift,
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if rate.is_finite() && rate > 0.0 && rate <= 1.0 {
        Ok(rate)
    } else {
        Err("must be above 0 and at most 1".into())
    }
}

/// Plays the rounds and learns the weights.
pub(crate) fn run(arguments: &Arguments, stop: &AtomicBool) -> anyhow::Result<()> {
    let mut prepared = arguments.games.prepare()?;
    let learners = entrants(&prepared, &arguments.learn)?;
    for &learner in &learners {
        let entrant = &prepared.league.entrants[learner];
        anyhow::ensure!(
            entrant.bot == "policy",
            "entrant `{}` uses the bot `{}`; only the bot `policy` can learn",
            entrant.name,
            entrant.bot
        );
    }
    let gifts = arguments.policy == LearnablePolicy::Gift;
    anyhow::ensure!(
        !gifts || arguments.gifts.is_none(),
        "remove `--gifts`: with `--policy gift`, the weights are written to the output file"
    );
    let game: Daihinmin = prepared.game_as()?;
    let points = game.options().points.map(f64::from);
    let points = points.iter().sum::<f64>() / 5.0;
    let file = arguments.start.as_ref();
    let moves = match arguments.policy {
        LearnablePolicy::Light => Some(("light", moves::<LightFeatures, 7>(file, points)?)),
        LearnablePolicy::Full => Some(("full", moves::<FullFeatures, 14>(file, points)?)),
        LearnablePolicy::Deep => Some(("deep", moves::<DeepFeatures, 41>(file, points)?)),
        LearnablePolicy::Gift => None,
    };
    let (mut settings, mut policies) = (Vec::new(), Vec::new());
    if let Some((look, policy)) = moves {
        policies.push(("weights", policy));
        // Learners must choose by the policy only, because the gradient is that of the policy's own
        // choices.
        settings = vec![
            ("look", Value::from(look)),
            ("by_chance", true.into()),
            ("sure_win", false.into()),
            ("endgame", false.into()),
        ];
    }
    if gifts || arguments.gifts.is_some() {
        let policy = start(file.filter(|_| gifts), GiftPolicy::uniform())?;
        policies.push(("gift_weights", Box::new(PolicyState::new(&policy, points))));
        settings.push(("gifts_by_chance", true.into()));
        for &learner in &learners {
            let entrant = &prepared.league.entrants[learner];
            anyhow::ensure!(
                entrant
                    .config
                    .get("giving")
                    .is_none_or(|giving| giving != "weakest"),
                "entrant `{}` gives its weakest cards (`giving: weakest`), so its exchange cannot be learned",
                entrant.name
            );
        }
    }
    let Arguments {
        rounds,
        blocks,
        rate,
        ..
    } = *arguments;
    let options = LearningOptions {
        rounds,
        blocks,
        rate,
        threads: arguments.games.threads(),
    };
    let bar = progress_bar(rounds.into(), "rounds")?;
    let mut log = format!("# {}\n", command(arguments));
    // Totals since the last line of the log.
    let (mut deals, mut points, mut number) = (0, 0.0, 0);
    let who = Learners {
        entrants: &learners,
        settings: &settings,
    };
    let learned = learn(
        &game,
        &mut prepared,
        who,
        &mut policies,
        options,
        stop,
        |round| {
            bar.set_position(round.number.into());
            bar.set_message(format!("{:.3} points per deal,", round.points));
            deals += round.deals;
            points += round.points * round.deals as f64;
            number = round.number;
            if number.is_multiple_of(rounds.div_ceil(10)) || number == rounds {
                let line = format!(
                    "round {number}: {} deals, {:.3} points per deal",
                    grouped(deals),
                    points / deals as f64
                );
                bar.suspend(|| eprintln!("{line}"));
                log += &format!("# {line}\n");
                (deals, points) = (0, 0.0);
            }
        },
    );
    bar.finish_and_clear();
    learned?;
    if stop.load(Ordering::Relaxed) {
        log += &format!("# interrupted after round {number}\n");
    }
    let titles = policies[0].1.titles().map(|worth| format!("{worth:+.3}"));
    let line = format!(
        "value of a title in the next deals, from first to fifth, and without titles: {}",
        titles.join(" ")
    );
    eprintln!("{line}");
    log += &format!("# {line}\n");
    let output = arguments.games.output.as_ref();
    for (key, policy) in &policies {
        let gifts = arguments.gifts.as_ref().filter(|_| *key == "gift_weights");
        write(gifts.or(output), format!("{log}{}", policy.mean_weights()))?;
    }
    Ok(())
}

/// Returns the policy of moves in `file`, or the built-in one, in its initial state.
fn moves<L: PolicyInput<N> + 'static, const N: usize>(
    file: Option<&PathBuf>,
    points: f64,
) -> anyhow::Result<Box<dyn LearningPolicy>> {
    let shipped = Policy::<L, N>::from_parameters(&L::shipped().parameters());
    Ok(Box::new(PolicyState::new(&start(file, shipped)?, points)))
}

/// Returns the policy in `file`, or `other` if no file is given.
fn start<L: PolicyInput<N>, const N: usize>(
    file: Option<&PathBuf>,
    other: Policy<L, N>,
) -> anyhow::Result<Policy<L, N>> {
    let Some(path) = file else { return Ok(other) };
    let text = std::fs::read_to_string(path).at(path)?;
    Policy::parse(&text).at(path)
}

/// Returns the command that learns the same weights. The number of threads and the output file are
/// left out, because they do not affect the weights.
fn command(arguments: &Arguments) -> String {
    let Arguments {
        policy,
        rounds,
        blocks,
        rate,
        ..
    } = arguments;
    let policy = match policy {
        LearnablePolicy::Light => "light",
        LearnablePolicy::Full => "full",
        LearnablePolicy::Deep => "deep",
        LearnablePolicy::Gift => "gift",
    };
    let gifts = arguments
        .gifts
        .as_ref()
        .map_or(String::new(), |path| format!(" --gifts {}", short(path)));
    let start = arguments
        .start
        .as_ref()
        .map_or(String::new(), |path| format!(" --start {}", short(path)));
    format!(
        "train learn-policy {} --learn {} --policy {policy}{gifts}{start} --rounds {rounds} --blocks {blocks} --rate {rate}",
        short(&arguments.games.league),
        arguments.learn.join(",")
    )
}
