//! Scripts that attack the host: each has its own fault within bounded time, and none has any
//! effect.

use super::table::{ask_five, begin_block, check_errors, open_with, seat};
use crate::support::has;
use hattari_agents::agent::script::ScriptLimits;
use hattari_agents::agent::{Agent, AgentError};
use hattari_agents::record::FaultKind;

/// Limits that are reached quickly.
const SMALL: ScriptLimits = ScriptLimits {
    steps: 100_000,
    memory: 8 << 20,
};

/// Returns the outcome of a bot whose `act` is `body`.
fn run(body: &str) -> Result<usize, AgentError> {
    let source = format!("return {{ act = function(view, legal)\n{body}\nend }}");
    let mut agent = open_with(&source, SMALL, "{}");
    begin_block(&mut *agent, 1);
    play(&mut *agent)
}

fn play(agent: &mut dyn Agent) -> Result<usize, AgentError> {
    ask_five(agent).map(|(index, _)| index)
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
    has(&agent_error.message, "at test.lua:2");
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
fn a_block_after_a_memory_fault_starts_with_a_new_vm() {
    let source = "local n = 0 return { act = function()
        n += 1
        if n == 2 then local t = {} while true do t[#t + 1] = table.create(1000, 0) end end
        return n
    end }";
    let mut agent = open_with(source, SMALL, "{}");
    for _ in 0..3 {
        begin_block(&mut *agent, 1);
        assert_eq!(play(&mut *agent), Ok(0));
        assert_eq!(play(&mut *agent).unwrap_err().kind, FaultKind::Memory);
        assert_eq!(play(&mut *agent).unwrap_err().kind, FaultKind::Start);
    }
}

#[test]
fn errors_of_every_kind_are_reported() {
    let cases = [
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
    ];
    let error_of = |body: &str| {
        let AgentError { kind, message, .. } = run(body).expect_err(body);
        assert_eq!(kind, FaultKind::Error, "{body}: {message}");
        let length = message.len();
        assert!(0 < length && length < 3000, "{body}: {message}");
        message
    };
    check_errors(error_of, &cases);
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
