//! The ratings.

use crate::numbers::{decimals, fixed, interval, level, signed};
use crate::report::table::{Align, Section, Table};
use crate::standings::{Answer, Standings};
use hattari_hosts::text::grouped;

/// The ratings; nothing for fewer than three bots, where the pair says it all.
pub fn section(standings: &Standings) -> Option<Section> {
    let ratings = standings.ratings.as_ref().filter(|_| standings.bots.len() > 2)?;
    let unit = standings.about.unit;
    let fit = match &ratings.fit {
        Answer::Tested(fit) => fit,
        Answer::NotTestable(why) => {
            return Some(Section { text: vec![format!("There are none: {why}.")], ..Section::new("Ratings") });
        }
    };
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let columns = [
        ("bot", Align::Left),
        ("strength", Align::Right),
        (confidence.as_str(), Align::Right),
        ("points", Align::Right),
        ("rank", Align::Right),
    ];
    let mut table = Table::new(&columns);
    // A quarter of the interval stands for the standard error.
    let digits = decimals(fit.iter().map(|rating| (rating.high - rating.low) / 4.0));
    for rating in fit {
        let (best, worst) = (rating.best_rank, rating.worst_rank);
        let rank = if best == worst { best.to_string() } else { format!("{best} to {worst}") };
        table.rows.push(vec![
            rating.name.as_str().into(),
            signed(rating.strength, digits).into(),
            interval((rating.low, rating.high), digits).into(),
            signed(rating.elo, 0).into(),
            rank.into(),
        ]);
    }
    let mut note = format!(
        "Fitted to who finished ahead of whom in each {unit} (Plackett-Luce): a difference of x in strength means odds of e^x \
         to finish ahead; 400 points are odds of ten to one. Intervals: Student's t on what each block moves a strength by; \
         possible ranks: of all bots together, {}.",
        match ratings.samples {
            Some(samples) => format!("by signs of whole blocks flipped (all patterns, or {})", grouped(samples)),
            None => "by t-tests of their differences after Holm".to_owned(),
        }
    );
    if ratings.virtual_draws > 0.0 {
        note += &format!(
            " Some bot was always, or never, ahead of the rest; {} imagined drawn {unit} between every two keeps ratings \
             finite.",
            fixed(ratings.virtual_draws, 0)
        );
    }
    Some(Section { table: Some(table), notes: vec![note], ..Section::new("Ratings") })
}
