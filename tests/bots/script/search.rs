//! Tests of the library `search`, which gives look-ahead to scripts.

use super::table::{ask, open, start};
use hattari_agents::agent::{Agent, AgentError};
use hattari_plugin::games::Game;
use hattari_plugin::games::chance::below;
use hattari_plugin::games::daihinmin::{Daihinmin, Options, PLAYERS};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Plays random deals and calls a script at every decision; its answers are not played.
fn shown(agent: &mut dyn Agent, deals: u32) -> Result<Vec<usize>, AgentError> {
    let game = Daihinmin::new(Options::default()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(8);
    let (mut block, mut deal) = (game.new_block(PLAYERS, deals), game.new_deal());
    let (mut legal, mut answers) = (Vec::new(), Vec::new());
    let mut view = bytemuck::Zeroable::zeroed();
    for _ in 0..deals {
        game.deal(&mut block, &mut chance, &mut deal);
        while let Some(seat) = game.to_act(&deal) {
            game.legal(&deal, &mut legal);
            if legal.len() > 1 {
                game.view(&block, &deal, seat, &mut view);
                answers.push(ask(agent, &view, game.history(&deal), &legal)?.0);
            }
            let action = legal[below(&mut chance, u32::try_from(legal.len()).unwrap()) as usize];
            game.apply(&mut deal, action.into());
        }
        game.finish(&mut block, &deal, &mut [0; PLAYERS]);
    }
    Ok(answers)
}

fn answers(source: &str, deals: u32) -> Vec<usize> {
    let mut agent = open(source);
    start(&mut *agent, 1).unwrap();
    shown(&mut *agent, deals).unwrap()
}

/// Checks of a sampled deal by a script: numbers of cards, the own hand, and no duplicate or played
/// cards.
const FITS: &str = r#"
    local function set(cards)
        local set = {}
        for _, card in cards do set[card] = true end
        return set
    end
    local function fits(view, deal)
        assert(#deal == 5, "five hands")
        local seen = set(view.gone)
        local own = set(view.hand)
        for seat, hand in deal do
            assert(#hand == view.cards_left[seat], "as many cards as the seat shows")
            for _, card in hand do
                assert(not seen[card], "a card twice")
                seen[card] = true
                assert(seat ~= view.seat or own[card], "another hand than the own one")
            end
        end
        local all = 0
        for _ in seen do all += 1 end
        assert(all == 53, "all cards")
    end
    local function same(_view, legal) return 1 end
"#;

#[test]
fn sampled_deals_are_consistent_with_the_view() {
    let source = format!(
        "{FITS}
        local function look(view, legal)
            local deals = search.deals(3)
            assert(#deals == 3)
            for _, deal in deals do fits(view, deal) end
            return 1
        end
        return {{ act = look, exchange = look }}"
    );
    assert!(answers(&source, 3).len() > 60);
}

#[test]
fn points_are_averages_by_deal_and_action() {
    let source = r#"
        return { exchange = function() return 1 end, act = function(view, legal)
            local deals = search.deals(2)
            for _, policy in { "uniform", "fitted" } do
                local rows = search.points(deals, 4, policy)
                assert(#rows == 2)
                for _, row in rows do
                    assert(#row == #legal)
                    for _, points in row do assert(points >= 1 and points <= 5 and points * 4 % 1 == 0) end
                end
            end
            assert(#search.points({}, 4) == 0)
            return 1
        end }"#;
    answers(source, 2);
}

/// An invalid request is an error with a clear message, and does not affect the next decision.
#[test]
fn invalid_requests_are_refused_with_a_message() {
    let source = r#"
        local function refused(words, ...)
            local ok, why = pcall(...)
            assert(not ok and string.find(tostring(why), words, 1, true), `{words}: {why}`)
        end
        refused("only during a decision", search.deals, 1)
        return {
            exchange = function() refused("cannot be", function() error("cannot be") end)
                refused("in the exchange", search.points, search.deals(1)) return 1 end,
            act = function(view, legal)
                refused("from 1 to", search.deals, 0)
                refused("from 1 to", search.deals, 1.5)
                refused("from 1 to", search.points, {}, -1)
                refused("the policy must be \"uniform\"", search.points, {}, 1, "clever")
                local deal = search.deals(1)[1]
                local other = table.clone(deal)
                other[view.seat] = {}
                refused("contradict the view", search.points, { other })
                other[1] = { "X9" }
                refused("`X9` is not a card", search.points, { other })
                refused("readonly", function() search.deals = nil end)
                return 1
            end }"#;
    answers(source, 2);
}
