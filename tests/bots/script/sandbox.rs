//! Scripts that attack the host: each has its own fault within bounded time, and none has any
//! effect.

use super::table::{ask, begin, five, open_with, seat, start, view};
use hattari::agent::script::ScriptLimits;
use hattari::agent::{Agent, AgentError};
use hattari::record::FaultKind;

/// Limits that are reached quickly.
const SMALL: ScriptLimits = ScriptLimits {
    steps: 100_000,
    memory: 8 << 20,
};

/// Returns the outcome of a bot whose `act` is `body`.
fn run(body: &str) -> Result<usize, AgentError> {
    let source = format!("return {{ act = function(view, legal)\n{body}\nend }}");
    let mut agent = open_with(&source, SMALL, "{}");
    start(&mut *agent, 1).unwrap_or_else(|agent_error| panic!("{body}: {}", agent_error.message));
    begin(&mut *agent, &view());
    play(&mut *agent)
}

fn play(agent: &mut dyn Agent) -> Result<usize, AgentError> {
    ask(agent, &view(), &[], &five()).map(|(index, _)| index)
}

#[track_caller]
fn refused(body: &str, kind: FaultKind, words: &str) {
    let agent_error = run(body).expect_err(body);
    assert_eq!(agent_error.kind, kind, "{body}: {}", agent_error.message);
    assert!(
        agent_error.message.contains(words),
        "{body}: {}",
        agent_error.message
    );
}

#[test]
fn endless_loops_run_out_of_steps() {
    for body in [
        "while true do end",
        "local x = 0 while true do x = (x * 7 + 3) % 11 end",
        "for i = 1, 1e15 do end",
        "repeat until false",
        "local function f() return f() end while true do pcall(f) end",
        // Catching the error has no effect.
        "pcall(function() while true do end end) return 1",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(pcall, function() while true do end end) end",
        "xpcall(function() while true do end end, function() while true do end end) return 1",
        "while true do xpcall(error, function() while true do end end) end",
        // Coroutines.
        "coroutine.wrap(function() while true do end end)()",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end",
        // Metamethods, callbacks and iterators.
        "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
        "error(setmetatable({}, { __tostring = function() while true do end end }))",
        "return #setmetatable({}, { __len = function() while true do end end })",
        "for _ in setmetatable({}, { __iter = function() return function() return 1 end end }) do end",
        "table.sort({ 3, 1, 2 }, function() while true do end end)",
        "string.gsub('aaa', 'a', function() while true do end end)",
        "local s = string.rep('a', 5000) return string.find(s, string.rep('a-', 20) .. 'b')",
        "local s = string.rep('a', 60000) for i = 1, 20 do string.gsub(s, '.-b', '') end",
        "while true do print('again') end",
        "while true do for key in view do end end",
        "while true do local h = view.history end",
    ] {
        refused(body, FaultKind::Time, "more than 100000 steps");
    }
}

#[test]
fn errors_caught_in_a_loop_run_out_of_steps() {
    // Unwinding is expensive, so a caught error costs many steps; the clock is not involved.
    for body in [
        "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) while true do pcall(function() return t[1] end) end",
        "local function f() return 1 + f() end while true do pcall(f) end",
        "while true do pcall(error) end",
        "while true do coroutine.resume(coroutine.create(error)) end",
    ] {
        refused(body, FaultKind::Time, "more than 100000 steps");
    }
    refused(
        "for i = 1, 250 do pcall(error) end return 1",
        FaultKind::Time,
        "more than 100000 steps",
    );
    assert_eq!(run("for i = 1, 150 do pcall(error) end return 1"), Ok(0));
}

#[test]
fn running_out_of_memory_cannot_be_caught() {
    for body in [
        "pcall(function() return buffer.create(1e9) end) return 1",
        "while true do pcall(function() local t = {} while true do t[#t + 1] = buffer.create(1e6) end end) end",
        "xpcall(function() return buffer.create(1e9) end, function() end) return 1",
        "coroutine.resume(coroutine.create(function() return buffer.create(1e9) end)) return 1",
        "pcall(coroutine.wrap(function() return buffer.create(1e9) end)) return 1",
    ] {
        refused(body, FaultKind::Memory, "more than 8 MiB of memory");
    }
}

