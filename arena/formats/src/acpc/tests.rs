//! Tests that definitions and states are parsed and written without loss, and that random deals can
//! be replayed.

use super::state::position;
use super::*;
use hattari_games::holdem::{self, Holdem, Options};
use hattari_games::poker::BetLimit;
use hattari_games::{Game, Move, chance};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const HEADS_UP: &str = "# the game of the no-limit contests
GAMEDEF
nolimit
NUMPLAYERS = 2
numRounds 4
stack=20000 20000
blind = 100 50

firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
whatever follows
";

const LIMIT: &str = "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 4\nblind = 5 10 0\nraiseSize = 10 10 20 20\nfirstPlayer = 3 1 1 1\n\
    maxRaises = 3 4 4 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n";

#[test]
fn the_competition_game_definitions_match_the_presets() {
    for (text, players, preset) in [(HEADS_UP, 2, "acpc"), (LIMIT, 3, "acpc-limit")] {
        let options = Options::preset(preset).unwrap();
        assert_eq!(parse_game(text), Ok((players, options)));
    }
    let written = write_game(&Options::preset("acpc-limit").unwrap(), 3).unwrap();
    let stacks = LIMIT.replace("blind =", "stack = 240 240 240\nblind =");
    assert_eq!(written, stacks);
}

#[test]
fn options_survive_writing_and_parsing_a_game_definition() {
    let cases = [
        Options {
            raises_max: 4,
            ..Options::default()
        },
        Options {
            raises_max_preflop: Some(2),
            ..Options::default()
        },
        Options {
            raises_max: 0,
            small_blind: 100,
            ..Options::preset("limit").unwrap()
        },
        Options {
            stack: 777,
            big_blind: 3,
            small_blind: 1,
            ..Options::default()
        },
        Options {
            stack: 900,
            stacks: vec![900, 333],
            ..Options::preset("acpc").unwrap()
        },
    ];
    for options in cases {
        for players in 2..=9 {
            let text = write_game(&options, players).unwrap();
            let (again, read) = parse_game(&text).unwrap();
            assert_eq!(again, players);
            // The format has no big bet without limit, and it implies the rules of the contest.
            let big_bet = if options.limit == BetLimit::NoLimit {
                read.big_bet
            } else {
                options.big_bet
            };
            let all_stacks = |&stack: &i64| {
                [&[stack][..], &[333], &[stack; 7]].concat()[..players.into()].to_vec()
            };
            let stacks = options.stacks.first().map(all_stacks).unwrap_or_default();
            let contest = Options::preset("acpc").unwrap();
            let rules = Options {
                free_folds: contest.free_folds,
                short_raise_reopens: contest.short_raise_reopens,
                short_raise_counts: contest.short_raise_counts,
                half_bet_counts: contest.half_bet_counts,
                big_bet,
                stacks,
                ..options.clone()
            };
            assert_eq!(read, rules);
        }
    }
    type Change = fn(&mut Options);
    let changes: [(Change, &str); 7] = [
        (
            |options| options.limit = BetLimit::PotLimit,
            "not pot limit",
        ),
        (|options| options.ante = 5, "`ante` is 5"),
        (|options| options.antes = vec![0, 5], "two blinds only"),
        (
            |options| options.posts = vec![50, 100, 200],
            "two blinds only",
        ),
        (
            |options| options.stacks = vec![900, 333],
            "any raise reopens the betting",
        ),
        (
            |options| options.stack = 1 << 31,
            "support at most 2147483647 chips",
        ),
        (|options| options.carry = true, "`carry` is true"),
    ];
    for (change, what) in changes {
        let mut options = Options::default();
        change(&mut options);
        assert!(write_game(&options, 2).unwrap_err().contains(what));
    }
}

