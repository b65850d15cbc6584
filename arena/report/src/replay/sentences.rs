//! Sentences about players, choices and payoffs of a game, for people.

use hattari_agents::table::{AnyGame, Decider};
use hattari_agents::text::joined;
use hattari_plugin::games::scene::Line;

/// Returns the names by seat. Names that occur several times get the seat number, from 1.
pub fn seat_names(names: &[&str]) -> Vec<String> {
    names
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            let copies = names.iter().filter(|other| *other == name).count();
            if copies > 1 {
                format!("{name} (seat {})", seat + 1)
            } else {
                (*name).to_owned()
            }
        })
        .collect()
}

/// The players at a table, as named in sentences.
#[derive(Clone, Copy, Debug)]
pub struct TablePlayers<'a> {
    /// Names by seat.
    pub names: &'a [String],
    /// The seat of the reader, who is called `You`; `None` if the reader does not play.
    pub reader: Option<u8>,
}

/// Returns a line of the public record as a sentence.
pub fn sentence(line: &Line, table_players: TablePlayers<'_>) -> String {
    let name = |seat: u8| {
        table_players
            .names
            .get(usize::from(seat))
            .map_or("nobody", String::as_str)
    };
    match line.seat {
        Some(seat) if table_players.reader == Some(seat) => {
            format!("You {}", second_person(&line.words))
        }
        Some(seat) => format!("{} {}", name(seat), line.words),
        None => line.words.clone(),
    }
}

/// Turns the third person into the second: `plays 7♠ and wins the trick` into `play 7♠ and win the
/// trick`. The first word and each word after `and` are assumed to be verbs.
fn second_person(words: &str) -> String {
    let verb = |verb: &str| match verb {
        "is" => "are".to_owned(),
        "does" => "do".to_owned(),
        "passes" => "pass".to_owned(),
        _ => verb.strip_suffix('s').unwrap_or(verb).to_owned(),
    };
    let mut is_verb = true;
    let turned = words.split(' ').map(|word| {
        let stem = word.trim_end_matches([':', ',']);
        let turned = if is_verb {
            verb(stem) + &word[stem.len()..]
        } else {
            word.to_owned()
        };
        is_verb = word == "and";
        turned
    });
    joined(turned, " ")
}

/// Returns the public sentences about a choice. `events` are the events that the choice added to
/// the public record.
pub fn public_text<'e>(
    game: &dyn AnyGame,
    seat: u8,
    decider: Decider,
    events: impl Iterator<Item = &'e [u8]>,
    table_players: TablePlayers<'_>,
) -> Vec<String> {
    let names = table_players.names;
    let mut text: Vec<String> = events
        .map(|event| sentence(&game.line(event), table_players))
        .collect();
    if text.is_empty() {
        text.push(format!(
            "{} makes a choice that the others do not see",
            names[usize::from(seat)]
        ));
    }
    if decider == Decider::Rule {
        text.push("The bot committed a fault, so the rules chose this action".to_owned());
    }
    text
}

/// Returns a sentence with the payoffs by seat.
pub fn payoff_sentence(names: &[String], payoffs: &[i64], unit: &str) -> String {
    let each = names.iter().zip(payoffs);
    let each = joined(each.map(|(name, payoff)| format!("{name} {payoff}")), ", ");
    format!("The game is over. {}: {each}", capital(unit))
}

/// Returns the word with a capital letter.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_bot_are_named_with_their_seats() {
        assert_eq!(
            seat_names(&["a", "b", "a"]),
            ["a (seat 1)", "b", "a (seat 3)"]
        );
        let names = ["a".to_owned()];
        let table_players = TablePlayers {
            names: &names,
            reader: None,
        };
        assert_eq!(sentence(&Line::of(0, "passes"), table_players), "a passes");
        assert_eq!(sentence(&Line::table("flop"), table_players), "flop");
    }

    #[test]
    fn sentences_address_the_reader_as_you() {
        let names = ["a".to_owned(), "b".to_owned()];
        let table_players = TablePlayers {
            names: &names,
            reader: Some(1),
        };
        assert_eq!(sentence(&Line::of(0, "passes"), table_players), "a passes");
        for (words, expected) in [
            ("passes", "You pass"),
            ("leads: the trick is over", "You lead: the trick is over"),
            ("comes 1st and is daifugō", "You come 1st and are daifugō"),
            (
                "plays 7♠ and wins the trick",
                "You play 7♠ and win the trick",
            ),
            (
                "plays 7♠; North wins the trick",
                "You play 7♠; North wins the trick",
            ),
            ("calls 20, all in", "You call 20, all in"),
            ("raises to 40", "You raise to 40"),
            ("is dealt 7♠", "You are dealt 7♠"),
            ("takes 5 back", "You take 5 back"),
            ("puts down dummy: 7♠", "You put down dummy: 7♠"),
        ] {
            assert_eq!(sentence(&Line::of(1, words), table_players), expected);
        }
    }
}