#[test]
fn caught_errors_behave_as_in_standard_lua() {
    let body = r##"
        assert(select("#", pcall(function() return nil, nil end)) == 3 and select(2, pcall(error, "x", 0)) == "x")
        assert(not pcall(nil) and not pcall(xpcall) and not pcall(xpcall, print, 1))
        assert(select(2, xpcall(error, function(e) return e .. "!" end, "x", 0)) == "x!")
        assert(select("#", xpcall(function(...) return ... end, print, 1, nil, 3)) == 4)
        local c = coroutine.create(function(a) local b = coroutine.yield(a + 1) error(b, 0) end)
        assert(select(2, coroutine.resume(c, 1)) == 2 and select(2, coroutine.resume(c, "y")) == "y")
        assert(not coroutine.resume(c) and coroutine.status(c) == "dead" and not coroutine.close(c))
        -- A yield goes through.
        local w = coroutine.wrap(function() return pcall(function() return coroutine.yield(1) + 1 end) end)
        assert(w() == 1 and select(2, w(4)) == 5)
        return 1"##;
    assert_eq!(run(body), Ok(0));
}

#[test]
fn the_location_of_an_endless_loop_is_reported() {
    let agent_error = run("local x = 1 while true do\nx += 1 end").unwrap_err();
    assert!(
        agent_error.message.contains("at test.lua:2"),
        "{}",
        agent_error.message
    );
}

#[test]
fn step_counts_are_reproducible() {
    // Finds the largest loop for which the steps are sufficient, twice, by bisection.
    let enough = |n: u32| run(&format!("for i = 1, {n} do end return 1")).is_ok();
    let most = || {
        let (mut low, mut high) = (0, 200_000);
        while low + 1 < high {
            let middle = u32::midpoint(low, high);
            if enough(middle) {
                low = middle
            } else {
                high = middle
            }
        }
        low
    };
    let first = most();
    assert!((90_000..=100_000).contains(&first), "{first}");
    assert_eq!(first, most());
}

#[test]
fn expensive_library_calls_are_bounded() {
    for (body, words) in [
        // Plain search, by flag and by a pattern without special characters.
        (
            "local s = string.rep('a', 5000) return string.find(s, 'aab', 1, true)",
            "string.find searches",
        ),
        (
            "local s = string.rep('a', 5000) return (s:find('aab'))",
            "string.find searches",
        ),
        (
            "local s = string.rep('a', 5000) return #string.split(s, 'aab')",
            "string.split takes",
        ),
        ("table.move({}, 1, 2e9, 2)", "table.move moves"),
        ("table.move({}, '1', '2000000000', 2)", "table.move moves"),
        ("table.move({}, -2e9, 5, 2, {})", "table.move moves"),
        ("table.move({}, 1, 0/0, 2)", "table.move moves"),
        ("string.rep('abc', 1e9)", "string.rep can return"),
        ("string.rep('abc', '1000000000')", "string.rep can return"),
        ("string.rep(123, 1e9)", "string.rep can return"),
        ("table.unpack({}, 1, 1e9)", "too many results"),
        ("string.format('%9999d', 1)", "invalid"),
    ] {
        refused(body, FaultKind::Error, words);
    }
}

