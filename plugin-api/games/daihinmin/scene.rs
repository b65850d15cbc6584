//! Daihinmin for people: views as scenes, events and actions as text.

use super::card::{self, CardSet, JOKER};
use super::records::{Action, Event, NONE, PLAYERS, View, effect, event, flag, kind, phase, rule};
use crate::cards;
use crate::scene::{
    Line, Offer, OwnCards, Pile, Scene, SceneSeat, Tableau, faces, name_at, ordinal, spoken,
};

/// The names of the titles, by place.
pub const TITLES: [&str; PLAYERS] = ["daifugo", "fugo", "heimin", "hinmin", "daihinmin"];

/// Returns the face of a cell or of the joker.
fn face(cell: u8) -> String {
    cards::face(card::name(cell))
}

fn faces_of(set: CardSet) -> String {
    faces(card::cells(set).map(face))
}

/// Returns the faces of a play, with the joker at the cell that it stands for.
fn faces_of_play(action: &Action) -> String {
    let cells = card::cells(action.cells).map(|cell| match cell {
        cell if cell == action.joker => format!("JK={}", face(cell)),
        cell => face(cell),
    });
    faces(cells.chain((action.joker == JOKER).then(|| face(JOKER))))
}

pub(super) fn scene(view: &View) -> Scene {
    let yes = |is_so: bool, words: &str| {
        let words = if is_so { words } else { "" };
        words.to_owned()
    };
    let phase = name_at(&["exchange of cards", "play", "over"], view.phase, "");
    let facts = vec![
        ("phase", phase.to_owned()),
        (
            "order of ranks",
            yes(view.revolution != view.eleven_back, "reversed"),
        ),
        ("revolution", yes(view.revolution != 0, "on")),
        ("jack back", yes(view.eleven_back != 0, "on")),
        ("suits", yes(view.lock != 0, "locked")),
        (
            "direction",
            yes(view.rules & rule::BACKWARDS != 0, "backwards"),
        ),
    ];
    let mut piles = Vec::new();
    if view.table_seat != NONE {
        piles.push(Pile {
            name: "to beat",
            seat: Some(view.table_seat),
            faces: faces_of_play(&view.table),
        });
    }
    let places = (0..5).map(|seat| scene_seat(view, seat)).collect();
    let own = OwnCards {
        hand: faces_of(view.hand),
        facts: vec![
            ("gave away", spoken_set(view.given)),
            ("was given", spoken_set(view.received)),
        ],
    };
    Scene {
        table: Tableau {
            facts,
            piles,
            places,
        },
        own,
    }
}

fn spoken_set(set: CardSet) -> String {
    if set == 0 {
        String::new()
    } else {
        spoken(&faces_of(set))
    }
}

fn scene_seat(view: &View, seat: usize) -> SceneSeat {
    let has = |seats: u8| seats >> seat & 1 == 1;
    let finished = view.places[seat] != NONE;
    let note = if finished {
        format!(
            "{}, {}",
            ordinal(view.places[seat]),
            name_at(&TITLES, view.places[seat], "?")
        )
    } else if has(view.passed) && view.phase == phase::PLAY {
        "passed".to_owned()
    } else {
        String::new()
    };
    SceneSeat {
        player: view.players[seat],
        role: name_at(&TITLES, view.titles[seat], "").to_owned(),
        held: view.cards_left[seat],
        open: String::new(),
        facts: vec![("points", view.points[seat].to_string())],
        note,
        is_out: finished,
    }
}

pub(super) fn line(event: &Event) -> Line {
    match event.kind {
        event::LEAD => Line::of(event.seat, "leads: the trick is over"),
        event::OUT => {
            let title = name_at(&TITLES, event.place, "nothing");
            Line::of(
                event.seat,
                format!("comes {} and is {title}", ordinal(event.place)),
            )
        }
        _ if event.action.is_pass() => Line::of(event.seat, "passes"),
        _ => {
            let restores = event.flags & flag::REVOLUTION == 0;
            Line::of(
                event.seat,
                format!(
                    "plays {}{}",
                    spoken(&faces_of_play(&event.action)),
                    effects_as_text(&event.action, restores)
                ),
            )
        }
    }
}

/// Describes the effects of a play. If `restores` is `true`, a revolution restores the normal order
/// of ranks.
fn effects_as_text(action: &Action, restores: bool) -> String {
    let turns = if restores {
        ", a revolution that restores the order"
    } else {
        ", a revolution"
    };
    let effects = [
        (effect::CUT, ", which clears the trick"),
        (effect::REVOLUTION, turns),
        (effect::LOCK, ", which locks the suits"),
        (
            effect::ELEVEN_BACK,
            ", which reverses the order of ranks for the trick",
        ),
    ];
    effects
        .iter()
        .filter(|(flag, _)| action.effects & flag != 0)
        .map(|(_, words)| *words)
        .collect()
}

pub(super) fn offer(action: &Action) -> Offer {
    let faces = faces_of(action.cards);
    let words = match action.kind {
        kind::PASS => return Offer::plain("Pass"),
        kind::GIVE => format!("Give {}", spoken(&faces)),
        _ => format!("Play {}", spoken(&faces_of_play(action))),
    };
    Offer { words, faces }
}
