//! Play of deals by the index of a legal action.

use hattari_games::chance::below;
use hattari_games::{Game, Move};
use rand_chacha::ChaCha8Rng;

/// Returns a random number less than `count`.
pub(crate) fn pick(chance: &mut ChaCha8Rng, count: usize) -> usize {
    below(chance, u32::try_from(count).unwrap()) as usize
}

/// Plays with the lowest amounts until `is_enough`. `choose` gets the legal actions and returns an
/// index. Returns the choices.
pub(crate) fn play<G: Game>(
    game: &G,
    deal: &mut G::Deal,
    mut choose: impl FnMut(&[G::Action]) -> usize,
    is_enough: impl Fn(&G::Deal) -> bool,
) -> Vec<Move<G::Action>> {
    let (mut legal, mut choices) = (Vec::new(), Vec::new());
    while !is_enough(deal) {
        game.legal(deal, &mut legal);
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
