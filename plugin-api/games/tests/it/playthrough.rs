//! Complete deals as text for review. `<game>/playthrough.txt` contains all events, the public
//! scene, the private scene of every seat, and the view and legal actions of the seat to act. Write
//! the files with `UPDATE=1 cargo test -p hattari-games playthrough` and review the difference.
//!
//! Only changes are written: before a decision, the changed lines of the scene and the fields of
//! the view that differ from the seat's last view. Initial fields without content are omitted. In
//! words, seats and players count from 1; fields of views count from 0, as in the records.

use crate::play::seeded;
use bytemuck::bytes_of;
use hattari_games::chance::below;
use hattari_games::frame::{Field, Frame, Framed, Meaning, Scalar, Type};
use hattari_games::scene::{Fact, Scene, from_one};
use hattari_games::{Game, Move, words};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::fmt::Write;
use std::{env, fs};

/// Maximum number of legal actions that are written.
const LISTED: usize = 24;

/// The parameters of a playthrough.
pub(crate) struct Play<G: Game> {
    /// Options of the rules.
    pub options: G::Options,
    /// Number of players.
    pub players: usize,
    /// Number of deals of the block.
    pub deals: u32,
    /// Number of deals played before the first written one.
    pub before: u32,
    /// Number of deals that are written.
    pub written: u32,
    /// Seed of cards and choices, selected for varied deals.
    pub seed: u64,
}

impl<G: Game> Play<G> {
    /// Plays and compares the text with the game's file; `choose` decides for every seat.
    pub(crate) fn check(
        self,
        choose: impl Fn(&G, &G::View, &[G::Action], &mut ChaCha8Rng) -> Move<G::Action>,
    ) {
        let game = G::new(self.options).unwrap();
        let mut chance = seeded(self.seed);
        let mut block = game.new_block(self.players, self.deals);
        let mut deal = game.new_deal();
        let mut paper = Paper {
            text: format!("{}, {:?}\n", G::ID, game.options()),
            ..Paper::default()
        };
        for number in 0..self.before + self.written {
            if number == self.before {
                paper.is_written = true;
            }
            game.deal(&mut block, &mut chance, &mut deal);
            paper.line(&format!(
                "\ndeal {number}\n{}",
                words::deal(&game, &block, &deal)
            ));
            paper.known.clear();
            let mut told = 0;
            loop {
                for event in &game.history(&deal)[told..] {
                    paper.line(&game.line(event).to_string());
                }
                told = game.history(&deal).len();
                let to_act = game.to_act(&deal);
                let views = (0..self.players).map(|player| {
                    let seat = game.seat_of(&deal, player);
                    (seat, game.view_of(&block, &deal, seat))
                });
                let mut views: Vec<(u8, G::View)> = views.collect();
                views.sort_by_key(|(seat, _)| *seat);
                for (seat, view) in &views {
                    paper.scene(*seat, &game.scene(view));
                }
                let Some(seat) = to_act else {
                    views
                        .iter()
                        .for_each(|(seat, view)| paper.view::<G>(*seat, view));
                    break;
                };
                let legal = game.legal_actions(&deal);
                let view = views
                    .iter()
                    .find(|(other, _)| *other == seat)
                    .map(|(_, view)| view)
                    .expect("it sits there");
                paper.view::<G>(seat, view);
                paper.legal(legal.iter().map(|action| offered(&game, action)));
                let choice = choose(&game, view, &legal, &mut chance);
                paper.line(&format!(
                    "seat {} chooses {}",
                    from_one(seat),
                    words::choice(&game, &choice)
                ));
                game.apply(&mut deal, choice);
            }
            paper.line(&words::deal(&game, &block, &deal));
            let mut payoffs = vec![0; self.players];
            game.finish(&mut block, &deal, &mut payoffs);
            paper.line(&format!("payoffs by player: {}", spaced(payoffs.iter())));
        }
        compare(G::ID, &paper.text);
    }
}

