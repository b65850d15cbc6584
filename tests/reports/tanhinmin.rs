//! The game tanhinmin and its exact solver agree: the solver is compared with a search through the
//! rules.

use hattari_plugin::games::Game;
use hattari_plugin::games::tanhinmin::{
    Action, Deal, LeadRule, Options, PassRule, Tanhinmin, View,
};
use hattari_study::tanhinmin::{Conventions, Memory, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Returns the places of all seats under best play. Each seat minimises its own place, then prefers
/// a bad place for seat 0. Among equal plays the weakest is chosen, and a pass last.
fn places(game: &Tanhinmin, deal: &Deal) -> [u8; 6] {
    let Some(seat) = game.to_act(deal) else {
        let mut view: View = bytemuck::Zeroable::zeroed();
        game.view(&game.new_block(2, 1), deal, 0, &mut view);
        return view.places;
    };
    let mut actions: Vec<Action> = Vec::new();
    game.legal(deal, &mut actions);
    actions.sort_by_key(Action::is_pass);
    let mut best = None;
    for action in actions {
        let places = after(game, deal, action);
        let merit = (
            u8::MAX - places[usize::from(seat)],
            if seat == 0 { 0 } else { places[0] },
        );
        if best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, places));
        }
    }
    best.unwrap().1
}

fn after(game: &Tanhinmin, deal: &Deal, action: Action) -> [u8; 6] {
    let mut next = deal.clone();
    game.apply(&mut next, action.into());
    places(game, &next)
}

/// Collects every way to distribute the cards of a pack equally among a number of owners.
fn every_deal(
    owners: &mut Vec<u8>,
    size: usize,
    cards: usize,
    players: u8,
    show: &mut impl FnMut(&[u8]),
) {
    if owners.len() == size {
        return show(owners);
    }
    for player in 0..players {
        if owners.iter().filter(|&&owner| owner == player).count() < cards {
            owners.push(player);
            every_deal(owners, size, cards, players, show);
            owners.pop();
        }
    }
}

fn compare(cards: u32, players: u8, options: Options, conventions: Conventions) {
    let solver = Solver::new(players.into(), conventions, Memory::mib(32));
    let size = cards as usize * usize::from(players);
    every_deal(
        &mut Vec::new(),
        size,
        cards as usize,
        players,
        &mut |owners| {
            let hand = |seat: u8| {
                let cards = (0..size).filter(|&card| owners[card] == seat);
                let names: Vec<String> = cards.map(|card| (card + 1).to_string()).collect();
                names.join(" ")
            };
            let hands: Vec<String> = (0..players).map(hand).collect();
            let deals = vec![hands.join("/")];
            let game = Tanhinmin::new(Options {
                deals,
                ..options.clone()
            })
            .unwrap();
            let (mut block, mut deal) = (game.new_block(players.into(), 1), game.new_deal());
            game.deal(&mut block, &mut ChaCha8Rng::seed_from_u64(1), &mut deal);
            let mut legal = Vec::new();
            game.legal(&deal, &mut legal);
            let played: Vec<u32> = legal
                .iter()
                .map(|&action| after(&game, &deal, action)[0].into())
                .collect();
            let mut solved = Vec::new();
            solver.lead_places(owners, &mut solved);
            assert_eq!(played, solved, "{owners:?} {conventions:?}");
        },
    );
}

#[test]
fn the_rules_and_the_solver_agree_on_every_deal() {
    for (pass, lead) in [
        (PassRule::Permanent, LeadRule::Next),
        (PassRule::Free, LeadRule::Lowest),
    ] {
        let conventions = Conventions {
            pass,
            lead,
            ..Conventions::default()
        };
        for (cards, players) in [(3, 2), (2, 3), (1, 5)] {
            compare(
                cards,
                players,
                Options {
                    cards,
                    pass,
                    lead,
                    ..Options::default()
                },
                conventions,
            );
        }
    }
}
