//! Tests of tables.

use super::*;
use crate::agent::reference::Random;
use hattari_plugin::Choice;
use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_plugin::games::tanhinmin::Tanhinmin;
use std::collections::HashSet;

/// An agent that fails at the start of every deal.
struct Fails;

impl Agent for Fails {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        match notice {
            Notice::DealStart(_) => Err(AgentError::new(FaultKind::Error, "a message")),
            _ => Ok(()),
        }
    }

    fn act(&mut self, _: &Turn<'_>) -> AgentResult<Choice> {
        Ok(Choice::from(0))
    }
}

/// An observer that collects the orders of the entrants.
struct OrderCollector(HashSet<Vec<usize>>);

impl<G: Game> TypedObserver<G> for OrderCollector {
    fn dealt(&mut self, _: &G, _: &BlockState<G>, _: &G::Deal, entrants: &[usize]) {
        self.0.insert(entrants.to_vec());
    }
}

/// Plays 60 blocks. Returns the records, and the number of different orders.
fn played<G: Game + 'static>(
    game: &G,
    players: usize,
    seeds: &LineUpSeeds,
) -> (Vec<Record>, usize) {
    let (mut table, mut orders) = (Table::new(game), OrderCollector(HashSet::new()));
    let records = (0..60).map(|block| {
        let job = JobId { line_up: 0, block };
        let plan = BlockPlan {
            deals: 5,
            duplicate: block % 2 == 0,
            ..BlockPlan::default()
        };
        let mut agents: Vec<Box<dyn Agent>> = vec![Box::new(Fails), Box::new(Fails)];
        agents.resize_with(players, || Box::new(Random::<G>::default()));
        let result = table.play_block(job, plan, seeds, &mut agents, &mut orders);
        result.expect("faults do not stop the block").0
    });
    (records.collect(), orders.0.len())
}

/// Cards, seats, random numbers and the order of faults belong to the entrants, whatever their
/// numbers are.
#[test]
fn drawn_numbers_of_players_do_not_change_games() {
    fn check<G: Game + 'static>(game: &G, players: usize) {
        let fixed = LineUpSeeds::new(5);
        let drawn = LineUpSeeds {
            draws_numbers: true,
            ..fixed.clone()
        };
        let [(before, few), (after, many)] =
            [&fixed, &drawn].map(|seeds| played(game, players, seeds));
        assert_eq!(before, after);
        assert!(
            few == players && 2 * players < many,
            "{few} and {many} orders"
        );
    }
    check(&Tanhinmin::new(Default::default()).unwrap(), 4);
    check(&Daihinmin::new(Default::default()).unwrap(), 5);
}
