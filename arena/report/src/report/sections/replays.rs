//! Replays of games, step by step.

use super::*;
use crate::replay::steps::PickedGame;
use hattari_agents::text::shell;

/// Returns the games for a page; `None` in other formats and for a file of scores.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let league = report
        .standings
        .about
        .league
        .as_ref()
        .filter(|_| detail.is_page())?;
    let mut part = ReportPart::new("replays", "Replays", "Games, step by step");
    let (file, games) = (shell(&league.file), shell(league.replayed()));
    let Some(picked) = report.replays else {
        return Some(part.sentence(format!(
            "Games are replayed from their seeds with the bots of the league. To add some games \
             to this page, run: hattari report {games} --html."
        )));
    };
    let mut section = Section {
        notes: picked.notes.clone(),
        folded: true,
        ..Section::new("Games on this page")
    };
    if picked.games.is_empty() {
        section.text.push(format!(
            "No games were replayed for this page; hattari serve {file} shows any game."
        ));
        return Some(part.with([section]));
    }
    part.has_viewer = true;
    section.text.push(format!(
        "{} in which the difference between two bots was far from their average difference. Every \
         line-up is represented if possible.",
        counted(picked.games.len() as u64, "game")
    ));
    section.table = Some(table(&picked.games));
    section.notes.push(format!(
        "To see another game, run: hattari replay {games} --line-up 0 --block 0 --game 0 --html. To \
         see all games in a browser, run: hattari serve {file}."
    ));
    Some(part.with([section]))
}

fn table(games: &[PickedGame]) -> Grid {
    let payoffs = |game: &PickedGame| {
        let payoffs = game.steps.names.iter().zip(&game.steps.payoffs);
        joined(
            payoffs.map(|(name, payoff)| format!("{name} {payoff}")),
            ", ",
        )
    };
    grid! { game in games;
        "line-up", Right = game.line_up;
        "block", Right = game.block;
        "game", Right = game.steps.game;
        "swing", Right = format!("{:.1}", game.swing);
        "what happened", Wrap = &game.why;
        "payoffs", Wrap = payoffs(game);
    }
}
