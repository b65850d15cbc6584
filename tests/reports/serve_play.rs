//! Games of a person at `hattari serve`, without a browser.
#![cfg(unix)]

use super::serve::{LEAGUE, folder};
use crate::support::server::Server;
use crate::support::{JsonPart, until};
use serde_json::{Value, json};

/// Joins a game and answers every request by `choose`, which gets the offers, to the end. Returns
/// all messages that the page received.
fn sit(
    server: &Server,
    wish: &Value,
    mut choose: impl FnMut(&[Value]) -> (usize, i64),
) -> Vec<Value> {
    let made = server.post("/league/0/play", wish);
    let table = made.table();
    let mut told = Vec::new();
    for message in server.events(&format!("{table}/events")) {
        let question = &message["question"];
        let answer = match message["kind"].text() {
            "ask" => {
                let (action, amount) = choose(message["offers"].list());
                Some(json!({"question": question, "action": action, "amount": amount}))
            }
            "next" => Some(json!({"question": question})),
            _ => None,
        };
        if let Some(answer) = answer {
            let answered = server.post(&format!("{table}/answer"), &answer);
            answered.gives(200, []);
            // A repeated answer comes too late.
            assert_eq!(server.post(&format!("{table}/answer"), &answer).status, 409);
        }
        told.push(message);
    }
    // A client that reconnects receives all messages again.
    let again: Vec<Value> = server.events(&format!("{table}/events")).collect();
    assert_eq!(again, told);
    told
}

fn of_kind<'a>(told: &'a [Value], kind: &str) -> Vec<&'a Value> {
    told.iter()
        .filter(|message| message["kind"] == kind)
        .collect()
}

#[test]
fn a_user_can_play_every_game_to_the_end_and_sees_only_one_seat() {
    let leagues = [
        ("daihinmin", LEAGUE.split_once('\n').unwrap().1, 4),
        (
            "holdem",
            "seed: 5\nentrants: [honest, call, random]\nformat: {kind: line-ups, size: 3}\nblocks: 1\n",
            6,
        ),
        (
            "stud",
            "seed: 5\nentrants: [honest, call, random]\nformat: {kind: line-ups, size: 3}\nblocks: 1\n",
            6,
        ),
        (
            "bridge",
            "preset: 3nt\nseed: 5\nentrants: [random, cheap]\nformat: {kind: pairs, a: [random], b: [cheap]}\nblocks: 1\nduplicate: true\n",
            3,
        ),
    ];
    for (game, text, games) in leagues {
        let folder = folder(&[("x.yaml", &format!("game: {game}\n{text}"))]);
        let server = Server::start(folder.root(), "x.yaml");
        // A mix of first and last choices; amounts in the middle.
        let play = |wish: &Value| {
            let mut turn = 0;
            sit(&server, wish, |offers: &[Value]| {
                turn += 1;
                let action = if turn % 3 == 0 { 0 } else { offers.len() - 1 };
                let range = &offers[action]["range"];
                let middle = |low: i64| (low + range[1].as_i64().unwrap()) / 2;
                (action, range[0].as_i64().map_or(0, middle))
            })
        };
        let wish = json!({"line_up": 0, "place": 1, "games": games, "seed": 77});
        let told = play(&wish);
        let deals = of_kind(&told, "deal");
        assert_eq!(
            (deals.len(), of_kind(&told, "end").len()),
            (games, games),
            "{game}"
        );
        assert_eq!(told.last().unwrap()["kind"], "done");
        assert!(
            of_kind(&told, "ask").len() >= games && of_kind(&told, "fault").is_empty(),
            "{game}"
        );
        let mut state = Value::Null;
        let mut seat = 0;
        for message in &told {
            match message["kind"].text() {
                "deal" => {
                    state = message["state"].clone();
                    seat = message["seat"].natural();
                    let name = &message["names"][usize::try_from(seat).unwrap()];
                    assert_eq!(name, "You");
                }
                "step" => super::html::apply_patch(&mut state, &message["patch"]),
                _ => continue,
            }
            let own: Vec<&String> = state["own"].as_object().unwrap().keys().collect();
            assert_eq!(
                own,
                [&seat.to_string()],
                "{game}: a person is shown one hand"
            );
        }
        if game == "daihinmin" {
            let gifts = of_kind(&told, "ask")
                .into_iter()
                .filter(|message| message["offers"][0]["words"].text().starts_with("Give"));
            let all = of_kind(&told, "step").len();
            assert!(all > 50, "{all} steps");
            let texts = told
                .iter()
                .map(|message| message["text"].to_string())
                .collect::<String>();
            assert!(
                texts.contains("\"You pass\"") && !texts.contains("You passes"),
                "the person is addressed"
            );
            // The person has a title after the first game, and gives or receives cards in a later
            // one.
            let texts = told.iter().map(Value::to_string).collect::<String>();
            assert!(
                gifts.count() > 0 || texts.contains("was given"),
                "no exchange"
            );
        }
        // The same seed, cards and answers give the same games.
        assert_eq!(told, play(&wish), "{game}");
    }
}

