//! The number of ways to play a deal, computed by hand and by enumeration.

use hattari_games::holdem::{Deal, Holdem, Options};
use hattari_games::poker::BetLimit;
use hattari_games::{Game, GameTypes, Move};

/// Returns the number of ways to finish the deal. Each amount of a raise is a separate way.
fn count(game: &Holdem, deal: &Deal) -> u64 {
    if game.to_act(deal).is_none() {
        return 1;
    }
    let mut ways = 0;
    for action in game.legal_actions(deal) {
        let (lowest, highest) = Holdem::amounts(&action).unwrap_or((0, 0));
        for amount in lowest..=highest {
            let mut next = deal.clone();
            game.apply(&mut next, Move { action, amount });
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

/// Facing a bet with r raises left, there are r + 1 ways to fold and r + 1 ways to call. So on a
/// later street with at most 4 bets there are 10 ways to end the deal and 9 to continue:
/// * bet: 4 folds, 4 calls
/// * check and bet: 4 folds, 4 calls
/// * check and check: 1 way to continue
/// * a fold that costs nothing: 2 ways to end
///
/// Before the flop the numbers are the same, with the roles of the first fold and the check
/// exchanged. So the river has 19 ways, the turn 181 (10 + 9 * 19) and the flop 1,639 (10 + 9 *
/// 181). The deal has 10 + 9 * 1,639.
#[test]
fn heads_up_fixed_limit_has_14_761_betting_sequences() {
    assert_eq!(ways(2, Options::preset("limit").unwrap()), 14_761);
}

/// With one raise per street, a bet leaves 1 fold and 1 call. So a street has 4 ways to end the
/// deal and 3 to continue. The sums are 7, 4 + 3 * 7 = 25, 4 + 3 * 25 = 79 and 4 + 3 * 79.
#[test]
fn a_cap_of_one_raise_leaves_241_betting_sequences() {
    let options = Options {
        raises_max: 1,
        ..Options::preset("limit").unwrap()
    };
    assert_eq!(ways(2, options), 241);
}

/// Blinds 1 and 2 with 4 chips each, so every bet is all-in. A later street has 7 ways:
/// * two folds without a bet, two bets with a fold, two bets with a call: no more betting
/// * two checks: the next street
///
/// That makes 7 ways on the river, 13 on the turn and 19 on the flop. Before the flop:
/// * fold: 1 way
/// * raise to 4, then fold or call: 2 ways
/// * call, then fold without a bet (1 way), raise to 4 with two answers (2), or check (19)
#[test]
fn no_limit_with_two_big_blinds_has_25_betting_sequences() {
    let options = Options {
        small_blind: 1,
        big_blind: 2,
        stack: 4,
        ..Options::default()
    };
    assert_eq!(ways(2, options.clone()), 25);
    // Pot limit allows the same raises: the pot after calling is 4, and 2 + 4 is more than the
    // stacks.
    assert_eq!(
        ways(
            2,
            Options {
                limit: BetLimit::PotLimit,
                ..options
            }
        ),
        25
    );
}

/// Blinds 1 and 2 with 2 chips each, three players. The big blind is all-in before the first
/// decision, so button and small blind fold or call all-in. If the button folds, there are 2 ways;
/// if it calls, the small blind folds or calls, 2 ways.
#[test]
fn three_stacks_of_one_big_blind_have_4_betting_sequences() {
    let options = Options {
        small_blind: 1,
        big_blind: 2,
        stack: 2,
        ..Options::default()
    };
    assert_eq!(ways(3, options), 4);
}
