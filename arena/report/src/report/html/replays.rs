//! Games of the league, step by step.

use super::figure::Part;
use crate::replay::pick::{Picked, PickedGame};
use crate::report::table::{Align, Table};
use crate::standings::Standings;
use hattari_hosts::text::{counted, shell};
use serde_json::{Value, json};

/// The part; none for a file of scores.
pub fn part(standings: &Standings, replays: Option<&Picked>) -> Option<Part> {
    let league = standings.about.league.as_ref()?;
    let mut part = Part::new("replays", "Replays", "Games, step by step");
    let file = shell(&league.file);
    let Some(picked) = replays else {
        part.text.push(format!(
            "Games are made again from their seeds, which takes the league's bots: hattari report {file} --html puts some of \
             them here."
        ));
        return Some(part);
    };
    part.notes.extend(picked.notes.iter().cloned());
    if picked.games.is_empty() {
        part.text.push(format!("No games were made again for this page; hattari serve {file} shows any."));
        return Some(part);
    }
    part.has_viewer = true;
    part.text.push(format!(
        "{} that moved two bots far from where the standings have them, some of every line-up, made again.",
        counted(picked.games.len() as u64, "game")
    ));
    part.behind("The games of this page", table(&picked.games));
    part.notes.push(format!(
        "Any other game: hattari replay {file} --line-up 0 --block 0 --game 0 --html, or all of them in a browser: hattari \
         serve {file}."
    ));
    Some(part)
}

/// What the script is given.
pub fn json(games: &[PickedGame]) -> Value {
    json!({"games": games})
}

fn table(games: &[PickedGame]) -> Table {
    let mut table = Table::new(&[
        ("line-up", Align::Right),
        ("block", Align::Right),
        ("game", Align::Right),
        ("swing", Align::Right),
        ("what happened", Align::Wrap),
        ("payoffs", Align::Wrap),
    ]);
    for game in games {
        let payoffs = game.steps.names.iter().zip(&game.steps.payoffs).map(|(name, payoff)| format!("{name} {payoff}"));
        table.rows.push(vec![
            game.line_up.to_string().into(),
            game.block.to_string().into(),
            game.steps.game.to_string().into(),
            format!("{:.1}", game.swing).into(),
            game.why.as_str().into(),
            payoffs.collect::<Vec<_>>().join(", ").into(),
        ]);
    }
    table
}
