//! Whole matches of our own clients, with checks of all messages that they receive.

use super::client::{Ask, Client, Message, Seen, cells, simple, simple_answer};
use crate::place::{Place, deals, play};
use hattari_agents::record::Record;
use hattari_contests::uecda::PROTOCOL;
use hattari_plugin::games::daihinmin::{Daihinmin, Options};
use std::thread;

/// Plays a match of 30 games with five clients of these versions.
fn match_of(
    versions: [i32; 5],
    answer: fn(&mut Client, Ask<'_>) -> std::io::Result<()>,
) -> (Record, Vec<Seen>) {
    let places: Vec<Place> = versions.iter().map(|_| Place::patient(&PROTOCOL)).collect();
    let mut agents: Vec<_> = places.iter().map(Place::agent).collect();
    thread::scope(|scope| {
        let clients: Vec<_> = (places.iter().zip(versions).enumerate())
            .map(|(seat, (place, version))| {
                scope.spawn(move || {
                    let client =
                        Client::come(place.address, version, &format!("seat {seat}")).unwrap();
                    assert_eq!(usize::try_from(client.me).unwrap(), seat);
                    client.play(&mut { answer })
                })
            })
            .collect();
        let record = play::<Daihinmin>(
            Options {
                rank_reset: 12,
                ..Options::default()
            },
            deals(30),
            0,
            &mut agents,
        );
        drop(agents);
        (
            record,
            clients
                .into_iter()
                .map(|client| client.join().unwrap())
                .collect(),
        )
    })
}

#[test]
fn both_protocol_versions_play_the_same_and_messages_match_the_server() {
    let (record, seen) = match_of([20070; 5], simple);
    assert_eq!(
        (record.deals, record.faults.len()),
        (30, 0),
        "{:?}",
        record.faults
    );
    let (digits, seen_in_digits) = match_of([20140; 5], simple);
    assert_eq!(digits, record);
    assert_eq!(seen_in_digits, seen);
    assert_eq!(
        match_of([20070, 20140, 20070, 20140, 20140], simple).0,
        record
    );

    let mut fresh = 0;
    for (seat, seen) in seen.iter().enumerate() {
        assert!(
            seen.whole && seen.games == 30,
            "after the last word the connection is closed"
        );
        let mut titles = [0; 5];
        let mut game = 0;
        for (number, message) in seen.messages.iter().enumerate() {
            match message {
                Message::Start(start) => {
                    if titles == [0; 5] || game % 12 == 0 {
                        assert_eq!(
                            start[6][5..10],
                            [0; 5],
                            "nobody has a title in a fresh game"
                        );
                        assert_eq!(start[5][1], 0);
                        fresh += 1;
                    } else {
                        assert_eq!(start[6][5..10], titles, "places become titles");
                        let give = [2, 1, 0, 0, 0][usize::try_from(titles[seat]).unwrap()];
                        assert_eq!(start[5][1], give);
                        let own = start[6][seat];
                        let shown =
                            i32::try_from(cells(&start[..].try_into().unwrap()).len()).unwrap();
                        assert_eq!(
                            shown,
                            own + give,
                            "the upper two have the tribute, the lower two still see it"
                        );
                    }
                    game += 1;
                }
                Message::End(end) if *end != 0 => titles = places(&seen.messages[..number]),
                Message::Answer(answer) => assert!([8, 9].contains(answer)),
                _ => {}
            }
        }
    }
    assert_eq!(fresh, 5 * 3);
    // All players receive the same messages, except for hands and data for the player to move.
    let public = |seen: &Seen| -> Vec<Message> {
        let fields = seen
            .messages
            .iter()
            .filter(|message| matches!(message, Message::Field(_) | Message::End(_)));
        fields.cloned().collect()
    };
    assert!(seen.iter().all(|other| public(other) == public(&seen[0])));
    // The answer to a play is 9 if it is on the table afterwards, and for a pass on an empty table;
    // else 8.
    for seen in &seen {
        for window in seen.messages.windows(3) {
            if let [
                Message::Turn(turn),
                Message::Answer(answer),
                Message::Field(field),
            ] = window
            {
                let actor = usize::try_from(turn[5][3]).unwrap();
                let played = turn[6][actor] != field[6][actor];
                assert_eq!(*answer, if played || turn[5][4] == 1 { 9 } else { 8 });
            }
        }
    }
}

/// Returns the places of the last game in `messages`, by player: the order in which hands became
/// empty.
fn places(messages: &[Message]) -> [i32; 5] {
    let mut places = [4; 5];
    let mut next = 0;
    let start = messages
        .iter()
        .rposition(|message| matches!(message, Message::Start(_)))
        .unwrap();
    for message in &messages[start..] {
        if let Message::Field(field) = message {
            for player in 0..5 {
                if field[6][player] == 0 && places[player] == 4 {
                    places[player] = next;
                    next += 1;
                }
            }
        }
    }
    places
}

#[test]
fn a_pass_on_an_empty_table_is_answered_as_by_the_contest_server() {
    fn passes(client: &mut Client, ask: Ask<'_>) -> std::io::Result<()> {
        match ask {
            Ask::Gift(_) => client.send(&simple_answer(ask)),
            Ask::Play(..) => client.send(&[[0; 15]; 8]),
        }
    }
    let (record, seen) = match_of([20070; 5], passes);
    assert_eq!(
        (record.deals, record.faults.len()),
        (30, 0),
        "nobody plays: twenty passes end a game"
    );
    for seen in &seen {
        let answers = seen
            .messages
            .iter()
            .filter(|message| matches!(message, Message::Answer(_)));
        assert!(
            answers.clone().all(|answer| *answer == Message::Answer(9)) && answers.count() > 30
        );
        let turns = seen
            .messages
            .iter()
            .filter(|message| matches!(message, Message::Turn(_)))
            .count();
        assert_eq!(turns, 30 * 20);
    }
}

#[test]
fn a_lone_joker_is_shown_in_the_cell_where_it_was_played() {
    /// Leads the joker whenever possible, each player in a different row.
    fn leads_joker(client: &mut Client, ask: Ask<'_>) -> std::io::Result<()> {
        let mut answer = simple_answer(ask);
        if let Ask::Play(turn, _) = ask
            && (turn[5][4], turn[4][1]) == (1, 2)
        {
            answer = [[0; 15]; 8];
            answer[usize::try_from(client.me).unwrap() % 4][6] = 2;
        }
        client.send(&answer)
    }
    for version in [20070, 20140] {
        let (record, seen) = match_of([version; 5], leads_joker);
        assert!(record.faults.is_empty(), "{:?}", record.faults);
        for seen in &seen {
            let mut leads = 0;
            let shown = seen
                .messages
                .iter()
                .filter(|message| matches!(message, Message::Turn(_) | Message::Field(_)));
            for pair in shown.collect::<Vec<_>>().windows(2) {
                if let [Message::Turn(turn), Message::Field(field)] = pair
                    && let [(row, column, 2)] = cells(field)[..]
                    && turn[5][4] == 1
                {
                    assert_eq!((row, column), (usize::try_from(turn[5][3]).unwrap() % 4, 6));
                    leads += 1;
                }
            }
            assert!(leads > 5, "{leads}");
        }
    }
}
