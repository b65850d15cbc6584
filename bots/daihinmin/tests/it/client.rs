//! Compares the bot `client` with recorded games in which two players were sample clients.

use flate2::read::GzDecoder;
use hattari_bots_daihinmin::bots::client;
use hattari_plugin::daihinmin::{Options, PLAYERS};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::corpus::{CorpusRecord, replay_observed};
use hattari_plugin::games::daihinmin::{Block, Daihinmin, Deal, Memory};
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
    let block = Block::new(5, 0, Memory::default());
    let mut players: [Decisions; PLAYERS] = Default::default();
    for (number, line) in (1..).zip(lines) {
        let record: CorpusRecord = serde_json::from_str(&line.unwrap()).unwrap();
        let replay = replay_observed(&game, &record, &mut |deal: &Deal, legal, done| {
            if legal.len() < 2 {
                return;
            }
            let seat = game.to_act(deal).unwrap();
            let view = game.view_of(&block, deal, seat);
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
