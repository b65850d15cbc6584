//! What every game promises, for daihinmin: deals end, cards are conserved, payoffs add up.

use hattari_games::daihinmin::{Daihinmin, Options, card};
use hattari_games::{Game, Grant, chance};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

#[test]
fn random_deals_end_and_payoffs_add_up() {
    let game = Daihinmin::new(Options::default()).unwrap();
    let mut block = game.new_block(5, 200);
    let mut deal = game.new_deal();
    let mut actions = Vec::new();
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..200 {
        game.deal(&mut block, &mut chance, &mut deal);
        while game.to_act(&deal).is_some() {
            game.legal(&deal, &mut actions);
            let choice = chance::below(&mut chance, u32::try_from(actions.len()).unwrap());
            game.apply(&mut deal, Grant { action: actions[choice as usize], amount: 0 });
            let held = deal.hands().iter().fold(0, |union, hand| union | hand);
            assert_eq!(held | deal.public().gone, card::PACK);
            assert_eq!(held & deal.public().gone, 0);
        }
        let mut payoffs = [0; 5];
        game.finish(&mut block, &deal, &mut payoffs);
        assert_eq!(payoffs.iter().sum::<i64>(), 15);
    }
}
