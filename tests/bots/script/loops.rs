//! Loops over collections go by the keys, however Luau has laid these out.

use super::table::{ask, five, seat, view};

/// Goes through tables that are filled in many ways, by loops and by `next`, which looks at every
/// key each time.
const FILLED: &str = r#"
local random = math.random
local object = {}
local function key(most)
    local kind = random(8)
    return if kind <= 4 then random(most) elseif kind == 5 then -random(3) elseif kind == 6 then "k" .. random(9)
        elseif kind == 7 then random(2) == 1 else object
end

local function by_next(t)
    local words, k, v = {}, next(t)
    while k ~= nil do
        table.insert(words, `{k}={v}`)
        k, v = next(t, k)
    end
    return table.concat(words, " ")
end

local function by_loop(t, how)
    local words = {}
    if how == 1 then
        for k, v in t do table.insert(words, `{k}={v}`) end
    else
        for k, v in pairs(t) do table.insert(words, `{k}={v}`) end
    end
    return table.concat(words, " ")
end

local function same(t, what)
    for how = 1, 2 do
        local loop, expected = by_loop(t, how), by_next(t)
        if loop ~= expected then error(`{what}: {loop} and not {expected}`, 0) end
    end
end

local function act()
    for round = 1, 60 do
        local most = random(12)
        local t = if round % 3 == 0 then table.create(random(6), 0) else {}
        for _ = 1, random(14) do
            t[key(most)] = if random(4) == 1 then nil else random(100)
        end
        same(t, "filled")
        same(table.freeze(table.clone(t)), "frozen")
    end
    same({ [1] = 1, [2] = 2, [4] = 4, x = 5 }, "made with a hole")
    same({ [3] = 3, [2] = 2, [1] = 1 }, "made backwards")
    same(table.freeze({ [3] = 3, [2] = 2, [1] = 1 }), "made backwards and frozen")
    for _, n in { 254, 255, 256, 300 } do
        local list = {}
        for i = 1, n do list[i] = i end
        local seen = 0
        for i, v in list do
            seen += 1
            if i ~= seen or v ~= i then error(`{i} comes at {seen} of {n}`, 0) end
        end
        if seen ~= n then error(`{seen} of {n}`, 0) end
    end
    return 1
end
return { act = act }
"#;

/// What a loop does to what it goes through: the elements that were there at its start are gone
/// through as they are when it comes to them, and no others.
const CHANGED: &str = r#"
local function act()
    local words = {}
    local list = { 1, 2, 3, 4 }
    for i, v in list do
        list[i + 4] = v
        if i == 1 then list[2], list[3] = nil, "new" end
        table.insert(words, `{i}={v}`)
    end
    local mixed = { 1, 2, 3, a = 1, b = 2, c = 3 }
    for k, v in mixed do
        if k == 1 then mixed[2], mixed[4], mixed.a, mixed.d = nil, 4, nil, 4 end
        if k == "b" then mixed.c = "late" end
        table.insert(words, `{k}={v}`)
    end
    for k in {} do table.insert(words, `nothing has {k}`) end
    local said = table.concat(words, " ")
    if said ~= "1=1 3=new 4=4 1=1 3=3 b=2 c=late" then error(said, 0) end
    return 1
end
return { act = act }
"#;

#[test]
fn loops_go_by_the_keys() {
    for source in [FILLED, CHANGED] {
        let mut agent = seat(source);
        for _ in 0..5 {
            assert_eq!(
                ask(&mut *agent, &view(), &[], &five()).map_err(|misstep| misstep.message),
                Ok((0, 0))
            );
        }
    }
}
