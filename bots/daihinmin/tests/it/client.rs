//! Compares the bot `client` with recorded games in which two players were sample clients.

use crate::support::{Position, lead, on};
use bytemuck::Zeroable;
use flate2::read::GzDecoder;
use hattari_bots_daihinmin::bots::client;
use hattari_plugin::daihinmin::{Options, PLAYERS, View};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::corpus::{CorpusRecord, replay_observed};
use hattari_plugin::games::daihinmin::{Block, Daihinmin, Deal};
use std::fs::File;
use std::io::{BufRead, BufReader};

/// The players of the recorded games that were sample clients. No other player has a similar
/// agreement.
const CLIENTS: [usize; 2] = [3, 4];

/// Decisions of a player with more than one legal action, including gifts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Decisions {
    plays: u32,
    gifts: u32,
    /// Text about each decision in which the bot differs.
    different: Vec<String>,
}

fn decisions() -> [Decisions; PLAYERS] {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/uecda-games.jsonl.gz"
    );
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let game = Daihinmin::new(Options::default()).unwrap();
    let (block, mut view) = (Block::new(0), View::zeroed());
    let mut players: [Decisions; PLAYERS] = Default::default();
    for (number, line) in (1..).zip(lines) {
        let record: CorpusRecord = serde_json::from_str(&line.unwrap()).unwrap();
        let replay = replay_observed(&game, &record, &mut |deal: &Deal, legal, done| {
            if legal.len() < 2 {
                return;
            }
            let seat = game.to_act(deal).unwrap();
            game.view(&block, deal, seat, &mut view);
            let decisions = &mut players[game.player_at(deal, seat)];
            *(if view.give == 0 {
                &mut decisions.plays
            } else {
                &mut decisions.gifts
            }) += 1;
            let chosen = legal[client::choose(&view, legal)];
            if (chosen.cells, chosen.cards) != (done.cells, done.cards) {
                decisions.different.push(format!(
                    "game {number}: {done}, not {chosen}, on {}",
                    view.table
                ));
            }
        });
        assert!(replay.mismatches.is_empty(), "{:?}", replay.mismatches);
    }
    players
}

#[test]
fn the_client_bot_reproduces_every_decision_of_recorded_clients() {
    let players = decisions();
    for (
        player,
        Decisions {
            plays,
            gifts,
            different,
        },
    ) in players.iter().enumerate()
    {
        let (all, different_ones) = (plays + gifts, different.len());
        eprintln!("player {player}: {plays} plays, {gifts} gifts, {different_ones} different");
        if CLIENTS.contains(&player) {
            assert_eq!(different, &Vec::<String>::new(), "player {player}");
        } else {
            assert!(
                different_ones * 5 > all as usize,
                "player {player} seems to be a sample client too"
            );
        }
    }
    let counts = CLIENTS.map(|player| (players[player].plays, players[player].gifts));
    assert_eq!(counts, [(4121, 83), (4230, 95)]);
}

#[track_caller]
fn check(position: &Position, expected: &str) {
    assert_eq!(position.answer(client::choose), expected);
}

#[test]
fn the_client_bot_leads_its_longest_play_including_the_joker() {
    check(&lead("S3 H5 H6 H7 H8 D9 C9"), "H5 H6 H7 H8");
    check(&lead("H5 H6 D9 C9 JK"), "JK=H4 H5 H6");
    check(&lead("H5 HQ DQ CQ D9 C9 JK"), "JK=SQ HQ DQ CQ");
    check(&lead("S5 H5 D5 C5 S9 JK"), "S5 H5 D5 C5 JK");
    check(&lead("H3 D3 CK"), "H3 D3");
    check(&lead("C4 H4 S5"), "H4 C4");
    check(&lead("JK"), "JK");
    // In a revolution the strongest rank is the weakest. The joker is placed one rank below the
    // cards.
    check(&lead("S3 S4 S5 D9 DT DJ").revolution(), "D9 DT DJ");
    check(&lead("S9 ST SJ D9 DT DJ").revolution(), "D9 DT DJ");
    check(&lead("S3 D5 D6 HK JK").revolution(), "JK=D4 D5 D6");
}

#[test]
fn the_client_bot_follows_without_breaking_groups() {
    check(&on("S5", "H6 C6 D9"), "D9");
    check(&on("S5", "H6 C6 D9 DT DJ"), "-");
    check(&on("S5", "H6 C6 JK"), "JK");
    check(&on("S9", "H3 HT HA").own().passed(&[1, 2, 3, 4]), "HT");
    check(&on("S5 H5", "S6 H6 D6 H9 C9"), "H9 C9");
    check(&on("S5 H5", "S6 H6 D6"), "-");
    check(&on("S5 H5", "S6 H6 D6 C8 JK"), "JK=S8 C8");
    check(&on("JK", "S3 H9"), "-");
}

#[test]
fn under_a_lock_the_client_bot_breaks_groups_for_allowed_suits() {
    check(&on("H5 D5", "S6 H6 D6 H9 D9").locked(), "H6 D6");
    check(&on("H5 D5", "S6 D6 C6 JK").locked(), "JK=H6 D6");
    check(&on("H5", "H6 D6 H9").locked(), "H9");
}

#[test]
fn the_client_bot_follows_a_sequence_with_the_end_of_a_run() {
    check(&on("H5 H6 H7", "H9 HT HJ HQ HK"), "HJ HQ HK");
    check(&on("H5 H6 H7", "S8 S9 D8 D9 DT"), "D8 D9 DT");
    check(&on("H5 H6 H7", "S9 ST JK"), "JK=S8 S9 ST");
    check(&on("H5 H6 H7", "S9 SJ JK"), "S9 JK=ST SJ");
    // The client only considers the lowest sequence, which the seven on the table forbids.
    check(&on("H5 H6 H7", "S8 S9 DJ DQ JK"), "-");
    check(&on("H9 HT HJ", "S4 S5 S6 S7").revolution(), "S5 S6 S7");
    check(&on("H9 HT HJ", "S7 S8 JK").revolution(), "JK=S6 S7 S8");
}