/// Compares the text of a game with its file.
fn compare(id: &str, played: &str) {
    let name = id.split('/').next().expect("a name");
    let path = format!(
        "{}/tests/it/{name}/playthrough.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, played).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (number, (golden, played)) in (1..).zip(golden.lines().zip(played.lines())) {
        assert_eq!(
            played, golden,
            "line {number} of {path}; UPDATE=1 accepts what is played now"
        );
    }
    assert_eq!(
        played.lines().count(),
        golden.lines().count(),
        "{path}; UPDATE=1 accepts what is played now"
    );
}

/// Returns the words of an action with the range of its amounts.
pub(crate) fn offered<G: Game>(game: &G, action: &G::Action) -> String {
    let words = game.offer(action).words;
    match G::amounts(action) {
        Some((lowest, highest)) if lowest == highest => format!("{words} {lowest}"),
        Some((lowest, highest)) => format!("{words} {lowest}-{highest}"),
        None => words,
    }
}

/// Returns a choice in poker: mostly calls, folds and small raises, sometimes all-in.
pub(crate) fn staying<G: Game>(
    game: &G,
    legal: &[G::Action],
    chance: &mut ChaCha8Rng,
) -> Move<G::Action> {
    let named = |word: &str| {
        legal
            .iter()
            .find(|action| game.offer(action).words.starts_with(word))
    };
    let stay = named("Check").or(named("Call")).unwrap_or(&legal[0]);
    let action = match below(chance, 10) {
        0..=1 if named("Check").is_none() => named("Fold").unwrap_or(stay),
        2..=4 => named("Raise").unwrap_or(stay),
        _ => stay,
    };
    let (lowest, highest) = G::amounts(action).unwrap_or((0, 0));
    Move {
        action: *action,
        amount: if below(chance, 6) == 0 {
            highest
        } else {
            lowest
        },
    }
}

/// The text, and the values that are already written.
#[derive(Default)]
struct Paper {
    text: String,
    is_written: bool,
    /// Last text of each name.
    known: HashMap<String, String>,
}

impl Paper {
    fn line(&mut self, line: &str) {
        if self.is_written {
            self.text += line;
            self.text.push('\n');
        }
    }

    /// Returns `true` if the text differs from the last one of that name. An initial value without
    /// content is not new.
    fn is_new(&mut self, name: String, text: &str) -> bool {
        match self.known.insert(name, text.to_owned()) {
            None => !["", "-", "0", "255"].contains(&text),
            Some(before) => before != text,
        }
    }

    /// Writes the text of a name if it is new.
    fn news(&mut self, name: &str, text: &str) {
        if self.is_new(name.to_owned(), text) {
            let text = if text.is_empty() { "-" } else { text };
            self.line(&format!("    {name}: {text}"));
        }
    }

    /// Writes the scene of a seat, as people see it.
    fn scene(&mut self, seat: u8, scene: &Scene) {
        let table = &scene.table;
        self.news("table", &facts(&table.facts));
        for (number, pile) in table.piles.iter().enumerate() {
            let whose = pile
                .seat
                .map_or_else(String::new, |seat| format!(" of seat {}", from_one(seat)));
            self.news(
                &format!("pile {number}"),
                format!("{}{whose}: {}", pile.name, pile.faces).trim_start(),
            );
        }
        for number in table.piles.len()..table.piles.len() + 8 {
            if self.known.contains_key(&format!("pile {number}")) {
                self.news(&format!("pile {number}"), "");
            }
        }
        for (number, place) in (1..).zip(&table.places) {
            let mut text = format!("player {}, {} in hand", from_one(place.player), place.held);
            for (name, what) in [("", &place.role), ("open ", &place.open), ("", &place.note)] {
                if !what.is_empty() {
                    _ = write!(text, ", {name}{what}");
                }
            }
            let more = facts(&place.facts);
            _ = write!(
                text,
                "{}{more}{}",
                if more.is_empty() { "" } else { ", " },
                if place.is_out { ", out" } else { "" }
            );
            self.news(&format!("seat {number}"), &text);
        }
        let own = [scene.own.hand.clone(), facts(&scene.own.facts)];
        let own: Vec<&str> = own
            .iter()
            .map(String::as_str)
            .filter(|text| !text.is_empty())
            .collect();
        self.news(&format!("seat {} alone", from_one(seat)), &own.join(", "));
    }

