//! Bridge for people: views as scenes, events and actions as text.

use super::call::Call;
use super::cards::{COMPASS, Card, CardSet, Suit, name};
use super::records::{Event, NONE, View, event};
use crate::cards;
use crate::scene::{Line, OwnCards, Pile, Scene, SceneSeat, Tableau, faces, name_at, spoken};

/// Returns the name of a seat.
fn seat_name(seat: u8) -> &'static str {
    name_at(&COMPASS, seat, "nobody")
}

fn face(card: u8) -> String {
    cards::face(name(card))
}

/// Returns the faces of a set by suit, with alternating colours and high cards first.
fn faces_of(set: u64) -> String {
    let mut cards: Vec<Card> = CardSet(set).into_iter().collect();
    let place = |card: &Card| match card.suit() {
        Suit::Spades => 0,
        Suit::Hearts => 1,
        Suit::Clubs => 2,
        Suit::Diamonds => 3,
    };
    cards.sort_by_key(|card| (place(card), std::cmp::Reverse(card.index())));
    faces(cards.into_iter().map(|card| face(card.index())))
}

fn contract(view: &View) -> String {
    let strain = name_at(&["♠", "♥", "♦", "♣"], view.strain, " no trumps");
    let doubling = name_at(&["", " doubled", " redoubled"], view.doubling, "");
    format!(
        "{}{strain}{doubling} by {}",
        view.level,
        seat_name(view.declarer)
    )
}

pub(super) fn scene(view: &View) -> Scene {
    let calls = view
        .calls
        .iter()
        .take(usize::from(view.call_count))
        .filter_map(|&call| Call::from_number(call));
    let calls: Vec<String> = calls.map(|call| spoken_call(&call)).collect();
    let [north_south, east_west] = view.won;
    let trick = (view.played_count / 4 + 1).min(13);
    let facts = vec![
        ("contract", contract(view)),
        ("trick", format!("{trick} of 13")),
        (
            "tricks won",
            format!("North-South {north_south}, East-West {east_west}"),
        ),
        (
            "auction",
            format!("{} from {}", calls.join(" "), seat_name(view.dealer)),
        ),
    ];
    let places = (0..4).map(|seat| scene_seat(view, seat)).collect();
    let is_shown = view.dummy_shown != 0;
    let hidden = if is_shown && view.seat == view.dummy {
        0
    } else {
        view.hand
    };
    let own = OwnCards {
        hand: faces_of(hidden),
        facts: Vec::new(),
    };
    Scene {
        table: Tableau {
            facts,
            piles: piles(view),
            places,
        },
        own,
    }
}

/// Returns the cards of the current trick, or of the last one until the next trick begins.
fn piles(view: &View) -> Vec<Pile> {
    let played = usize::from(view.played_count);
    if played == 0 {
        return Vec::new();
    }
    let trick = (played - 1) / 4;
    let cards = &view.cards[4 * trick..played.min(view.cards.len())];
    let name = if cards.len() == 4 { "taken" } else { "" };
    let leader = view.leaders.get(trick).copied().unwrap_or(NONE);
    let seats = (0..4).map(|step| (leader & 3).wrapping_add(step) & 3);
    seats
        .zip(cards)
        .map(|(seat, &card)| Pile {
            name,
            seat: Some(seat),
            faces: face(card),
        })
        .collect()
}

fn scene_seat(view: &View, seat: u8) -> SceneSeat {
    let vulnerable = if view.vulnerable >> (seat & 1) & 1 == 1 {
        ", vulnerable"
    } else {
        ""
    };
    let part = match seat {
        s if s == view.declarer => ", declarer",
        s if s == view.dummy => ", dummy",
        _ => "",
    };
    let is_open = seat == view.dummy && view.dummy_shown != 0;
    let played = CardSet(view.played[usize::from(seat)]).len();
    SceneSeat {
        player: seat,
        role: format!("{}{part}{vulnerable}", seat_name(seat)),
        held: if is_open {
            0
        } else {
            13_u8.saturating_sub(u8::try_from(played).unwrap_or(13))
        },
        open: if is_open {
            faces_of(view.dummy_hand)
        } else {
            String::new()
        },
        facts: vec![(
            "points before",
            crate::scene::unless_zero(view.results[usize::from(seat)]),
        )],
        ..SceneSeat::default()
    }
}

fn spoken_call(call: &Call) -> String {
    let text = call.to_string();
    match (call, text.split_at_checked(1)) {
        (Call::Bid { .. }, Some((level, suit))) if suit != "NT" => {
            format!("{level}{}", spoken(suit))
        }
        _ => text,
    }
}

pub(super) fn line(event: &Event) -> Line {
    match event.kind {
        event::CALL => {
            let call = Call::from_number(event.call)
                .map_or_else(|| "nothing".to_owned(), |call| spoken_call(&call));
            Line::of(event.seat, format!("calls {call}"))
        }
        event::DUMMY => Line::of(
            event.seat,
            format!("puts down dummy: {}", spoken(&faces_of(event.cards))),
        ),
        _ => {
            let card = spoken(&face(event.card));
            let wins = match event.winner {
                winner if winner == event.seat => " and wins the trick".to_owned(),
                winner if winner < 4 => format!("; {} wins the trick", seat_name(winner)),
                _ => String::new(),
            };
            Line::of(event.seat, format!("plays {card}{wins}"))
        }
    }
}