#[test]
fn bounded_library_calls_return_the_standard_results() {
    let body = r##"
        assert(string.find("hello", "l") == 3 and string.find("a.b", ".", 1, true) == 2 and string.find(125, 2) == 2)
        assert(string.find("hello", "l+") == 3 and select(2, string.find("hello", "l+")) == 4)
        assert(select(3, string.find("key=value", "(%w+)=")) == "key" and ("x"):find("y") == nil)
        assert(string.find(string.rep("a", 9000) .. "b", "[b]") == 9001)
        assert(#string.split("a,b,c") == 3 and string.split("a b", " ")[2] == "b")
        assert(string.rep("ab", 3) == "ababab" and string.rep(7, 2) == "77" and string.rep("", 1e15) == "")
        assert(table.unpack({ 1, 2, 3 }, 2) == 2 and select("#", table.unpack({}, 1, 3)) == 3 and unpack({ 4 }) == 4)
        assert(table.concat({ 1, 2 }, "-") == "1-2" and table.concat({ 1, 2, 3 }, ",", 2, 3) == "2,3" and table.concat({}) == "")
        assert(table.find({ 5, 6 }, 6) == 2 and table.find({ 5, 6 }, 5, 2) == nil and string.byte("abc", 1, -1) == 97)
        assert(select("#", string.byte("abc", 1, -1)) == 3 and ("abc"):byte(2) == 98 and utf8.len("aé") == 2)
        local list = { "b", "a", "c" } table.sort(list) assert(table.concat(list) == "abc")
        table.sort(list, function(a, b) return a > b end) assert(table.concat(list) == "cba")
        local one, other = buffer.fromstring("abcd"), buffer.create(4)
        buffer.copy(other, 0, one) assert(buffer.tostring(other) == "abcd") buffer.copy(other, 0, one, 2, 2)
        buffer.fill(one, 1, 120, 2) buffer.writestring(other, 2, "zz") assert(buffer.tostring(one) == "axxd" and buffer.tostring(other) == "cdzz")
        assert(string.unpack("<I2", string.pack("<I2", 513)) == 513)
        assert(table.move({ 1, 2, 3 }, 2, 3, 1)[1] == 2 and table.move({ 1, 2 }, 1, 2, 3, {})[4] == 2)
        assert(not pcall(string.find) and not pcall(string.rep) and not pcall(table.move) and not pcall(string.split))
        return 1"##;
    assert_eq!(run(body), Ok(0));
}

#[test]
fn memory_is_bounded() {
    for body in [
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e15 do t[i] = table.create(50, i) end",
        "local t = {} for i = 1, 1e15 do t[i] = buffer.create(1e6) end",
        "local t = {} for i = 1, 1e15 do t[i] = table.create(1e5, 0) end",
        "return buffer.create(1e9)",
        "return table.create(6e7, 0)",
        "local s = string.rep('x', 60000) local t = {} for i = 1, 1000 do t[i] = s end return table.concat(t)",
        "local t = {} for i = 1, 1e15 do t[i] = coroutine.create(print) end",
    ] {
        refused(body, FaultKind::Memory, "more than 8 MiB of memory");
    }
    assert!(FaultKind::Memory.is_fatal());
}

#[test]
fn a_block_after_a_memory_fault_starts_with_a_new_vm() {
    let source = "local n = 0 return { act = function()
        n += 1
        if n == 2 then local t = {} while true do t[#t + 1] = table.create(1000, 0) end end
        return n
    end }";
    let mut agent = open_with(source, SMALL, "{}");
    for _ in 0..3 {
        start(&mut *agent, 1).unwrap();
        begin(&mut *agent, &view());
        assert_eq!(play(&mut *agent), Ok(0));
        assert_eq!(play(&mut *agent).unwrap_err().kind, FaultKind::Memory);
        assert_eq!(play(&mut *agent).unwrap_err().kind, FaultKind::Start);
    }
}

#[test]
fn recursion_ends_in_an_error() {
    for body in [
        "local function f() return 1 + f() end f()",
        "local function f() return f() end f()",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k .. ''] end return t.x",
        "local function f() string.gsub('a', 'a', f) end f()",
        "local function f() table.sort({ 1, 2 }, f) end f()",
        "local function f() coroutine.wrap(f)() end f()",
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end tostring(t)",
        "local function f() local ok, e = pcall(f) error(e, 0) end f()",
    ] {
        let agent_error = run(body).expect_err(body);
        let ends = [FaultKind::Error, FaultKind::Time, FaultKind::Memory];
        assert!(
            ends.contains(&agent_error.kind),
            "{body}: {}",
            agent_error.message
        );
        assert!(
            agent_error.message.len() < 3000,
            "{body}: a message of {} bytes",
            agent_error.message.len()
        );
    }
}

