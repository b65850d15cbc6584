//! Games of clients that are no longer available: replayed and exported as they were played.

use super::client::{Ask, Client, Message, Seen, Table, cells, simple_answer};
use super::leagues::{comers, joining, league};
use crate::support::page::{games, parse};
use crate::support::{Folder, JsonPart, Port, has, killed_again_and_again};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::hash::{BuildHasher, RandomState};

/// Plays like the simple client, with passes at random times.
fn moody(client: &mut Client, ask: Ask<'_>) -> std::io::Result<()> {
    let mut answer = simple_answer(ask);
    let is_lead =
        matches!(ask, Ask::Gift(_)) || matches!(ask, Ask::Play(turn, _) if turn[5][4] == 1);
    if !is_lead && RandomState::new().hash_one(0).is_multiple_of(3) {
        answer = [[0; 15]; 8];
    }
    client.send(&answer)
}

/// A game: the acting player and the cards on the table for each turn.
type Game = Vec<(i32, Vec<(usize, usize, i32)>)>;

/// Returns all games that a client has seen.
fn games_seen(seen: &Seen) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for message in &seen.messages {
        match message {
            Message::Start(_) => games.push(Vec::new()),
            Message::Field(field) => games.last_mut().unwrap().push((field[5][3], cells(field))),
            _ => {}
        }
    }
    renumbered(games)
}

/// Numbers the players of a match in the order of their first turns. Clients see numbers that are
/// drawn for every match; exports number players in the order of the line-up.
fn renumbered(mut games: Vec<Game>) -> Vec<Game> {
    let mut numbers = Vec::new();
    for (player, _) in games.iter_mut().flatten() {
        if !numbers.contains(player) {
            numbers.push(*player);
        }
        let number = numbers.iter().position(|number| number == player).unwrap();
        *player = i32::try_from(number).unwrap();
    }
    games
}

/// Returns the exported games.
fn games_told(lines: &str) -> Vec<Game> {
    let game = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        let mut lying = Vec::new();
        let turns = game["turns"].list().iter().map(|turn| {
            let (cards, answer) = (turn[1].text(), turn[2].natural());
            if turn[3] == 1 {
                lying = Vec::new();
            }
            if cards != "-" && answer == 9 {
                lying = on_table(cards);
            }
            (
                i32::try_from(turn[0].as_i64().unwrap()).unwrap(),
                lying.clone(),
            )
        });
        turns.collect()
    };
    renumbered(lines.lines().map(game).collect())
}

/// Returns the cells of a play: `S7 JK=C7` is the seven of spades and the joker as the seven of
/// clubs.
fn on_table(cards: &str) -> Vec<(usize, usize, i32)> {
    let mut table: Table = [[0; 15]; 8];
    for card in cards.split(' ') {
        let (number, place) = card
            .strip_prefix("JK=")
            .map_or((1, card), |place| (2, place));
        if card == "JK" {
            table[0][14] = 2;
            continue;
        }
        let row = "SHDC".find(&place[..1]).unwrap();
        let column = "<3456789TJQKA2>".find(&place[1..]).unwrap();
        table[row][column] = number;
    }
    cells(&table)
}

#[test]
fn games_of_a_disconnected_client_are_exported_as_played() {
    let folder = Folder::new();
    let port = Port::free();
    let comer = format!("{{name: comer, kind: uecda, listen: {port}}}");
    let entrants = format!("all-k, base, {comer}, single, all-s");
    league(&folder, "x.yaml", &entrants, "blocks: 12\ndeals: 8");
    let (kills, seen) = comers(&port, moody, || {
        killed_again_and_again(folder.root(), "run x.yaml --quiet", 150)
    });
    assert!(kills > 0);
    let matches: Vec<_> = seen
        .iter()
        .filter(|seen| seen.whole)
        .map(games_seen)
        .collect();
    assert!(matches.len() >= 12, "{}", matches.len());

    // Every block is one of the matches that the client has seen, each a different one.
    let mut met = Vec::new();
    for block in 0..12 {
        let block = block.to_string();
        let told = folder.succeeds(format!("export corpus x.yaml --block {block}"));
        let told = games_told(&told.never_says("differs from the stored record").out);
        let found = matches.iter().position(|seen| *seen == told);
        met.push(found.unwrap_or_else(|| panic!("block {block} is no match that was played")));
    }
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 12);
    folder.succeeds("export corpus x.yaml -o all.jsonl");
    folder.succeeds("verify all.jsonl");

    // A replay gives the same game, and the page shows it as well.
    let one = folder
        .succeeds("replay x.yaml --block 7 --game 3 --json")
        .json();
    assert_eq!(one["store"]["comparison"], "same");
    assert_eq!(one["is_recorded"], true);
    let told = folder
        .succeeds("export corpus x.yaml --block 7 --game 3")
        .out;
    let told: Value = serde_json::from_str(&told).unwrap();
    let turns = told["turns"].list().len();
    let moves = one["moves"].list();
    let gifts = moves.iter().filter(|made| made["after"].is_string());
    assert_eq!(moves.len() - gifts.count(), turns);
    folder.succeeds("report x.yaml --html").never_says("warn");
    let page = folder.read("x.html");
    let shown = games(&parse(&page));
    assert!(shown.len() >= 3, "{}", shown.len());

    let bytes = |sql: &str| -> i64 {
        Connection::open(folder.path("x.sqlite"))
            .unwrap()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    };
    let kept = bytes("SELECT sum(length(packed)) FROM answers") / (12 * 8);
    println!("{kept} bytes a game are kept");
    assert!(kept < 100, "{kept} bytes a game");
}

#[test]
fn showing_recorded_games_starts_no_client() {
    let folder = Folder::new().trusting();
    let guest = joining("all-k", "").replacen(
        "command: [",
        "command: [sh, -c, 'echo >> started; exec \"$@\"', sh, ",
        1,
    );
    let entrants = format!("default, base, single, all-s, {guest}");
    league(&folder, "x.yaml", &entrants, "blocks: 2\ndeals: 10");
    let started =
        || fs::read_to_string(folder.path("started")).map_or(0, |text| text.lines().count());
    folder.refuses(
        "replay x.yaml",
        "Programs (`all-k`) may play differently each time",
    );
    folder.succeeds("run x.yaml --jobs 1 --no-report");
    let (once, game) = (started(), ["--block", "1", "--game", "3"]);
    assert!(once > 0);
    let show = || {
        let replay = folder.succeeds(("replay x.yaml", &game));
        let export = folder.succeeds("export corpus x.yaml");
        let page = folder.succeeds(("replay x.yaml --html", &game));
        folder.succeeds("report x.yaml --html");
        assert_eq!(started(), once, "nobody was started");
        [replay, export, page]
    };
    let [replay, ..] = show();
    replay.says("the replayed block equals the stored record");
    let page = folder.read("x-0-1-3.html");
    has(&page, "replayed from the recorded answers of its bots");
    assert!(!games(&parse(&folder.read("x.html"))).is_empty());

    // After a change of the league, the recorded answers are no longer used.
    let text = folder.read("x.yaml");
    folder.write("x.yaml", text.replace("seed: 5", "seed: 6"));
    folder.refuses(
        "replay x.yaml",
        "the store belongs to another league: seed: 6 in the league, 5 in the store",
    );
    folder.write("x.yaml", text);
}