#[test]
fn errors_in_a_game_definition_are_reported_with_their_line() {
    type Cases = &'static [(&'static str, &'static str, usize, &'static str)];
    let of_no_limit: Cases = &[
        (
            "GAMEDEF\n",
            "",
            2,
            "must begin with GAMEDEF (found `nolimit`)",
        ),
        ("END GAMEDEF\nwhatever follows\n", "", 13, "no END GAMEDEF"),
        ("numRounds 4", "numRound 4", 5, "unknown key `numRound`"),
        ("numRounds 4", "numRounds 5", 5, "numRounds = 4"),
        (
            "numRounds 4",
            "numRounds 4 4",
            5,
            "found 4 4; Hattari supports only",
        ),
        ("numRounds 4\n", "", 13, "numRounds: this key is missing"),
        (
            "numRounds 4",
            "numRounds four",
            5,
            "`four` is not an integer",
        ),
        ("numRounds 4", "numRounds -4", 5, "`-4` is not an integer"),
        (
            "numRounds 4",
            "numSuits 4",
            10,
            "numSuits is already given in line 5",
        ),
        ("nolimit", "nolimit 3", 3, "takes no number"),
        ("nolimit", "nolimit\nlimit", 4, "both limit and nolimit"),
        ("NUMPLAYERS = 2", "numPlayers = 1", 4, "2 to 9 players"),
        (
            "20000 20000",
            "20000",
            6,
            "give 2 numbers, one for each player",
        ),
        (
            "20000 20000",
            "20000 50",
            6,
            "larger than the blind of its player",
        ),
        (
            "20000 20000",
            "2147483648 20000",
            6,
            "`2147483648` is not an integer from 0 to 2147483647",
        ),
        ("stack=20000 20000\n", "", 13, "stack: this key is missing"),
        ("100 50", "50 100", 7, "for two players first the big blind"),
        ("100 50", "100 0", 7, "two blinds"),
        (
            "100 50",
            "30000 50",
            7,
            "larger than the stack of its player",
        ),
        ("2 1 1 1", "1 1 1 1", 9, "2 1 1 1 (small blind"),
        (
            "firstPlayer = 2 1 1 1\n",
            "",
            13,
            "firstPlayer: this key is missing; Hattari supports only hold'em with firstPlayer = 2 1 1 1",
        ),
        ("numSuits = 4", "numSuits = 3", 10, "numSuits = 4"),
        ("numRanks = 13", "numRanks = 12", 11, "numRanks = 13"),
        (
            "numHoleCards = 2",
            "numHoleCards = 3",
            12,
            "numHoleCards = 2",
        ),
        ("0 3 1 1", "3 0 1 1", 13, "numBoardCards = 0 3 1 1"),
        (
            "numSuits",
            "maxRaises = 4 3 4 4\nnumSuits",
            10,
            "the same in all rounds after the first",
        ),
        (
            "numSuits",
            "maxRaises = 0 4 4 4\nnumSuits",
            10,
            "a limit of 0 raises",
        ),
    ];
    let of_limit: Cases = &[
        (
            "10 10 20 20",
            "10 20 20 20",
            6,
            "raises of the big blind (10)",
        ),
        ("maxRaises = 3 4 4 4\n", "", 12, "maxRaises must limit"),
        ("numPlayers = 3", "numPlayers = 9", 5, "give 9 numbers"),
        ("numPlayers = 3", "numPlayers = 10", 3, "2 to 9 players"),
        (
            "5 10 0",
            "5 10 20",
            5,
            "first the small blind, then the big blind",
        ),
    ];
    for (game, cases) in [(HEADS_UP, of_no_limit), (LIMIT, of_limit)] {
        for &(from, to, line, what) in cases {
            let problem = parse_game(&game.replacen(from, to, 1)).unwrap_err();
            assert_eq!(
                (problem.line, problem.message.contains(what)),
                (line, true),
                "{to}: {problem}"
            );
        }
    }
    for text in ["", "\n# nothing\n"] {
        let problem = parse_game(text).unwrap_err();
        assert!(problem.message.contains("no GAMEDEF line"));
    }
}

#[test]
fn match_states_survive_parsing_and_writing() {
    for text in [
        "MATCHSTATE:0:30:cc/r250c/:9s8h|/8c8d5c/6s",
        "MATCHSTATE:2:55:rcc/rf:||AsTs/4cJh8h",
        "MATCHSTATE:1:0::|TdAs",
        "MATCHSTATE:0:4:r300r20000c///:9s8h|AcAd/2c3c4c/5d/6d",
    ] {
        assert_eq!(text.parse::<MatchState>().unwrap().to_string(), text);
    }
    for (text, what) in [
        ("MATCHSTATE:0:30:cc", "must have the form MATCHSTATE"),
        ("MATCHSTATE:x:30:cc:9s8h|", "position `x`"),
        (
            "MATCHSTATE:2:30:cc:9s8h|",
            "position 2 is out of range for 2 players",
        ),
        ("MATCHSTATE:0:-1:cc:9s8h|", "hand `-1`"),
        ("MATCHSTATE:0:1:cx:9s8h|", "invalid action at `x`"),
        ("MATCHSTATE:0:1:c5:9s8h|", "invalid action at `c5`"),
        (
            "MATCHSTATE:0:1:r99999999999999999999:9s8h|",
            "invalid action at",
        ),
        ("MATCHSTATE:0:1:cc:9s8x|", "`8x` is not a card"),
        ("MATCHSTATE:0:1:cc:9s8h|8h2c", "`8h` occurs twice"),
        ("MATCHSTATE:0:1:cc:9s8h|/9s9h9d", "`9s` occurs twice"),
    ] {
        let error = text.parse::<MatchState>().unwrap_err();
        assert!(error.contains(what), "{text}: {error}");
    }
    for text in ["", "R", "fc", "r1x", "f1", "r-5"] {
        assert!(text.parse::<StateAction>().is_err(), "{text}");
    }
    let text = "STATE:7:cc/cc/cc/r300f:9s8h|AcAd/2c3c4c/5d/6d:100|-100:a:b|c";
    assert_eq!(text.parse::<LogLine>().unwrap().names, ["a:b", "c"]);
    assert!(
        "STATE:7:f:9s8h|AcAd:1|2|-3:a|b"
            .parse::<LogLine>()
            .unwrap_err()
            .contains("3 values")
    );
}

