//! The double-dummy service. It computes the exact result of a bridge deal in which all hands are
//! known.

use super::service::{
    Output, Price, Service, ServiceMethod, ServiceRefusal, ServiceSession, ServiceStep, decision,
};
use hattari_double_dummy::{Position, Seat, Solver};
use hattari_plugin::abi;
use hattari_plugin::games::GameTypes;
use hattari_plugin::games::bridge::{Action, Bridge, Card, CardSet, Strain, View, strain};

/// Memory in MiB of the solver that serves one bot.
const MEMORY_MIB: usize = 16;
const SEATS: usize = 4;

/// The double-dummy service. A unit of work is a card played by the search. Calls take the same
/// number of units on every machine.
pub(crate) static DOUBLE_DUMMY: Service = Service {
    id: abi::SERVICE_BRIDGE_DOUBLE_DUMMY,
    library: "double_dummy",
    game: Bridge::ID,
    seats: SEATS,
    card: |name| Some(name.parse::<Card>().ok()?.index()),
    methods: &[ServiceMethod {
        name: "tricks",
        script_name: c"tricks",
        takes_deals: true,
        numbers: &[],
        output: Output::Bytes,
        fuel: Price {
            call: 100,
            deal: 10_000,
            work: 100,
        },
        steps: Price {
            call: 100,
            deal: 100,
            work: 1,
        },
        work: |_| 0,
    }],
    start,
};

/// Starts a solver. For each deal and action, it writes the number of tricks that the declarer's
/// side takes in the whole deal if all play perfectly.
fn start(_: &str, _: u64) -> Option<ServiceSession> {
    let mut solver = Solver::new(MEMORY_MIB);
    Some(Box::new(move |_, turn, request, caller| {
        let (view, _, actions) = decision::<Bridge>(turn)?;
        let declarers = Seat::ALL[usize::from(view.declarer & 3)].side();
        let won = view.won[usize::from(view.declarer % 2)];
        for hands in request.deals.as_chunks::<SEATS>().0 {
            caller(ServiceStep::Check)?;
            let position = position(view, hands).ok_or(ServiceRefusal::InconsistentHands)?;
            let values = solver.tricks_by_card(&position, declarers);
            let of = |action: &Action| {
                let value = values.iter().find(|value| value.0.index() == action.card);
                value.map(|value| value.1 + won)
            };
            let tricks: Option<Vec<u8>> = actions.iter().map(of).collect();
            let tricks = tricks.ok_or(ServiceRefusal::InconsistentHands)?;
            caller(ServiceStep::Pay(solver.nodes()))?;
            caller(ServiceStep::Write(&tricks))?;
        }
        Ok(())
    }))
}

/// Returns the position with the remaining cards `hands`; `None` if they contradict the view.
fn position(view: &View, hands: &[u64; 4]) -> Option<Position> {
    let is_known = |seat: u8, hand: u64| hands[usize::from(seat & 3)] == hand;
    let gone = view.played.iter().fold(0, |gone, played| gone | played);
    let all = hands.iter().fold(gone, |all, hand| all | hand);
    // If the sets contain all cards and have 13 cards for each seat, no card is in two of them.
    let fits = is_known(view.seat, view.hand)
        && (view.dummy_shown == 0 || is_known(view.dummy, view.dummy_hand))
        && all == CardSet::PACK.0
        && hands
            .iter()
            .zip(&view.played)
            .all(|(hand, played)| hand.count_ones() + played.count_ones() == 13);
    if !fits {
        return None;
    }
    let strain = Strain::ALL[usize::from(view.strain.min(strain::NO_TRUMP))];
    Position::new(
        hands.map(CardSet),
        strain,
        Seat::ALL[usize::from(view.leader & 3)],
        &view.table(),
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::decision_tests::{self, Recipient};
    use crate::agent::services::{BlockServices, Request};
    use hattari_plugin::games::Game;
    use hattari_plugin::games::bridge::Options;

    #[test]
    fn the_work_of_a_double_dummy_call_does_not_depend_on_earlier_blocks() {
        let all = decision_tests::of(&Bridge::new(Options::default()).unwrap(), 1);
        let ask = |services: &mut BlockServices, number: usize| {
            let turn = all[number].turn();
            let hands = decision_tests::fitting_hands(turn.seen.read::<Bridge>().0);
            let request = Request {
                count: 1,
                deals: &hands,
                numbers: [0; 2],
            };
            let mut recipient = Recipient::default();
            services
                .call(&DOUBLE_DUMMY, 0, &turn, &request, &mut |step| {
                    recipient.take(step)
                })
                .unwrap();
            (recipient.results, recipient.work)
        };
        let fresh: Vec<_> = [20, 24, 28]
            .map(|number| {
                let mut services = BlockServices::default();
                services.start_block(Bridge::ID, "{}", 1);
                ask(&mut services, number)
            })
            .into();
        for history in [&[20][..], &[24], &[24, 28], &[28, 20, 24]] {
            let mut services = BlockServices::default();
            services.start_block(Bridge::ID, "{}", 1);
            for &number in history {
                ask(&mut services, number);
            }
            for (number, expected) in [20, 24, 28].into_iter().zip(&fresh) {
                services.start_block(Bridge::ID, "{}", 1);
                assert_eq!(
                    ask(&mut services, number),
                    *expected,
                    "question {number} after {history:?}"
                );
            }
        }
    }
}
