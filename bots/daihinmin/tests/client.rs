//! The sample client against recorded games, two of whose players were such clients.

use bytemuck::Zeroable;
use flate2::read::GzDecoder;
use hattari_bots_daihinmin::bots::client;
use hattari_plugin::daihinmin::card::parse_set;
use hattari_plugin::daihinmin::{Action, NONE, Options, PLAYERS, View};
use hattari_plugin::games::daihinmin::corpus::Record;
use hattari_plugin::games::daihinmin::{Daihinmin, Setup, notation};
use hattari_plugin::games::{Game, Grant};
use std::fs::File;
use std::io::{BufRead, BufReader};

/// The players of the recorded games who were sample clients.
const CLIENTS: [u8; 2] = [3, 4];

#[test]
fn it_plays_what_recorded_clients_have_played() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/uecda-games.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    // Hands are recorded as they were after the exchange.
    let game = Daihinmin::new(Options { exchange: false, ..Options::default() }).unwrap();
    let (mut block, mut deal) = (game.new_block(PLAYERS, 1), game.new_deal());
    let (mut legal, mut view) = (Vec::new(), View::zeroed());
    let (mut choices, mut alike) = (0_u32, 0_u32);
    for line in lines {
        let record: Record = serde_json::from_str(&line.unwrap()).unwrap();
        let hand = |player: u8| parse_set(&record.hands[usize::from(player)].join(" ")).unwrap();
        let setup = Setup {
            players: record.seats,
            titles: [NONE; PLAYERS],
            hands: record.seats.map(hand),
            deadlock_order: [0, 1, 2, 3, 4],
        };
        game.start(&mut block, &setup, &mut deal).unwrap();
        for turn in &record.turns {
            let seat = game.to_act(&deal).unwrap();
            assert_eq!(game.player_at(&deal, seat), usize::from(turn.player));
            game.legal(&deal, &mut legal);
            game.view(&block, &deal, seat, &mut view);
            let accepted = if turn.answer == 9 { turn.cards.as_str() } else { "-" };
            let action = match accepted {
                "-" => Action::PASS,
                cards => notation::parse_legal(cards, view.hand, deal.situation()).unwrap(),
            };
            if CLIENTS.contains(&turn.player) && legal.len() > 1 {
                choices += 1;
                let chosen = legal[client::choose(&view, &legal)];
                alike += u32::from((chosen.cells, chosen.cards) == (action.cells, action.cards));
            }
            game.apply(&mut deal, Grant { action, amount: 0 });
        }
    }
    // What differs is which of equally strong suits goes, and where the joker stands.
    assert!(choices > 6000 && f64::from(alike) >= 0.97 * f64::from(choices), "{alike} of {choices} alike");
    eprintln!("{alike} of {choices} choices alike");
}
