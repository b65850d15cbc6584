//! The likelihood of hands, given the choices of other seats.

use crate::support::{chance, play, seen};
use hattari_games::Game;
use hattari_games::daihinmin::{Options, phase};
use hattari_search::Pool;
use hattari_search::daihinmin::PlayHistory;
use hattari_search::daihinmin::playout::Scratch;
use hattari_search::daihinmin::policy::{LightFeatures, Policy};

/// For players who choose uniformly, the probability of a choice is 1 / number of actions. Own and
/// forced choices are ignored.
#[test]
fn the_likelihood_of_uniform_players_is_a_product_of_fractions() {
    let options = Options::default();
    let (policy, mut scratch) = (Policy::<LightFeatures, 7>::uniform(), Scratch::default());
    let mut compared = 0;
    // The choices of the deal so far: the seat, and the number of its actions.
    let mut choices: Vec<(u8, usize)> = Vec::new();
    play(options.clone(), 6, 4, |game, block, deal| {
        let seat = game.to_act(deal).unwrap();
        let (view, history) = seen(game, block, deal, seat);
        if view.phase != phase::PLAY {
            return;
        }
        if history.is_empty() {
            choices.clear();
        }
        let past = PlayHistory::new(&view, &history, options.deadlock_after());
        let likelihood = past.likelihood(deal.hands(), &policy, &mut scratch);
        let others = choices
            .iter()
            .filter(|&&(chooser, count)| chooser != seat && count > 1);
        let expected: f64 = others.map(|&(_, count)| 1.0 / count as f64).product();
        assert!(
            (likelihood / expected - 1.0).abs() < 1e-3,
            "{likelihood} {expected}"
        );
        choices.push((seat, game.legal_actions(deal).len()));
        compared += 1;
    });
    assert!(compared > 150, "{compared}");
}

#[test]
fn draws_from_a_pool_are_proportional_to_weights() {
    let mut pool = Pool::default();
    assert_eq!(pool.draw(&mut chance(1)), None);
    for (number, weight) in [(1_u64, 1.0), (2, 0.0), (3, 3.0), (4, -1.0)] {
        pool.push([number; 5], weight);
    }
    let mut random = chance(2);
    let mut counts = [0; 5];
    for _ in 0..4000 {
        counts[usize::try_from(pool.draw(&mut random).unwrap()[0]).unwrap()] += 1;
    }
    // The expected share is a quarter, with a standard deviation of 27; five are allowed.
    assert!(
        (860..1140).contains(&counts[1]) && counts[2] + counts[4] == 0,
        "{counts:?}"
    );
    pool.clear();
    assert_eq!(pool.draw(&mut random), None);
}