    /// Writes the view of a seat, as bots get it.
    fn view<G: Game>(&mut self, seat: u8, view: &G::View) {
        let mut fresh = Vec::new();
        for field in G::View::FRAME.fields {
            if matches!(field.meaning, Meaning::Size | Meaning::Reserved) {
                continue;
            }
            let text = value::<G>(field, bytes_of(view));
            if self.is_new(format!("{seat} {}", field.name), &text) {
                fresh.push(format!("{} {text}", field.name));
            }
        }
        self.line(&format!(
            "  view of seat {}: {}",
            from_one(seat),
            if fresh.is_empty() {
                "-".into()
            } else {
                fresh.join(" | ")
            }
        ));
    }

    fn legal(&mut self, legal: impl ExactSizeIterator<Item = String>) {
        let count = legal.len();
        let mut words: Vec<String> = legal.take(LISTED).collect();
        if count > LISTED {
            words.push("…".into());
        }
        self.line(&format!("  legal {count}: {}", words.join(", ")));
    }
}

fn facts(facts: &[Fact]) -> String {
    let said = facts.iter().filter(|(_, value)| !value.is_empty());
    said.map(|(name, value)| format!("{name} {value}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn spaced<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Formats a field: its elements in order. Equal elements at the end are written once.
fn value<G: Game>(field: &Field, frame: &[u8]) -> String {
    let size = field.ty.size();
    let bytes = &frame[field.offset..field.offset + size * field.array.unwrap_or(1)];
    let element = |bytes: &[u8]| match field.ty {
        Type::Frame(inner) => record::<G>(inner, bytes),
        Type::Scalar(scalar) => number::<G>(scalar, field.meaning, bytes),
    };
    let mut elements: Vec<String> = bytes.chunks(size).map(element).collect();
    let last = elements.pop().expect("a field has an element");
    let alike = elements
        .iter()
        .rev()
        .take_while(|element| **element == last)
        .count();
    elements.truncate(elements.len() - alike);
    match (alike, last.as_str()) {
        (0, _) => elements.push(last),
        (_, "0" | "-" | "255") if !elements.is_empty() => elements.push("…".into()),
        (_, _) => elements.push(if elements.is_empty() {
            last
        } else {
            format!("{last}…")
        }),
    }
    elements.join(" ")
}

fn record<G: Game>(frame: &Frame, bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| *byte == 0) {
        return "-".into();
    }
    let said = frame
        .fields
        .iter()
        .filter(|field| !matches!(field.meaning, Meaning::Size | Meaning::Reserved));
    let said = said.map(|field| format!("{} {}", field.name, value::<G>(field, bytes)));
    format!("{{{}}}", said.collect::<Vec<_>>().join(", "))
}

fn number<G: Game>(scalar: Scalar, meaning: Meaning, bytes: &[u8]) -> String {
    let number = scalar.read(bytes);
    let bits = u64::try_from(number).unwrap_or_default();
    let members = || (0..64_u8).filter(move |member| bits >> member & 1 == 1);
    let or_nothing = |text: String| if text.is_empty() { "-".into() } else { text };
    match meaning {
        Meaning::Cards => or_nothing(spaced(members().filter_map(G::card_name))),
        Meaning::Card => u8::try_from(bits)
            .ok()
            .and_then(G::card_name)
            .unwrap_or("-")
            .to_owned(),
        Meaning::Seats => or_nothing(spaced(members())),
        Meaning::Seat | Meaning::Ordinal if bits == 0xff => "-".into(),
        Meaning::Code(names) => {
            let name = names.iter().find(|(_, code)| *code == bits);
            name.map_or_else(|| bits.to_string(), |(name, _)| (*name).to_owned())
        }
        Meaning::Flags(names) => or_nothing(spaced(
            names
                .iter()
                .filter(|(_, mask)| bits & mask != 0)
                .map(|(name, _)| *name),
        )),
        _ => number.to_string(),
    }
}
