//! Tests of the bots in play, without a host.

use crate::support::{self, view};
use hattari_bots_bridge::bots::cheap;
use hattari_bots_bridge::bots::pimc::{self, Config, Pimc};
use hattari_bots_bridge::reason::{self, Reasoning};
use hattari_bots_bridge::rules::Rules;
use hattari_bots_bridge::worlds::Worlds;
use hattari_double_dummy::Engine;
use hattari_games::Game;
use hattari_games::bridge::{Board, Bridge, CardSet, Options};
use hattari_plugin::bridge::{Block, Bot, Turn, card_of};
use hattari_plugin::{NoConfig, Rng, Uniform};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Plays a deal with these choices and returns the tricks of declarer's side.
fn play(game: &Bridge, board: &mut Board, mut choose: impl FnMut(&Turn) -> usize) -> u8 {
    while let Some(seat) = game.to_act(board) {
        let legal = game.legal_actions(board);
        let view = view(game, board, seat);
        let index = if legal.len() == 1 {
            0
        } else {
            choose(&Turn::new(&view, game.history(board), &legal))
        };
        game.apply(board, legal[index].into());
    }
    board.tricks_won()[game.contract().declarer as usize % 2]
}

fn dealt(options: Options, seed: u64) -> (Bridge, Board) {
    let game = Bridge::new(options).unwrap();
    let mut board = game.new_deal();
    game.deal(
        &mut game.new_block(4, 1),
        &mut ChaCha8Rng::seed_from_u64(seed),
        &mut board,
    );
    (game, board)
}

/// At every decision of many deals, sampled worlds contain the required cards and the true deal is
/// possible.
#[test]
fn sampled_deals_are_consistent_with_the_view() {
    let mut rng = Rng::new(1);
    for seed in 0..30 {
        let (game, mut board) = dealt(Options::default(), seed);
        let holdings = game.setup().holdings;
        let mut random = Rng::new(seed);
        while let Some(seat) = game.to_act(&board) {
            let view = view(&game, &board, seat);
            let rules = Rules {
                hcp: true,
                ..Rules::NONE
            };
            let mut worlds = Worlds::of(&view, &holdings, rules);
            for _ in 0..3 {
                let hands = worlds.draw(&mut rng).expect("the true deal is one");
                assert_eq!(hands.map(CardSet::len), board.hands().map(CardSet::len));
                let all = |hands: &[CardSet; 4]| hands.iter().fold(0, |all, hand| all | hand.0);
                assert_eq!(all(&hands), all(board.hands()));
                assert_eq!(hands[usize::from(seat)], board.hands()[usize::from(seat)]);
                for (seat, holding) in holdings.iter().enumerate() {
                    assert!(
                        holding.fits(CardSet(hands[seat].0 | view.played[seat])),
                        "the calls hold"
                    );
                }
            }
            let legal = game.legal_actions(&board);
            let action = legal[random.index(legal.len())];
            game.apply(&mut board, action.into());
        }
    }
}

/// A seat that has not followed suit has no card of the suit in any sampled deal.
#[test]
fn sampled_deals_respect_known_voids() {
    let deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    let options = Options {
        deals: vec![deal.into()],
        ..Options::preset("random").unwrap()
    };
    let (game, mut board) = dealt(options, 1);
    let any = [hattari_games::bridge::HandConstraints::default(); 4];
    for _ in 0..4 {
        let action = game.legal_actions(&board)[0];
        game.apply(&mut board, action.into());
    }
    // West has led a club to which nobody could follow, so all remaining clubs are West's.
    let view = view(&game, &board, 1);
    let hands = Worlds::of(&view, &any, Rules::NONE)
        .draw(&mut Rng::new(1))
        .unwrap();
    assert_eq!(hands[3], board.hands()[3]);
    assert_eq!(
        hands,
        *board.hands(),
        "South's diamonds are all that is left"
    );
}

#[test]
fn the_number_of_samples_grows_as_fewer_cards_remain() {
    let samples = |samples_max, solves_from| {
        let config = Config {
            samples: 8,
            samples_max,
            solves_from,
            ..Config::default()
        };
        move |played_count| {
            let view = hattari_plugin::bridge::View {
                played_count,
                ..hattari_plugin::blank()
            };
            config.reasoning().samples_for(&view)
        }
    };
    assert_eq!(
        [0, 7, 8, 11, 12, 16, 20, 51].map(samples(50, 11)),
        [8, 8, 8, 8, 16, 32, 50, 50]
    );
    let solves_from = Config::default().solves_from;
    assert_eq!([0, 20, 51].map(samples(5, solves_from)), [8, 8, 8]);
}