/// Writes every deal state by state, parses and replays each, and compares the seat's view byte for
/// byte. Replaying the log line must give the same payoffs.
#[test]
fn random_deals_survive_writing_parsing_and_replaying() {
    let mut chance = ChaCha8Rng::seed_from_u64(8);
    let presets =
        ["acpc", "acpc-limit", "cash", "limit"].map(|name| Options::preset(name).unwrap());
    let short = Options {
        stack: 450,
        ..presets[0].clone()
    };
    let mut showdowns = 0;
    for options in presets.iter().chain([&short]) {
        for players in 2..=9_u8 {
            let game = Holdem::new(options.clone()).unwrap();
            let mut block = game.new_block(players.into(), 25);
            let mut deal = game.new_deal();
            for _ in 0..25 {
                game.deal(&mut block, &mut chance, &mut deal);
                showdowns += usize::from(told_and_played(&game, &block, &mut deal, &mut chance));
                let mut payoffs = vec![0; players.into()];
                let before = block.clone();
                game.finish(&mut block, &deal, &mut payoffs);
                let names: Vec<String> = (0..players)
                    .map(|seat| log_name(&format!("p|{seat}")))
                    .collect();
                let line: LogLine = log_line(&game, &deal, 3, &payoffs, &names)
                    .to_string()
                    .parse()
                    .unwrap();
                assert_eq!(
                    line.names[usize::from(position(1, deal.button, players))],
                    "p_1"
                );
                let mut again = game.new_deal();
                replay(&game, &before, &line.rounds, &line.cards, &mut again).unwrap();
                assert_eq!(
                    (&again.betting.stacks, &again.history),
                    (&deal.betting.stacks, &deal.history)
                );
            }
        }
    }
    assert!(showdowns > 100, "{showdowns}");
}

#[test]
#[should_panic(expected = "a payoff and a name for each player")]
fn a_log_line_requires_a_payoff_and_a_name_for_each_player() {
    let game = Holdem::new(Options::preset("acpc").unwrap()).unwrap();
    let mut deal = game.new_deal();
    game.deal(
        &mut game.new_block(2, 1),
        &mut ChaCha8Rng::seed_from_u64(8),
        &mut deal,
    );
    _ = log_line(&game, &deal, 3, &[100], &["one".to_owned()]);
}

/// Returns `true` if there was a showdown.
fn told_and_played(
    game: &Holdem,
    block: &holdem::Block,
    deal: &mut holdem::Deal,
    chance: &mut ChaCha8Rng,
) -> bool {
    let no_limit = game.form().limit == BetLimit::NoLimit;
    let mut writers: Vec<StateWriter> = (0..block.players)
        .map(|_| StateWriter::new(no_limit, block.players, deal.button))
        .collect();
    (0..block.players)
        .for_each(|seat| writers[usize::from(seat)].reveal(seat, deal.hands[usize::from(seat)]));
    let (mut told, mut actions) = (0, Vec::new());
    loop {
        for (seat, writer) in (0..).zip(&mut writers) {
            game.history(deal)[told..]
                .iter()
                .for_each(|event| writer.push(event));
            check_line(game, block, deal, seat, &writer.state(seat, 7).to_string());
        }
        told = deal.history.len();
        let Some(seat) = game.to_act(deal) else { break };
        game.legal(deal, &mut actions);
        let action = actions[chance::below(chance, u32::try_from(actions.len()).unwrap()) as usize];
        // Includes large raises, so that some players are all in.
        let span = u32::try_from(action.highest - action.lowest + 1).unwrap();
        let amount = action.lowest + i64::from(chance::below(chance, span));
        let amount = if action.kind == holdem::kind::RAISE {
            amount
        } else {
            0
        };
        let mut view = bytemuck::Zeroable::zeroed();
        game.view(block, deal, seat, &mut view);
        let context = DecisionContext::of_view(&view);
        let act = state_action(&action, amount, context.before, no_limit);
        let act: StateAction = act.to_string().parse().unwrap();
        assert_eq!(
            choose(&actions, act, context).map(|(index, amount)| (actions[index], amount)),
            Ok((action, amount))
        );
        game.apply(deal, Move { action, amount });
    }
    deal.shown.iter().any(|&shown| shown != 0)
}

