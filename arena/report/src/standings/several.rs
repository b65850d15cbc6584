//! Compares the pairs of a league with the same pairs in other leagues.

use super::pairs::{difference, find_pair};
use super::{
    AboutEntrant, AcrossLeagues, Estimate, Interaction, LeagueOfSeveral, PairAcrossLeagues,
    PairStanding, Standings, TestResult,
};
use hattari_agents::text::joined;
use hattari_stats::Correction;
use hattari_stats::compare::BLOCKS_MIN;
use hattari_stats::heterogeneity::{IndependentEstimate, same_value};
use std::collections::{BTreeMap, BTreeSet};

impl Standings {
    /// Adds the comparison with other leagues, in which the same pairs play under other conditions.
    ///
    /// # Errors
    /// Returns the reason why the leagues cannot be compared: one of the standings is from a file of
    /// scores, or a league has another game than the first league.
    pub fn compare_with(&mut self, others: &[Standings]) -> Result<(), String> {
        let all: Vec<&Standings> = std::iter::once(&*self).chain(others).collect();
        let mut leagues = Vec::new();
        for standings in &all {
            let about = &standings.about;
            let league = about
                .league
                .as_ref()
                .ok_or("a file of scores cannot be compared with a league")?;
            leagues.push((about.title.clone(), league));
        }
        let (_, first) = &leagues[0];
        if let Some((title, league)) = leagues.iter().find(|(_, league)| league.game != first.game)
        {
            return Err(format!(
                "`{title}` is a league of {}, but the first league is a league of {}",
                league.game, first.game
            ));
        }
        let options = first.options.as_object().into_iter().flatten();
        let differs = |name: &str| {
            leagues
                .iter()
                .any(|(_, league)| league.options[name] != first.options[name])
        };
        let options: Vec<String> = options
            .map(|(name, _)| name.clone())
            .filter(|name| differs(name))
            .collect();
        let mut seeds: Vec<u64> = leagues.iter().map(|(_, league)| league.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let are_independent = seeds.len() == leagues.len();
        let mut pairs: Vec<_> = (self.pairs.iter())
            .map(|pair| across(pair, &all, are_independent))
            .collect();
        adjust(&mut pairs);
        let entrants = leagues.iter().flat_map(|(_, league)| &league.entrants);
        let mut cautions: Vec<String> = changed_bots(entrants).into_iter().collect();
        cautions.extend(cautions_of(&all));
        let leagues = leagues.into_iter().map(|(title, league)| LeagueOfSeveral {
            title,
            seed: league.seed,
            values: options
                .iter()
                .map(|name| league.options[name].clone())
                .collect(),
        });
        self.across = Some(Box::new(AcrossLeagues {
            leagues: leagues.collect(),
            options,
            pairs,
        }));
        self.cautions = cautions;
        Ok(())
    }
}

/// Returns a warning if entrants of different leagues with the same name are not the same bot.
fn changed_bots<'a>(entrants: impl Iterator<Item = &'a AboutEntrant>) -> Option<String> {
    let mut bots: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for entrant in entrants {
        let content = format!("{} {} {}", entrant.version, entrant.hash, entrant.config);
        bots.entry(&entrant.name).or_default().insert(content);
    }
    bots.retain(|_, contents| contents.len() > 1);
    (!bots.is_empty()).then(|| {
        format!(
            "Not the same version or settings in all leagues: {}. Differences between leagues may \
             have this cause.",
            joined(bots.into_keys(), ", ")
        )
    })
}

/// Returns the warnings of all leagues, each with the titles of its leagues.
fn cautions_of(all: &[&Standings]) -> Vec<String> {
    let mut cautions: Vec<(&str, Vec<&str>)> = Vec::new();
    for standings in all {
        for caution in &standings.cautions {
            let title = standings.about.title.as_str();
            match cautions.iter_mut().find(|(text, _)| text == caution) {
                Some((_, titles)) => titles.push(title),
                None => cautions.push((caution, vec![title])),
            }
        }
    }
    cautions
        .into_iter()
        .map(|(caution, titles)| format!("{}: {caution}", joined(titles.into_iter(), ", ")))
        .collect()
}