#[test]
fn functions_outside_the_sandbox_do_not_exist() {
    for name in [
        "loadstring",
        "load",
        "dofile",
        "loadfile",
        "getfenv",
        "setfenv",
        "newproxy",
        "gcinfo",
        "collectgarbage",
        "os",
        "io",
        "debug",
        "package",
        "ffi",
        "jit",
        "module",
        "math.randomseed",
        "string.dump",
    ] {
        assert_eq!(
            run(&format!("return if {name} == nil then 1 else 2")),
            Ok(0),
            "{name}"
        );
    }
}

#[test]
fn the_standard_library_cannot_be_changed() {
    for body in [
        "math.floor = print",
        "string.format = nil",
        "getmetatable('').__index = {}",
        "getmetatable('').__index.upper = print",
        "_G.print = nil",
        "_G.mine = 1",
        "rawset(_G, 'print', nil)",
        "table.clear(math)",
        "setmetatable(_G, {})",
        "setmetatable(string, {})",
        "cards.rank.S3 = 99",
        "table.insert(cards.all, 'S3')",
        "config.greed = 1",
        "rawset(config, 'greed', 1)",
        "legal[2].rank = 99",
        "rawset(legal[2], 'rank', 99)",
        "table.insert(legal[2].cards, 'JK')",
        "view.history[1] = 1 legal[2].effects.cut = true",
        "setmetatable(view, nil)",
        "table.freeze(view)",
        "view.notes = 1",
    ] {
        let agent_error = run(body).expect_err(body);
        assert_eq!(
            agent_error.kind,
            FaultKind::Error,
            "{body}: {}",
            agent_error.message
        );
    }
}

#[test]
fn errors_of_every_kind_are_reported() {
    for (body, words) in [
        ("error('my own words')", "test.lua:2: my own words"),
        (
            "local t = nil\nreturn t.x",
            "test.lua:3: attempt to index nil",
        ),
        ("error({ code = 7 })", ""),
        ("error(nil)", ""),
        (
            "error(setmetatable({}, { __tostring = function() return 'as text' end }))",
            "as text",
        ),
        (
            "error(setmetatable({}, { __tostring = function() error('again') end }))",
            "",
        ),
        ("error(string.rep('x', 60000))", "xxx"),
        ("coroutine.yield(1)", "yield"),
        (
            "return view.hands.x",
            "the view has no field `hands`: did you mean `hand`?",
        ),
        ("return config.hands.x", "attempt to index nil"),
    ] {
        let agent_error = run(body).expect_err(body);
        assert_eq!(
            agent_error.kind,
            FaultKind::Error,
            "{body}: {}",
            agent_error.message
        );
        assert!(
            agent_error.message.contains(words),
            "{body}: {}",
            agent_error.message
        );
        assert!(
            agent_error.message.len() < 3000 && !agent_error.message.is_empty(),
            "{body}: {}",
            agent_error.message
        );
    }
}

#[test]
fn a_bot_is_called_again_after_a_fault() {
    let mut agent = seat(
        "local n = 0 return { act = function() n += 1 if n % 2 == 1 then while true do end end return n end }",
    );
    assert_eq!(play(&mut *agent).unwrap_err().kind, FaultKind::Time);
    assert_eq!(play(&mut *agent), Ok(1));
    assert_eq!(play(&mut *agent).unwrap_err().kind, FaultKind::Time);
    assert_eq!(play(&mut *agent), Ok(3));
}

#[test]
fn changes_of_the_list_of_legal_actions_are_detected_and_undone() {
    let mut agent = seat(
        "local n = 0
        return { act = function(view, legal)
            n += 1
            if n == 1 then table.sort(legal, function(a, b) return a.rank > b.rank end) return 1 end
            if n == 2 then table.clear(legal) return 1 end
            if n == 3 then for i = 1, 20 do legal[i] = legal[1] end return 1 end
            assert(#legal == 5 and legal[1].kind == 'pass' and legal[5].text == 'CQ')
            return 5
        end }",
    );
    for _ in 0..2 {
        let agent_error = play(&mut *agent).unwrap_err();
        assert!(
            agent_error.kind == FaultKind::IllegalAction
                && agent_error.message.contains("copy the list"),
            "{}",
            agent_error.message
        );
    }
    assert_eq!(play(&mut *agent), Ok(0));
    assert_eq!(play(&mut *agent), Ok(4));
}
