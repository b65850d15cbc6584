//! Scripts in bridge: the data that they receive, and the host's solver.

use super::stubs::checker;
use super::table::{check_errors, error_line, open_with, play_block};
use hattari_agents::agent::script::ScriptLimits;
use hattari_agents::games::GameInfo;
use hattari_agents::record::Record;
use hattari_agents::table::{BlockPlan, FaultPolicy};
use hattari_plugin::games::Game;
use hattari_plugin::games::bridge::{Bridge, Options};

/// Plays a block of scripts: the first for North and South, who declares, the second for the
/// defenders.
fn play(options: Options, bots: [&str; 2], deals: u32, faults: FaultPolicy) -> Record {
    let plan = BlockPlan {
        deals,
        faults,
        ..BlockPlan::default()
    };
    // The first decisions of a deal with the solver are expensive.
    let limits = ScriptLimits {
        steps: 20_000_000,
        ..ScriptLimits::default()
    };
    let [declarer, defender] = bots;
    let open = |source| open_with(source, limits, "{}");
    let mut agents = [declarer, defender, declarer, defender].map(open);
    let record = play_block::<Bridge>(options, plan, (0, 5), &mut agents);
    assert!(
        faults != FaultPolicy::Stop || record.faults.is_empty(),
        "{:?}",
        record.faults
    );
    record
}

const ANY: &str = "return math.random(#legal)";
const FIRST: &str = "return { act = function() return 1 end }";

#[test]
fn script_tables_match_the_stubs_in_every_preset() {
    let checker = checker(GameInfo::find("bridge").unwrap(), ANY);
    for preset in Bridge::presets() {
        let options = Bridge::preset(preset).unwrap();
        assert_eq!(
            play(options, [&checker, &checker], 5, FaultPolicy::Stop).deals,
            5
        );
    }
}

#[test]
fn script_tables_match_the_guide() {
    let source = r#"
        return {
            act = function(view, legal)
                assert(#cards.all == 52 and cards.rank.SA == 14 and cards.suit.C2 == "C")
                assert(view.declarer == 3 and view.dummy == 1 and view.strain == "no_trump" and view.level == 3)
                for _, action in legal do assert(action.text == action.card and action.seat == view.turn) end
                local shown, played = 0, 0
                for _, event in view.history do
                    if event.kind == "dummy" then
                        shown += 1
                        assert(#event.cards == 13 and event.seat == view.dummy)
                    elseif event.kind == "card" then
                        played += 1
                        assert(view.cards[played] == event.card)
                    end
                end
                assert(played == view.played_count and (shown == 1) == view.dummy_shown)
                assert(view.seat == view.declarer or view.seat % 2 == 0)
                return math.random(#legal)
            end,
            deal_end = function(view, payoffs)
                assert(view.turn == nil and payoffs[1] == -payoffs[2] and payoffs[1] == payoffs[3])
            end,
        }"#;
    assert_eq!(
        play(Options::default(), [source, source], 30, FaultPolicy::Stop).deals,
        30
    );
}

/// Compares the solver's results for the real deal, which the script knows from the options of the
/// league. They must be the same for touching cards, and the best one must be the result of perfect
/// play.
const KNOWS: &str = r#"
    local suits = { "S", "H", "D", "C" }
    local real = { "KT875.AQ87.87.K6", "32.T9.AQT.QJT987", "J94.K432.9432.32", "AQ6.J65.KJ65.A54" }
    local function left(view)
        local gone, hands = {}, { {}, {}, {}, {} }
        for _, played in view.played do for _, card in played do gone[card] = true end end
        for seat, text in real do
            local suit = 1
            for letter in string.gmatch(text, ".") do
                local card = if letter == "." then nil else suits[suit] .. letter
                if card and not gone[card] then table.insert(hands[seat], card) end
                if letter == "." then suit += 1 end
            end
        end
        return hands
    end
"#;

fn example() -> Options {
    let deal = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
    let dealer = hattari_plugin::games::bridge::Seat::West;
    Options {
        dealer,
        deals: vec![deal.into()],
        played: "S7 S2 SJ".into(),
        ..Options::default()
    }
}

#[test]
fn scripts_can_use_double_dummy() {
    let source = format!(
        r#"{KNOWS}
        local promised
        return {{ act = function(view, legal)
            local rows = double_dummy.tricks({{ left(view), left(view) }})
            assert(#rows == 2 and #rows[1] == #legal)
            local best, worth = 1, {{}}
            for i, tricks in rows[1] do
                assert(tricks == rows[2][i])
                worth[legal[i].card] = tricks
                local better = if view.declarer == view.seat then tricks > rows[1][best] else tricks < rows[1][best]
                if better then best = i end
            end
            if view.played_count == 3 then
                assert(worth.SA == 6 and worth.SQ == 8 and worth.S6 == 6, "the paper's table")
            end
            assert(promised == nil or promised == rows[1][best], "what perfect play promises it keeps")
            promised = rows[1][best]
            return best
        end,
        deal_end = function(view) assert(view.won[2] == 8) end }}"#
    );
    let record = play(example(), [&source, &source], 1, FaultPolicy::Stop);
    assert_eq!(record.sum[3], -50, "one trick short");
}

/// Returns the error of declarer's script at its first decision.
fn said(body: &str) -> String {
    let source = format!("{KNOWS} return {{ act = function(view, legal) {body} return 1 end }}");
    let record = play(example(), [FIRST, &source], 1, FaultPolicy::Substitute);
    let fault = &record.faults[0];
    error_line(fault.kind, &fault.message)
}

#[test]
fn invalid_requests_are_refused_with_a_message() {
    let cases = [
        (
            "local deal = left(view) deal[1], deal[3] = deal[3], deal[1] deal[1][1] = 'SA' double_dummy.tricks({deal})",
            "contradict the view",
        ),
        (
            "local deal = left(view) table.remove(deal[1]) double_dummy.tricks({deal})",
            "contradict the view",
        ),
        (
            "local deal = left(view) deal[1][1] = 'X9' double_dummy.tricks({deal})",
            "`X9` is not a card",
        ),
        ("double_dummy.tricks(7)", "bad argument #1"),
        (
            "double_dummy.tricks({ 7 })",
            "double_dummy.tricks: deal 1 must be a list (got number)",
        ),
        (
            "double_dummy.tricks({ { {} } })",
            "double_dummy.tricks: deal 1, hand 2 must be a list (got nil)",
        ),
        ("double_dummy.tricks = print", "readonly"),
    ];
    check_errors(said, &cases);
    let asked = "return { act = function() return 1 end, block_start = function()
        local ok, why = pcall(double_dummy.tricks, { { {}, {}, {}, {} } })
        assert(not ok and string.find(tostring(why), 'only during a decision', 1, true), why)
    end }";
    play(example(), [asked, asked], 1, FaultPolicy::Stop);
}
