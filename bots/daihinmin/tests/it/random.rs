//! Tests of the random bot.

use crate::support::Position;
use bytemuck::Zeroable;
use hattari_bots_daihinmin::bots::random::RANDOM;
use hattari_plugin::daihinmin::{Block, Options, Turn, View};
use hattari_plugin::{Player, Uniform};

/// Returns choices among three leads of the bot with this seed.
fn choices(seed: u64) -> Vec<usize> {
    let block = Block::new(5, 0, 100, seed, &Options::default());
    let mut bot = Uniform::new(RANDOM.config(), &block).unwrap();
    let position = Position::of("S3 H4");
    let legal = position.legal();
    assert_eq!(legal.len(), 3);
    let view = View::zeroed();
    (0..3000)
        .map(|_| bot.choose(&Turn::new(&view, &[], &legal)).action)
        .collect()
}

#[test]
fn random_chooses_uniformly_and_depends_on_its_seed() {
    let chosen = choices(1);
    for action in 0..3 {
        let times = chosen.iter().filter(|&&choice| choice == action).count();
        // Three standard deviations are 77.
        assert!(
            (900..1100).contains(&times),
            "action {action}: {times} of 3000"
        );
    }
    assert_eq!(chosen, choices(1));
    assert_ne!(chosen, choices(2));
}