fn check_line(game: &Holdem, block: &holdem::Block, deal: &holdem::Deal, seat: u8, line: &str) {
    let state: MatchState = line.parse().unwrap();
    assert_eq!(state.to_string(), line);
    assert_eq!(
        super::seat(state.position, deal.button, block.players),
        seat
    );
    let mut again = game.new_deal();
    replay(game, block, &state.rounds, &state.cards, &mut again)
        .unwrap_or_else(|error| panic!("{line}: {error}"));
    assert!(is_shown(&again, &state.cards), "{line}");
    assert_eq!(again.history, deal.history, "{line}");
    let views = [deal, &again].map(|deal| {
        let mut view: holdem::View = bytemuck::Zeroable::zeroed();
        game.view(block, deal, seat, &mut view);
        bytemuck::bytes_of(&view).to_vec()
    });
    assert!(views[0] == views[1], "{line}");
}

/// The competition's servers accept a raise that only calls, or that no opponent could answer. The
/// payoffs are those of a call.
#[test]
fn a_raise_that_only_matches_the_bet_is_treated_as_a_call() {
    let limit = LIMIT.replace("blind =", "stack = 55 55 55\nblind =");
    let payoffs = |text: &str, line: &str| {
        let (players, options) = parse_game(text).unwrap();
        let game = Holdem::new(options).unwrap();
        let mut block = game.new_block(players.into(), 1);
        block.memory.button = players - 1;
        let (mut deal, mut payoffs) = (game.new_deal(), vec![0; players.into()]);
        let line: LogLine = line.parse().map_err(|error: String| error)?;
        replay(&game, &block, &line.rounds, &line.cards, &mut deal)?;
        game.finish(&mut block, &deal, &mut payoffs);
        Ok::<_, String>(payoffs)
    };
    // Bets are 40 on the turn. A second raise would be to 60, but the stacks are 55, so it is a
    // call.
    let cards = "9s8h|AcAd|2c2d/3c4c5d/Js/Qh:-55|110|-55:a|b|c";
    let line = |betting: &str| format!("STATE:0:{betting}:{cards}");
    for betting in ["rrrcc/crcc/rrc/", "rrrcc/crcc/rcc/"] {
        assert_eq!(
            payoffs(&limit, &line(betting)),
            Ok(vec![-55, 110, -55]),
            "{betting}"
        );
    }
    // No player has chips left to raise.
    assert!(
        payoffs(&limit, &line("rrrcc/crcc/rrr/"))
            .unwrap_err()
            .contains("action 3 `r`: `r` is not legal; the legal actions are f, c")
    );
    // Stacks by position: 20,000 for the big blind and 300 for the button, so at most 300 can be
    // called.
    let uneven = HEADS_UP.replace("20000 20000", "20000 300");
    let line = |betting: &str| format!("STATE:0:{betting}:9s8h|AcAd/3c4c5d/Js/Qh:-300|300:a|b");
    for betting in ["r300c///", "r200r300c///", "r200r20000c///"] {
        assert_eq!(
            payoffs(&uneven, &line(betting)),
            Ok(vec![-300, 300]),
            "{betting}"
        );
    }
    assert!(payoffs(&uneven, &line("r200r150c///")).is_err());
    assert!(payoffs(&uneven, &line("r400c///")).is_err());
    // All in for 140 over 100: the minimum total of the next raise is still 200.
    let three = "GAMEDEF\nnolimit\nnumPlayers = 3\nnumRounds = 4\nstack = 20000 20000 140\nblind = 50 100 0\nfirstPlayer = 3 1 1 1\n\
        numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n";
    let line = |betting: &str| format!("STATE:0:{betting}:9s8h|AcAd|2c2d:-140|140|0:a|b|c");
    assert!(
        payoffs(three, &line("r140r200f"))
            .unwrap_err()
            .contains("round")
    );
    assert_eq!(
        payoffs(three, &line("r140r199f"))
            .unwrap_err()
            .split(';')
            .next(),
        Some("round 1, action 2 `r199`: `r199` is not legal")
    );
}

