//! Ways to play a deal, counted on paper and by playing all of them.

use hattari_games::holdem::{Deal, Holdem, Options};
use hattari_games::poker::Limit;
use hattari_games::{Game, GameTypes, Grant};

/// All ways in which a deal can go on from here; every amount of a raise is another way.
fn count(game: &Holdem, deal: &Deal) -> u64 {
    if game.to_act(deal).is_none() {
        return 1;
    }
    let mut legal = Vec::new();
    game.legal(deal, &mut legal);
    let mut ways = 0;
    for action in legal {
        let (lowest, highest) = Holdem::amounts(&action).unwrap_or((0, 0));
        for amount in lowest..=highest {
            let mut next = deal.clone();
            game.apply(&mut next, Grant { action, amount });
            ways += count(game, &next);
        }
    }
    ways
}

fn ways(players: usize, options: Options) -> u64 {
    let game = Holdem::new(options).unwrap();
    let block = game.new_block(players, 1);
    let mut deal = game.new_deal();
    let deck: Vec<u8> = (0..52).collect();
    game.start(&block, &deck.try_into().unwrap(), &mut deal)
        .unwrap();
    count(&game, &deal)
}

/// Facing a bet with r raises left: fold, call, or raise and face r - 1, so r + 1 folds and r + 1
/// calls. After the flop a street of at most 4 bets is: bet (4 folds, 4 calls), check and bet (4
/// and 4), check and check, and two folds where a check is free: 10 ways to end the deal and 9 to
/// go on. Before the flop it is the same with the roles of the first fold and the check exchanged.
/// So the river has 19 ways, the turn 10 + 9 * 19 = 181, the flop 10 + 9 * 181 = 1,639, and
/// the deal 10 + 9 * 1,639.
#[test]
fn heads_up_fixed_limit_has_14_761_ways() {
    assert_eq!(ways(2, Options::preset("limit").unwrap()), 14_761);
}

/// With one raise a street: facing it 1 fold and 1 call; 4 ways to end a street and 3 to go on, 7,
/// 4 + 3 * 7 = 25, 4 + 3 * 25 = 79, 4 + 3 * 79.
#[test]
fn a_cap_of_one_raise_leaves_241_ways() {
    let options = Options {
        raises_max: 1,
        ..Options::preset("limit").unwrap()
    };
    assert_eq!(ways(2, options), 241);
}

/// Blinds 1 and 2 with 4 chips each: every bet is all in. After the flop a street is two folds for
/// free, two bets that are folded to, two that are called (all in), or two checks: 6 + what
/// follows; 7 on the river, 13, 19 on the flop. Before it: fold (1), raise to 4 and fold or call
/// (2), or call and then a free fold (1), a raise to 4 with its answers (2), or a check and the
/// flop (19).
#[test]
fn two_big_blinds_without_limit_have_25_ways() {
    let options = Options {
        small_blind: 1,
        big_blind: 2,
        stack: 4,
        ..Options::default()
    };
    assert_eq!(ways(2, options.clone()), 25);
    // Pot limit allows the same raises here: the pot after calling is 4, and 2 + 4 more than
    // anybody has.
    assert_eq!(
        ways(
            2,
            Options {
                limit: Limit::PotLimit,
                ..options
            }
        ),
        25
    );
}

/// Blinds 1 and 2 with 2 chips each, three players: the big blind is all in before anybody has
/// acted, so the button and the small blind fold or call (all in). Button folds: 2 ways. Button
/// calls: the small blind folds or calls, 2 ways.
#[test]
fn one_big_blind_for_three_has_4_ways() {
    let options = Options {
        small_blind: 1,
        big_blind: 2,
        stack: 2,
        ..Options::default()
    };
    assert_eq!(ways(3, options), 4);
}