#[test]
fn unwatched_tables_are_removed_for_new_ones() {
    let folder = folder(&[("x.yaml", LEAGUE)]);
    let server = Server::start(folder.root(), "x.yaml");
    let watched = |_| {
        let table = server.join().table();
        let mut events = server.events(&format!("{table}/events"));
        events.next().unwrap();
        (table, events)
    };
    let mut tables: Vec<_> = (0..16).map(watched).collect();
    // All tables are watched: there is no room.
    server
        .join()
        .gives(503, ["all 16 tables are in use", "try again"]);
    // Then only one is watched: it stays, and another is removed.
    let (first, _looked_at) = tables.remove(0);
    let others: Vec<String> = tables.into_iter().map(|(table, _)| table).collect();
    until("a table gives way", || {
        Some(server.join()).filter(|answer| answer.status == 200)
    });
    let is_there = |table: &str| {
        let left = server.post(&format!("{table}/leave"), &json!({}));
        left.status == 200
    };
    assert!(is_there(&first));
    assert!(!others.iter().all(|table| is_there(table)));
}

#[test]
fn invalid_requests_are_refused_and_faults_of_bots_are_reported() {
    let lua = "return { act = function(view, legal) error('no idea') end }";
    let league = LEAGUE.replace("all]", "{name: lost, bot: lost.lua}]");
    let folder = folder(&[("x.yaml", &league), ("lost.lua", lua)]);
    let server = Server::start(folder.root(), "x.yaml");
    for (wish, why) in [
        (json!({"line_up": 9, "place": 0}), "no line-up 9"),
        (json!({"line_up": 0, "place": 5}), "no place 5"),
        (
            json!({"line_up": 0, "place": 0, "games": 0}),
            "from 1 to 1000",
        ),
    ] {
        server.post("/league/0/play", &wish).gives(400, why);
    }
    let told = sit(
        &server,
        &json!({"line_up": 0, "place": 0, "games": 2}),
        |_| (0, 0),
    );
    let faults = of_kind(&told, "fault");
    // The message could show the bot's cards.
    assert!(!faults.is_empty() && faults[0]["text"] == "Fault of lost: error");

    // If a person leaves, the table ends. Errors are reported.
    let table = server.join().table();
    let mut told = Vec::new();
    for message in server.events(&format!("{table}/events")) {
        if message["kind"] == "ask" {
            let question = &message["question"];
            for (path, body, status) in [
                ("answer", json!({"question": question, "action": 9999}), 400),
                ("answer", json!({"question": question}), 400),
                ("answer", json!({"question": 9999, "action": 0}), 409),
                ("leave", json!({}), 200),
            ] {
                server
                    .post(&format!("{table}/{path}"), &body)
                    .gives(status, []);
            }
        }
        told.push(message["kind"].clone());
    }
    // The page receives no moves of the rules and no result.
    assert!(told.ends_with(&["ask".into(), "broken".into()]), "{told:?}");
}
