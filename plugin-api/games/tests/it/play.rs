//! Play of deals by the index of a legal action.

pub(crate) use hattari_games::chance::index as pick;
use hattari_games::{BlockState, Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Returns a generator of random numbers.
pub(crate) fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Starts a block of one deal.
pub(crate) fn dealt<G: Game>(
    game: &G,
    players: usize,
    chance: &mut ChaCha8Rng,
) -> (BlockState<G>, G::Deal) {
    let (mut block, mut deal) = (game.new_block(players, 1), game.new_deal());
    game.deal(&mut block, chance, &mut deal);
    (block, deal)
}

/// Plays with the lowest amounts until `is_enough`. `choose` gets the legal actions and returns an
/// index. Returns the choices.
pub(crate) fn play<G: Game>(
    game: &G,
    deal: &mut G::Deal,
    mut choose: impl FnMut(&[G::Action]) -> usize,
    is_enough: impl Fn(&G::Deal) -> bool,
) -> Vec<Move<G::Action>> {
    let mut choices = Vec::new();
    while !is_enough(deal) {
        let legal = game.legal_actions(deal);
        let action = legal[choose(&legal)];
        let amount = G::amounts(&action).map_or(0, |(lowest, _)| lowest);
        choices.push(Move { action, amount });
        game.apply(deal, Move { action, amount });
    }
    choices
}

/// Plays a deal to its end, see [`play`].
pub(crate) fn play_out<G: Game>(
    game: &G,
    deal: &mut G::Deal,
    choose: impl FnMut(&[G::Action]) -> usize,
) {
    play(game, deal, choose, |deal| game.to_act(deal).is_none());
}