#[test]
fn impossible_match_states_are_rejected() {
    let game = Holdem::new(Options::preset("acpc").unwrap()).unwrap();
    let mut block = game.new_block(2, 1);
    block.memory.button = 1;
    let refused = |line: &str| {
        let state: MatchState = line.parse().unwrap();
        replay(
            &game,
            &block,
            &state.rounds,
            &state.cards,
            &mut game.new_deal(),
        )
        .unwrap_err()
    };
    for (line, what) in [
        ("MATCHSTATE:0:0:f:9s8h|:", "the line must have the form"),
        (
            "MATCHSTATE:0:0:fc:9s8h|",
            "round 1, action 2 `c`: the hand is over",
        ),
        (
            "MATCHSTATE:0:0:cf:9s8h|",
            "action 2 `f`: `f` is not legal; the legal actions are c, r200 to r20000",
        ),
        (
            "MATCHSTATE:0:0:r150:9s8h|",
            "`r150` is not legal; the legal actions are f, c, r200 to r20000",
        ),
        ("MATCHSTATE:0:0:r:9s8h|", "`r` is not legal"),
        (
            "MATCHSTATE:0:0:cc/r100:9s8h|/2c3c4c",
            "the legal actions are c, r200 to r20000",
        ),
        (
            "MATCHSTATE:0:0:c/:9s8h|/2c3c4c",
            "the betting has 2 rounds instead of 1",
        ),
        (
            "MATCHSTATE:0:0:c/c:9s8h|/2c3c4c",
            "round 2, action 1 `c`: the current round is round 1",
        ),
        ("MATCHSTATE:0:0:cc/:9s8h|/2c3c", "have [2] board cards"),
        ("MATCHSTATE:0:0:cc/:9s8h|", "have [] board cards"),
        ("MATCHSTATE:0:0::9s|", "a hand has 1 cards"),
        (
            "MATCHSTATE:0:0::9s8h||",
            "3 hands, but the game has 2 players",
        ),
    ] {
        let error = line
            .parse::<MatchState>()
            .map_or_else(|error| error, |_| refused(line));
        assert!(error.contains(what), "{line}: {error}");
    }
}

/// Checks that any input is either rejected, or parsed, written unchanged and replayed without a
/// panic.
#[test]
fn damaged_text_never_panics() {
    let states = [
        "MATCHSTATE:0:30:cc/r250c/:9s8h|/8c8d5c/6s",
        "MATCHSTATE:1:4:r300r20000c///:9s8h|AcAd/2c3c4c/5d/6d",
        "STATE:7:cc/cc/cc/r300f:9s8h|AcAd/2c3c4c/5d/6d:100|-100:a|b",
    ];
    let texts = [&states[..], &[HEADS_UP, LIMIT]].concat();
    let game = Holdem::new(Options::preset("acpc").unwrap()).unwrap();
    let mut block = game.new_block(2, 1);
    block.memory.button = 1;
    let mut deal = game.new_deal();
    let mut chance = ChaCha8Rng::seed_from_u64(9);
    let mut below = |end: usize| chance::below(&mut chance, u32::try_from(end).unwrap()) as usize;
    let mut played = 0;
    for _ in 0..20_000 {
        let mut bytes = texts[below(texts.len())].as_bytes().to_vec();
        for _ in 0..=below(3) {
            if bytes.is_empty() {
                break;
            }
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = b"0123456789:/|rcfASKTdhs\n =-\xff"[below(28)],
                1 => _ = bytes.remove(at),
                2 => bytes.insert(at, b"0123456789:/|rcf9h"[below(18)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok((players, options)) = parse_game(&text) {
            let written = write_game(&options, players).unwrap();
            assert_eq!(parse_game(&written), Ok((players, options)));
        }
        if let Ok(state) = text.parse::<MatchState>() {
            let again: MatchState = state.to_string().parse().unwrap();
            assert_eq!(again, state);
            played +=
                usize::from(replay(&game, &block, &state.rounds, &state.cards, &mut deal).is_ok());
        }
        if let Ok(line) = text.parse::<LogLine>() {
            assert_eq!(line.to_string().parse::<LogLine>().unwrap(), line);
            _ = replay(&game, &block, &line.rounds, &line.cards, &mut deal);
        }
    }
    assert!(played > 100, "{played}");
}