/// Compares a pair in all leagues. `are_independent` is `false` if leagues have the same seed.
fn across(pair: &PairStanding, all: &[&Standings], are_independent: bool) -> PairAcrossLeagues {
    let (a, b) = (pair.a.as_str(), pair.b.as_str());
    let differences: Vec<TestResult<Estimate>> = all
        .iter()
        .map(|standings| difference(&standings.pairs, a, b))
        .collect();
    let found = all
        .iter()
        .map(|standings| find_pair(&standings.pairs, a, b));
    let tests = found.clone().map(|pair| pair?.pooled.tested());
    let estimates: Option<Vec<IndependentEstimate>> = tests
        .clone()
        .zip(&differences)
        .map(|(test, difference)| {
            let &Estimate { value, se, .. } = difference.tested()?;
            let df = test?.df;
            Some(IndependentEstimate { value, se, df })
        })
        .collect();
    // Few blocks that happen to be almost equal have a much too small standard error. Among more
    // leagues, one with such blocks is more likely.
    let needed = if all.len() <= 3 {
        BLOCKS_MIN
    } else {
        5 * all.len()
    };
    let interaction = match estimates.as_deref().map(same_value) {
        _ if found.flatten().any(|pair| pair.sequential.is_some()) => {
            Err("a stopping rule chose the number of blocks")
        }
        _ if !are_independent => {
            Err("leagues have the same seed, so their deals are not independent")
        }
        None => Err("the pair cannot be tested in every league"),
        Some(None) => Err("a difference has no standard error"),
        _ if tests.flatten().any(|test| test.n < needed as u64) => Err(
            "a league has fewer than 10 blocks of the pair (with more than 3 leagues, 5 for each league)",
        ),
        Some(Some(test)) => Ok(test),
    };
    let interaction = interaction.map(|test| Interaction {
        test,
        p_adjusted: test.p,
    });
    PairAcrossLeagues {
        a: pair.a.clone(),
        b: pair.b.clone(),
        differences,
        interaction: interaction.into(),
    }
}

/// Adjusts the p values of all tests by Holm.
fn adjust(pairs: &mut [PairAcrossLeagues]) {
    let tests = || pairs.iter().filter_map(|pair| pair.interaction.tested());
    let p: Vec<f64> = tests().map(|interaction| interaction.test.p).collect();
    let tested = pairs
        .iter_mut()
        .filter_map(|pair| pair.interaction.tested_mut());
    for (interaction, adjusted) in tested.zip(Correction::Holm.adjust(&p)) {
        interaction.p_adjusted = adjusted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_all_leagues_have_the_titles_of_their_leagues() {
        let leagues = [("x", &["a", "b"][..]), ("y", &["b"]), ("z", &[])].map(|(title, texts)| {
            let mut standings = Standings::default();
            standings.about.title = title.to_owned();
            standings.cautions = texts.iter().map(|&text| text.to_owned()).collect();
            standings
        });
        assert_eq!(cautions_of(&leagues.each_ref()), ["x: a", "x, y: b"]);
    }

    #[test]
    fn bots_that_differ_between_leagues_are_named() {
        let entrant = |name: &str, hash: &str, level: u32| AboutEntrant {
            name: name.to_owned(),
            bot: String::new(),
            kind: String::new(),
            version: String::new(),
            hash: hash.to_owned(),
            config: serde_json::json!({ "level": level }),
            budget: None,
        };
        let first = [
            entrant("a", "1", 1),
            entrant("b", "1", 1),
            entrant("c", "1", 1),
        ];
        let second = [
            entrant("a", "1", 1),
            entrant("b", "2", 1),
            entrant("c", "1", 2),
        ];
        let text = changed_bots(first.iter().chain(&second)).expect("b and c differ");
        assert!(text.contains("all leagues: b, c."), "{text}");
        assert_eq!(changed_bots(first.iter().chain(&first)), None);
    }
}
