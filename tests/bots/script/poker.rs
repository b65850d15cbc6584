//! Scripts in hold'em and stud: the data that they receive, and the host's functions for them.

use super::stubs::checker;
use super::table::{check_errors, error_line, open, play_block};
use hattari_agents::games::GameInfo;
use hattari_agents::record::Record;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, FaultPolicy};
use hattari_plugin::Rng;
use hattari_plugin::games::Game;
use hattari_plugin::games::holdem::Holdem;
use hattari_plugin::games::poker::card::parse_set;
use hattari_plugin::games::stud::Stud;
use hattari_plugin::holdem::win_rate;

/// Plays a block of scripts, one per seat.
fn play<G: Game>(preset: &str, sources: &[&str], deals: u32, faults: FaultPolicy) -> Record {
    let plan = BlockPlan {
        deals,
        duplicate: false,
        faults,
        ..BlockPlan::default()
    };
    let mut agents: Vec<_> = sources.iter().map(|source| open(source)).collect();
    let record = play_block::<G>(G::preset(preset).unwrap(), plan, (0, 3), &mut agents);
    assert!(
        faults != FaultPolicy::Stop || record.faults.is_empty(),
        "{:?}",
        record.faults
    );
    record
}

/// Takes any action and amount.
const ANY: &str = "local index = math.random(#legal)
    local action = legal[index]
    if action.kind == 'raise' then return index, math.random(action.lowest, action.highest) end
    return index";

#[test]
fn script_tables_match_the_stubs_in_every_poker_game() {
    let holdem = checker(GameInfo::find("holdem").unwrap(), ANY);
    for preset in Holdem::presets() {
        assert_eq!(
            play::<Holdem>(preset, &[holdem.as_str(); 4], 60, FaultPolicy::Stop).deals,
            60
        );
    }
    let stud = checker(GameInfo::find("stud").unwrap(), ANY);
    for preset in Stud::presets() {
        play::<Stud>(preset, &[stud.as_str(); 2], 60, FaultPolicy::Stop);
    }
}

#[test]
fn script_tables_match_the_guide() {
    let source = "
        return {
            act = function(view, legal)
                assert(#view.hand == 2 and cards.rank[view.hand[1]] and cards.suit[view.hand[2]])
                assert(legal[1].kind == 'fold' or legal[1].kind == 'check', legal[1].kind)
                local posted, last = 0, nil
                for _, event in view.history do
                    if event.kind == 'blind' then posted += event.amount end
                    if event.kind == 'raise' then last = event end
                    assert(event.kind ~= 'street' or #event.cards > 0 and event.seat == nil)
                end
                assert(posted == 150, posted)
                assert(not last or view.bets[last.seat] ~= nil)
                for i, action in legal do
                    if action.kind == 'fold' then assert(action.text == 'fold' and action.lowest == 0) end
                    if action.kind == 'call' then
                        assert(action.text == `call {view.to_call}` and action.lowest == view.to_call)
                    end
                    if action.kind == 'raise' then
                        assert(view.raises > 0 or action.lowest == view.level + view.big_blind)
                        if view.raises < 2 then return i, action.lowest end
                    end
                end
                return math.random(#legal), legal[#legal].lowest
            end,
            deal_end = function(view, payoffs)
                local sum = 0
                for _, payoff in payoffs do sum += payoff end
                assert(sum == 0 and view.over)
            end,
        }";
    assert_eq!(
        play::<Holdem>("cash", &[source; 3], 200, FaultPolicy::Stop).deals,
        200
    );
}

/// Returns the error of the script in the first seat.
fn said(source: &str) -> String {
    let source = format!(
        "local said local function say(text) error(text, 0) end return {{ act = function(view, legal) {source} end }}"
    );
    let record = play::<Holdem>(
        "cash",
        &[
            &source,
            "return { act = function(_, legal) return if legal[1].kind == 'fold' then 2 else 1 end }",
        ],
        1,
        FaultPolicy::Substitute,
    );
    let fault = &record.faults[0];
    error_line(fault.kind, &fault.message)
}

#[test]
fn host_functions_give_scripts_and_compiled_bots_the_same_results() {
    // Both seats decide by random numbers, like a compiled bot with the same seed.
    let seed = LineUpSeeds::new(3)
        .bots
        .block(0)
        .purpose(hattari_agents::seeds::Purpose::Bots)
        .number(0);
    let community = "{'Ks', '7d', '2c'}";
    let told = said(&format!(
        "say(`{{poker.win_rate({{'As', 'Ah'}}, {community}, 3)}} {{poker.unit()}}`)"
    ));
    let mut rng = Rng::new(seed);
    let set = |text| parse_set(text).unwrap();
    let share = win_rate(set("AsAh"), set("Ks7d2c"), 3, 1000, 1000, &mut rng).share;
    let words: Vec<f64> = told.split(' ').map(|word| word.parse().unwrap()).collect();
    assert!((words[0] - share).abs() < 1e-12, "{told} {share}");
    assert!((words[1] - rng.unit()).abs() < 1e-12, "{told}");
    // After reseeding, and with exact counting if there are few cases.
    let told: f64 = said("poker.reseed(9) say(`{poker.unit()}`)")
        .parse()
        .unwrap();
    assert!((told - Rng::new(seed ^ 9).unit()).abs() < 1e-12);
    let river = "{'Ah', '7d', '7c', 'Ts', '2c'}";
    let told = said(&format!(
        "local share, error = poker.win_rate({{'As', 'Kd'}}, {river}, 1) say(`{{share}} {{error}}`)"
    ));
    let exact = win_rate(set("AsKd"), set("Ah7d7cTs2c"), 1, 1, 990, &mut rng).share;
    assert_eq!(
        told.split_once(' ')
            .map(|(share, error)| (share.parse(), error)),
        Some((Ok(exact), "0"))
    );
    let told = said(
        "local a = poker.strength({'As', 'Ac', 'Kd', 'Kh', '2c'}) local b, kind = \
        poker.strength({'As', 'Ac', 'Kd', 'Kh', '3c', '2d', '2h'}) say(`{b > a} {kind}`)",
    );
    assert_eq!(told, "true two pair");
}

#[test]
fn host_functions_refuse_invalid_arguments() {
    let cases = [
        (
            "poker.win_rate(view.hand, view.community, 0)",
            "takes 1 to 8 opponents (got 0)",
        ),
        (
            "poker.win_rate(view.hand, view.community, 9)",
            "takes 1 to 8 opponents (got 9)",
        ),
        ("poker.win_rate(view.hand, view.hand, 1)", "all different"),
        ("poker.win_rate({'As'}, {}, 1)", "two cards"),
        ("poker.win_rate({'As', 'As'}, {}, 1)", "occurs twice"),
        ("poker.win_rate({'As', 'S7'}, {}, 1)", "`S7` is not a card"),
        ("poker.win_rate(view.hand, {}, 1, 0)", "at least one sample"),
        ("poker.win_rate(view.hand, {}, 1.5)", "bad argument #3"),
        ("poker.strength(view.hand)", "cards (got 2)"),
        ("poker.strength = print", "readonly"),
    ];
    check_errors(said, &cases);
}
