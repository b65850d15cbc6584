//! The guarantees of all games, at tables of every size, in all presets, and with options that no
//! preset uses.

use crate::play::seeded;
use crate::{bridge, daihinmin, holdem, stud, tanhinmin};
use hattari_games::conformance::{ConformanceRun, check_chance_independence, check_conformance};
use hattari_games::{BlockState, Game, daihinmin::card};
use serde_json::{Map, Value};

/// A preset, and the options that differ from it.
pub(crate) type Variation<'a> = (&'a str, &'a str);

/// Returns the rules with the options of a variation, or the reason of their refusal.
pub(crate) fn varied<G: Game>((preset, changes): Variation<'_>) -> Result<(G, Value), String> {
    let mut options = serde_json::to_value(G::preset(preset).unwrap()).unwrap();
    let changes: Map<String, Value> = serde_json::from_str(changes).unwrap();
    options.as_object_mut().unwrap().extend(changes);
    let read = serde_json::from_value(options.clone()).map_err(|error| error.to_string())?;
    Ok((G::new(read)?, options))
}

/// Returns the rules with the options of a variation.
pub(crate) fn game<G: Game>(variation: Variation<'_>) -> (G, Value) {
    varied(variation).unwrap_or_else(|error| panic!("{variation:?}: {error}"))
}

/// Checks random play at all tables; `watch` checks the invariants of the game.
fn check<G: Game>(variations: &[Variation<'_>], watch: fn(&G, &BlockState<G>, &G::Deal)) {
    let presets = G::presets().iter().map(|&preset| (preset, "{}"));
    for (seed, variation) in (1..).zip(presets.chain(variations.iter().copied())) {
        let (game, options) = game::<G>(variation);
        let (fewest, most) = game.tables();
        for players in fewest..=most {
            let places = if G::ID.contains("hinmin") {
                1..=i64::try_from(players).unwrap()
            } else {
                0..=0
            };
            let run = ConformanceRun {
                players,
                seed,
                deals: 40,
                payoff_sum: places.sum(),
                // With rebuys, a player can lose more than the initial chips.
                is_bounded: options["carry"] != true || options["rebuy"] == 0,
            };
            check_conformance(&game, run, seeded, |block, deal| {
                watch(&game, block, deal);
            });
        }
    }
}

macro_rules! all {
    ($($folder:ident: $game:ident,)*) => {
        $(
            #[test]
            fn $folder() {
                check::<hattari_games::$folder::$game>($folder::VARIATIONS, $folder::watch);
            }
        )*
    };
}

mod promises {
    use super::{bridge, check, daihinmin, holdem, stud, tanhinmin};
    hattari_games::every_game!(all);
}

/// Checks that the cards of a deal do not depend on earlier play, if no state influences them.
fn chance_is_free<G: Game>(variation: Variation<'_>, dealt: fn(&G, &G::Deal) -> String) {
    let (game, _) = game::<G>(variation);
    check_chance_independence(&game, 40, seeded, |deal| dealt(&game, deal));
}

/// In poker, deck and button are compared, because carried stacks differ. In daihinmin with titles,
/// the piles are compared, because the daifugo's seat gets the first.
#[test]
fn dealt_cards_do_not_depend_on_earlier_play() {
    use hattari_games::{bridge::Bridge, daihinmin::Daihinmin, holdem::Holdem};
    use hattari_games::{poker::Deal, poker::Poker, stud::Stud, tanhinmin::Tanhinmin};
    fn deck<V: hattari_games::poker::Variant>(_: &Poker<V>, deal: &Deal) -> String {
        format!("{:?} {}", deal.deck(), deal.button)
    }
    chance_is_free::<Holdem>(("cash", "{}"), deck);
    chance_is_free::<Holdem>(("cash", r#"{"carry": true, "rebuy": 10000}"#), deck);
    chance_is_free::<Stud>(("fixed-limit", "{}"), deck);
    let seven = r#"{"ante": 5, "bring_in": 0, "variant": "seven-turns"}"#;
    chance_is_free::<Stud>(("fixed-limit", seven), deck);
    chance_is_free::<Bridge>(("3nt", "{}"), |_, board| format!("{board:?}"));
    chance_is_free::<Tanhinmin>(("paper", "{}"), |game, deal| {
        let players: Vec<usize> = (0..6).map(|seat| game.player_at(deal, seat)).collect();
        format!("{players:?} {:?}", deal.hands())
    });
    chance_is_free::<Daihinmin>(("uecda", r#"{"rank_reset": 1}"#), |game, deal| {
        let players = [0, 1, 2, 3, 4].map(|seat| game.player_at(deal, seat));
        format!("{players:?} {:?}", deal.hands())
    });
    chance_is_free::<Daihinmin>(("uecda", r#"{"exchange": false}"#), |_, deal| {
        let mut piles = deal.hands().map(card::describe);
        piles.sort_unstable();
        piles.join("\n")
    });
}
