//! Attacks that reached the memory of the host once. Each would end this process.

use super::table::{ask, begin, five, open_with, single, start, view};
use hattari::agent::script::{Limits, Script};
use hattari::agent::{Agent, Seatable};
use hattari_plugin::games::daihinmin::{Action, Event, card, event};
use std::fs;

/// So many steps that none of these attacks is stopped by them.
const LIMITS: Limits = Limits {
    steps: 100_000_000,
    memory: 16 << 20,
};

/// Events with new actions: every single card.
fn history() -> Vec<Event> {
    let names = (0..=u8::MAX).filter_map(card::name);
    let played = names.map(|name| Event {
        kind: event::ACTION,
        action: single(name),
        ..bytemuck::Zeroable::zeroed()
    });
    played.collect()
}

/// Plays blocks, in each of which every decision is answered with the first action.
fn play(agent: &mut dyn Agent, blocks: u64) {
    for seed in 0..blocks {
        start(agent, seed).unwrap_or_else(|misstep| panic!("{}", misstep.message));
        begin(agent, &view());
        for actions in [five(), vec![Action::PASS, single("HT")]] {
            let answer = ask(agent, &view(), &history(), &actions);
            let answer = answer.map_err(|misstep| misstep.message);
            assert_eq!(answer, Ok((0, 0)));
        }
    }
}

/// A reset brings the native code of a helper file back only if it has not been freed.
#[test]
fn a_script_may_drop_require_and_its_helper_files() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.lua");
    let text = "
        local helper = require('helper')
        local value = helper(3)
        helper, require = nil, nil
        local function collect()
            for i = 1, 200 do local t = table.create(10000, i) end
        end
        collect()
        return { act = function(view, legal) collect() return value - 5 end, deal_start = collect }";
    fs::write(&main, text).unwrap();
    let helper = "return function(n) local sum = 0 for i = 1, n do sum += i end return sum end";
    fs::write(folder.path().join("helper.lua"), helper).unwrap();
    let script = Script::load(&main).unwrap().with_limits(LIMITS);
    play(&mut *script.open("{}").unwrap(), 5);
}

/// The host makes tables of new actions while the script runs: wherever an error ends that, the
/// next call makes the same tables.
#[test]
fn an_error_while_the_host_makes_tables_leaves_nothing_half_made() {
    let deep = [
        "local function deep(n, view)
            if n == 0 then return #view.history end
            return (deep(n - 1, view))
        end
        local first, last = 20010, 19970",
        "local function deep(n, view)
            if n == 0 then return #view.history end
            string.gsub('a', 'a', function() deep(n - 1, view) end)
        end
        local first, last = 210, 170",
    ];
    for deep in deep {
        let source = format!(
            "{deep}
            return {{ act = function(view, legal)
                for depth = first, last, -1 do pcall(deep, depth, view) end
                local seen = {{}}
                for number, event in view.history do
                    local action = event.action
                    assert(table.isfrozen(action) and not seen[action], 'another table')
                    assert(#action.cards == 1 and not seen[action.cards[1]], 'another card')
                    seen[action], seen[action.cards[1]] = true, true
                end
                assert(table.isfrozen(legal[1]) and (not legal[3] or legal[2].cards[1] == 'S3'))
                return 1
            end }}"
        );
        play(&mut *open_with(&source, LIMITS, "{}"), 2);
    }
}
