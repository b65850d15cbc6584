//! The bots at the table, without a host.

use hattari_bots_bridge::bots::pimc::{Aim, Config, Pimc};
use hattari_bots_bridge::bots::{cheap, random::Random};
use hattari_bots_bridge::worlds::{Worlds, holdings};
use hattari_games::bridge::{Board, Bridge, CardSet, Options, Seat, View};
use hattari_games::{Game, Grant};
use hattari_plugin::bridge::{Block, Bot, Turn, card_of};
use hattari_plugin::{NoConfig, Rng};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const REAL: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";

fn view(game: &Bridge, board: &Board, seat: u8) -> View {
    let mut view: View = bytemuck::Zeroable::zeroed();
    game.view(&game.new_block(4, 1), board, seat, &mut view);
    view
}

/// Plays a deal out with these choices; the tricks of declarer's side.
fn play(game: &Bridge, board: &mut Board, mut choose: impl FnMut(&Turn) -> usize) -> u8 {
    let mut legal = Vec::new();
    while let Some(seat) = game.to_act(board) {
        game.legal(board, &mut legal);
        let view = view(game, board, seat);
        let index = if legal.len() == 1 { 0 } else { choose(&Turn::new(&view, game.history(board), &legal)) };
        game.apply(board, Grant { action: legal[index], amount: 0 });
    }
    board.won()[game.contract().declarer as usize % 2]
}

fn dealt(options: Options, seed: u64) -> (Bridge, Board) {
    let game = Bridge::new(options).unwrap();
    let mut board = game.new_deal();
    game.deal(&mut game.new_block(4, 1), &mut ChaCha8Rng::seed_from_u64(seed), &mut board);
    (game, board)
}

/// At every decision of many deals sampled worlds hold the cards that are to be held, and the true deal is possible.
#[test]
fn sampled_deals_agree_with_what_is_seen() {
    let mut rng = Rng::new(1);
    for seed in 0..30 {
        let (game, mut board) = dealt(Options::default(), seed);
        let holdings = holdings(game.options(), Seat::South);
        let mut random = Rng::new(seed);
        let mut legal = Vec::new();
        while let Some(seat) = game.to_act(&board) {
            let view = view(&game, &board, seat);
            let mut worlds = Worlds::of(&view, &holdings);
            for _ in 0..3 {
                let hands = worlds.draw(&mut rng);
                assert_eq!(hands.map(CardSet::len), board.hands().map(CardSet::len));
                let all = |hands: &[CardSet; 4]| hands.iter().fold(0, |all, hand| all | hand.0);
                assert_eq!(all(&hands), all(board.hands()));
                assert_eq!(hands[usize::from(seat)], board.hands()[usize::from(seat)]);
                for (seat, holding) in holdings.iter().enumerate() {
                    assert!(holding.fits(CardSet(hands[seat].0 | view.played[seat])), "the calls hold");
                }
            }
            game.legal(&board, &mut legal);
            let action = legal[random.index(legal.len())];
            game.apply(&mut board, Grant { action, amount: 0 });
        }
    }
}

/// Who has not followed suit has none of it in any sampled deal.
#[test]
fn voids_are_remembered() {
    let deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    let options = Options { deals: vec![deal.into()], ..Options::preset("random").unwrap() };
    let (game, mut board) = dealt(options, 1);
    let any = [hattari_games::bridge::Holding::default(); 4];
    let mut legal = Vec::new();
    for _ in 0..4 {
        game.legal(&board, &mut legal);
        game.apply(&mut board, Grant { action: legal[0], amount: 0 });
    }
    // West has led a club to which nobody could follow; all clubs that are left are West's.
    let view = view(&game, &board, 1);
    let hands = Worlds::of(&view, &any).draw(&mut Rng::new(1));
    assert_eq!(hands[3], board.hands()[3]);
    assert_eq!(hands, *board.hands(), "South's diamonds are all that is left");
}

fn pimc(options: &Options, config: Config, seed: u64) -> Pimc {
    Pimc::new(config, &Block::new(4, 0, 1, seed, options)).unwrap()
}

/// The example of the paper on misleading defenders: whoever judges by open hands plays the queen.
#[test]
fn ordinary_play_wins_with_the_queen() {
    let options = Options {
        dealer: Seat::West,
        deals: vec![REAL.into()],
        played: "S7 S2 SJ".into(),
        ..Options::preset("3nt").unwrap()
    };
    let (game, board) = dealt(options.clone(), 1);
    let mut legal = Vec::new();
    game.legal(&board, &mut legal);
    let view = view(&game, &board, 3);
    for aim in [Aim::Contract, Aim::Tricks] {
        let mut bot = pimc(&options, Config { aim, samples: 12, ..Config::default() }, 1);
        let choice = bot.act(&Turn::new(&view, game.history(&board), &legal));
        assert_eq!(card_of(&legal[choice]).to_string(), "SQ", "{aim:?}");
    }
}

/// Against defenders by rule of thumb every declarer does better than chance, the solver better than the rule of thumb.
#[test]
fn better_bots_take_more_tricks() {
    let (mut tricks, deals) = ([0; 3], 16);
    for seed in 0..deals {
        let options = Options::default();
        let (game, board) = dealt(options.clone(), seed);
        for (declarer, tricks) in tricks.iter_mut().enumerate() {
            let mut random = Random::new(NoConfig {}, &Block::new(4, 1, 1, seed, &options)).unwrap();
            let mut solver = pimc(&options, Config { samples: 6, aim: Aim::Tricks, ..Config::default() }, seed);
            *tricks += u32::from(play(&game, &mut board.clone(), |turn| {
                match (turn.view().seat == turn.view().declarer, declarer) {
                    (true, 0) => random.act(turn),
                    // The first tricks take long; they are left to the rule of thumb.
                    (true, 2) if 16 <= turn.view().played_count => solver.act(turn),
                    _ => cheap::choose(turn.view(), turn.legal()),
                }
            }));
        }
    }
    let [random, cheap, pimc] = tricks;
    assert!(random < cheap && cheap < pimc, "{tricks:?} tricks in {deals} deals");
}
