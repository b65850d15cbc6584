//! The look-ahead service for daihinmin. It samples deals that are consistent with a seat's
//! information, and estimates the results of the seat's actions in them.

use super::service::{
    NumberParameter, Output, Price, Service, ServiceMethod, ServiceRefusal, ServiceSession,
    ServiceStep, decision,
};
use hattari_plugin::games::GameTypes;
use hattari_plugin::games::daihinmin::{Daihinmin, Options, PLAYERS, Position, card, phase};
use hattari_plugin::{Rng, abi};
use hattari_search::daihinmin::playout::Scratch;
use hattari_search::daihinmin::{HandSampler, Knowledge, Playout, try_action};

/// Index of the method `sample`.
const SAMPLE: usize = 0;
/// Playout policies; the index is the number in the C interface.
const POLICIES: [Playout; 2] = [Playout::Uniform, Playout::Fitted];

/// The look-ahead service for daihinmin.
pub(crate) static LOOKAHEAD: Service = Service {
    id: abi::SERVICE_DAIHINMIN_SEARCH,
    library: "search",
    game: Daihinmin::ID,
    seats: PLAYERS,
    card: card::parse,
    methods: &[
        ServiceMethod {
            name: "sample",
            script_name: c"deals",
            takes_deals: false,
            numbers: &[],
            output: Output::Deals,
            fuel: Price {
                call: 4000,
                deal: 4000,
                work: 0,
            },
            steps: Price {
                call: 50,
                deal: 100,
                work: 0,
            },
            work: |_| 0,
        },
        ServiceMethod {
            name: "playouts",
            script_name: c"points",
            takes_deals: true,
            numbers: &[
                NumberParameter::Count {
                    what: "the number of playouts",
                    most: 1_000_000,
                },
                NumberParameter::Choice {
                    what: "the policy",
                    names: &["uniform", "fitted"],
                },
            ],
            output: Output::Floats,
            fuel: Price {
                call: 4000,
                deal: 0,
                work: 4000,
            },
            steps: Price {
                call: 50,
                deal: 0,
                work: 20,
            },
            // A playout with the fitted policy takes three times as long as a uniform one.
            work: |[playouts, policy]| u64::from(playouts) * (1 + 2 * u64::from(policy)),
        },
    ],
    start,
};

/// Stream id. It makes look-ahead draw other random numbers than the bot's own generator, which
/// starts from the same seed.
const STREAM: u64 = 0x5ea7_c4a4_ead0_0001;

fn start(options_json: &str, seed: u64) -> Option<ServiceSession> {
    let options: Options = serde_json::from_str(options_json).ok()?;
    let mut rng = Rng::new(seed ^ STREAM);
    let mut scratch = Scratch::default();
    Some(Box::new(move |method, turn, request, caller| {
        let (view, history, actions) = decision::<Daihinmin>(turn)?;
        if method != SAMPLE && view.phase != phase::PLAY {
            return Err(ServiceRefusal::Exchange);
        }
        let knowledge = Knowledge::new(view, history, options.exchange)
            .map_err(|_| ServiceRefusal::NoDecision)?;
        if method == SAMPLE {
            let mut deals = HandSampler::new(&knowledge, &mut rng);
            return (0..request.count).try_for_each(|_| {
                caller(ServiceStep::Write(bytemuck::bytes_of(
                    &deals.draw(&mut rng),
                )))
            });
        }
        let [playouts, policy] = request.numbers;
        let policy = POLICIES[policy as usize];
        let points = options.points.map(f64::from);
        for hands in request.deals.as_chunks::<PLAYERS>().0 {
            if knowledge.ways(hands) == 0 {
                return Err(ServiceRefusal::InconsistentHands);
            }
            let root = Position::from_view(view, history, *hands, options.deadlock_after());
            for action in actions {
                caller(ServiceStep::Check)?;
                let tried = try_action(
                    &root,
                    hands,
                    action,
                    playouts,
                    policy,
                    &points,
                    &mut scratch,
                    &mut rng,
                );
                caller(ServiceStep::Write(&tried.mean().to_ne_bytes()))?;
            }
        }
        Ok(())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::decision_tests::{self, Recipient};
    use crate::agent::services::{BlockServices, Request, words};
    use hattari_plugin::games::Game;

    #[test]
    fn look_ahead_answers_do_not_depend_on_earlier_blocks() {
        let options = Options::default();
        let all = decision_tests::of(&Daihinmin::new(options.clone()).unwrap(), 2);
        let json = serde_json::to_string(&options).unwrap();
        let ask = |services: &mut BlockServices, number: usize| {
            services.start_block(Daihinmin::ID, &json, 7);
            let turn = all[number].turn();
            let mut ask = |method, deals: &[u64], numbers| {
                let request = Request {
                    count: 3,
                    deals,
                    numbers,
                };
                let mut recipient = Recipient::default();
                services
                    .call(&LOOKAHEAD, method, &turn, &request, &mut |step| {
                        recipient.take(step)
                    })
                    .unwrap();
                recipient.results
            };
            let deals = words(&ask(SAMPLE, &[], [0; 2]));
            let points = [0, 1].map(|policy| ask(1, &deals, [2, policy]));
            (deals, points)
        };
        let play =
            |number: &usize| all[*number].turn().seen.read::<Daihinmin>().0.phase == phase::PLAY;
        let some: Vec<usize> = (0..all.len()).filter(play).step_by(7).take(3).collect();
        let mut used = BlockServices::default();
        for &number in some.iter().chain(some.iter().rev()) {
            assert_eq!(
                ask(&mut used, number),
                ask(&mut BlockServices::default(), number),
                "question {number}"
            );
        }
    }
}
