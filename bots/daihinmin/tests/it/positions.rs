//! The plays of bots in given positions, as a table. `positions.txt` contains it and explains the
//! format.

use crate::support::{Position, style, switches};
use hattari_bots_daihinmin::bots::{client, sample};
use hattari_bots_daihinmin::evaluation::evaluation;
use hattari_bots_daihinmin::style::{Groups, Style, Switches};
use std::fmt::Write;

/// Returns the play of a bot, or the evaluation of a single.
fn answer(bot: &str, position: &Position) -> String {
    let legal = position.legal();
    if let Some(single) = bot.strip_prefix("value(") {
        let single = single.trim_end_matches(')');
        let play = legal.iter().find(|play| play.to_string() == single);
        return evaluation(&position.view, play.expect("it is legal")).to_string();
    }
    let index = match (bot, bot.strip_suffix('*')) {
        ("client", _) => client::choose(&position.view, &legal),
        ("default", _) => sample::choose(&position.view, &legal),
        (_, Some(name)) => {
            let groups = Groups::Any;
            Style::of(Switches {
                groups,
                ..switches(name)
            })
            .choose(&position.view, &legal)
        }
        _ => style(bot).choose(&position.view, &legal),
    };
    legal[index].to_string()
}

#[test]
fn bots_play_as_the_table_of_positions_says() {
    let (_, table) = include_str!("positions.txt").split_once("\n# ").unwrap();
    let (mut fact, mut cases, mut wrong) = ("", 0, String::new());
    for line in table.lines().filter(|line| !line.starts_with("  --")) {
        let Some(case) = line.strip_prefix("  ") else {
            fact = line;
            continue;
        };
        let (position, expected) = case.split_once(" > ").expect(case);
        let (bots, position) = position.split_once(": ").expect(case);
        for bot in bots.split(' ') {
            let found = answer(bot, &Position::of(position));
            if found != expected {
                writeln!(wrong, "{fact}: {bot}: {position} > {expected}, not {found}").unwrap();
            }
            cases += 1;
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(cases > 240, "{cases} cases");
}