/// Deals for which only the success of the contract is computed give the same result as fully
/// solved deals. Tricks are counted in the others.
#[test]
fn contract_results_do_not_depend_on_exact_trick_counts() {
    let (game, mut board) = dealt(Options::default(), 3);
    let holdings = game.setup().holdings;
    let (mut seen, mut rng) = (0, Rng::new(1));
    while let Some(seat) = game.to_act(&board) {
        let legal = game.legal_actions(&board);
        let view = view(&game, &board, seat);
        let cards: Vec<_> = legal.iter().map(card_of).collect();
        if 24 <= view.played_count && cards.len() > 1 {
            let judge = |exact, samples| {
                let reasoning = Reasoning {
                    samples,
                    exact,
                    ..Reasoning::default()
                };
                let mut tools = pimc::tools(Engine::Own, 4, Rng::new(seen)).unwrap();
                reason::judge(&view, &cards, &reasoning, &holdings, &mut tools, false).unwrap()
            };
            let (all, some, first) = (judge(0, 12), judge(5, 12), judge(0, 5));
            for ((all, some), first) in all.iter().zip(&some).zip(&first) {
                assert_eq!((all.made, first.tricks), (some.made, some.tricks));
            }
            seen += 1;
        }
        let action = legal[rng.index(legal.len())];
        game.apply(&mut board, action.into());
    }
    assert!(seen > 5);
}

fn player(options: &Options, config: Config, seed: u64) -> Pimc {
    Pimc::new(config, &Block::new(4, 0, 1, seed, options)).unwrap()
}

/// The example of the paper on misleading defenders: double-dummy reasoning plays the queen.
#[test]
fn double_dummy_play_wins_with_the_queen() {
    let options = support::example();
    let (game, board) = dealt(options.clone(), 1);
    let legal = game.legal_actions(&board);
    let view = view(&game, &board, 3);
    for win in [true, false] {
        let config = Config {
            win,
            samples: 12,
            solves_from: 13,
            ..Config::default()
        };
        let mut bot = player(&options, config, 1);
        let choice = bot.act(&Turn::new(&view, game.history(&board), &legal));
        assert_eq!(card_of(&legal[choice]).to_string(), "SQ", "win: {win}");
    }
}

/// Against rule-of-thumb defenders, every declarer beats the random bot, and the solver beats the
/// rule of thumb.
#[test]
fn stronger_declarers_take_more_tricks() {
    use hattari_plugin::Player;
    let (mut tricks, deals) = ([0; 3], 16);
    for seed in 0..deals {
        let options = Options::default();
        let (game, board) = dealt(options.clone(), seed);
        for (declarer, tricks) in tricks.iter_mut().enumerate() {
            let mut random =
                Uniform::new(NoConfig {}, &Block::new(4, 1, 1, seed, &options)).unwrap();
            let mut solver = player(
                &options,
                Config {
                    samples: 6,
                    win: false,
                    ..Config::default()
                },
                seed,
            );
            *tricks += u32::from(play(&game, &mut board.clone(), |turn| {
                match (turn.view().seat == turn.view().declarer, declarer) {
                    (true, 0) => random.choose(turn).action,
                    // The solver is slow in the first tricks, so the rule of thumb plays them.
                    (true, 2) if 16 <= turn.view().played_count => solver.act(turn),
                    _ => cheap::choose(turn.view(), turn.legal()),
                }
            }));
        }
    }
    let [random, cheap, pimc] = tricks;
    assert!(
        random < cheap && cheap < pimc,
        "{tricks:?} tricks in {deals} deals"
    );
}

/// The cards of a script are played in order, and the rest of the play is unchanged.
#[test]
fn scripted_cards_are_played_in_order() {
    let options = support::example();
    let (game, mut board) = dealt(options.clone(), 1);
    let script = Config {
        script: "SA D5 DA CQ".into(),
        samples: 1,
        solves_from: 1,
        ..Config::default()
    };
    let mut declarer = player(&options, script, 1);
    let mut defender = player(
        &options,
        Config {
            samples: 1,
            solves_from: 1,
            ..Config::default()
        },
        2,
    );
    play(&game, &mut board, |turn| {
        if turn.view().seat == turn.view().declarer {
            declarer.act(turn)
        } else {
            defender.act(turn)
        }
    });
    let cards: Vec<String> = game
        .history(&board)
        .iter()
        .filter(|event| event.kind == 2)
        .map(|event| game.line(event).to_string())
        .collect();
    for (place, card) in [
        (3, "seat 4 plays A♠"),
        (4, "seat 4 plays 5♦"),
        (6, "seat 2 plays A♦"),
        (8, "seat 2 plays Q♣"),
    ] {
        assert!(cards[place].starts_with(card), "{}", cards[place]);
    }
}

#[test]
fn invalid_configs_are_rejected() {
    for (change, words) in [
        (
            (|config| config.samples = 0) as fn(&mut Config),
            "`samples` is 0",
        ),
        (|config| config.solves_from = 0, "`solves_from` is 0"),
        (|config| config.memory_mib = 0, "`memory_mib` is 0"),
        (
            |config| config.script = "SA XX".into(),
            "`script`: `XX` is not a card",
        ),
    ] {
        let mut config = Config::default();
        change(&mut config);
        assert!(Pimc::check(&config).unwrap_err().contains(words), "{words}");
    }
    assert_eq!(Pimc::check(&Config::default()), Ok(()));
}
