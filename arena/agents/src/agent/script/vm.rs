//! A virtual machine with its libraries, sandbox and decoder, the compiled chunk of a script, and
//! the buffer for records.
//!
//! The machine is set up once. Every block starts from a snapshot, so no state is carried over, and
//! the start of a block only copies a few hundred kilobytes.
#![expect(
    unsafe_code,
    reason = "creates the machine, calls it, and restores its memory"
)]

use super::arena::Arena;
use super::decoder::LEGAL_MAX;
use super::script::{Script, ScriptCode};
use super::shared::VmShared;
use super::state::{Error, LuaResult, LuaState, RawState, Slot};
use super::structs::{self, Table};
use super::{charges, decoder, host, library, memory, state};
use crate::agent::Turn;
use crate::games::GameInfo;
use mlua::ffi;
use serde_json::Value;
use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::ptr;

// Luau's buffers are little-endian, and records are copied to them unchanged.
const _: () = assert!(cfg!(target_endian = "little"));

/// Number of bytes of the arena per byte of the script's memory limit. The arena must also have
/// room for garbage and gaps.
const ARENA_FACTOR: usize = 8;
/// Size in bytes of the part of the arena for the host's own objects.
const ARENA_OF_HOST: usize = 64 << 20;
/// Minimum number of elements for which a new list of legal actions has room.
const LEGAL_ROOM: usize = 16;
/// Maximum number of values that the host pushes onto Luau's stack outside of calls.
const STACK: c_int = 20;

/// Luau libraries for scripts: the name of each library, and the function that opens it. The
/// library of globals has an empty name.
const LIBRARIES: [(&CStr, ffi::lua_CFunction); 8] = [
    (c"", ffi::luaopen_base),
    (c"coroutine", ffi::luaopen_coroutine),
    (c"table", ffi::luaopen_table),
    (c"string", ffi::luaopen_string),
    (c"utf8", ffi::luaopen_utf8),
    (c"math", ffi::luaopen_math),
    (c"bit32", ffi::luaopen_bit32),
    (c"buffer", ffi::luaopen_buffer),
];

/// A machine with a script's chunk loaded, ready to play blocks of one game.
pub(super) struct Vm {
    raw: RawState,
    /// `true` during a call, and after a call that panicked. After a panic the machine must be
    /// reset before it can be used.
    is_inside: Cell<bool>,
    /// Number of the deal in the block.
    pub deal: u32,
    /// Numbers of the legal actions.
    numbers: Vec<u32>,
    /// Tables of actions by number. [`Slot::Moves`] keeps them alive during the block.
    moves: *mut Table,
    /// List of legal actions. [`Slot::Legal`] keeps it alive during the block.
    legal: *mut Table,
    /// List of legal actions at the start of every block.
    first_legal: *mut Table,
    pub shared: Box<VmShared>,
    /// Memory of the machine. Must be dropped after the machine is closed.
    arena: Arena,
}

/// The optional functions of a bot: `true` for each function that the bot defines.
#[derive(Clone, Copy)]
pub(super) struct Callbacks {
    /// Function for the game's additional phase.
    pub phase: bool,
    pub block_start: bool,
    pub deal_start: bool,
    pub deal_end: bool,
}

impl Vm {
    /// Sets up a machine for a script. The script gets `config`, read-only, as a global and as the
    /// argument of its chunk.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn new(script: &Script, game: &'static GameInfo, config: &Value) -> LuaResult<Vm> {
        let Script { code, limits, .. } = script;
        let size = limits
            .memory
            .saturating_mul(ARENA_FACTOR)
            .saturating_add(ARENA_OF_HOST);
        let arena = Arena::new(size)?;
        let raw = arena.new_state();
        if raw.is_null() {
            return Err(Error::Memory);
        }
        let mut vm = Vm {
            raw,
            is_inside: Cell::new(false),
            deal: 0,
            numbers: Vec::new(),
            moves: ptr::null_mut(),
            legal: ptr::null_mut(),
            first_legal: ptr::null_mut(),
            shared: Box::new(VmShared::new(&code.name, game)),
            arena,
        };
        // SAFETY: the state is valid and runs nothing. The key makes Luau print addresses as
        // offsets in the arena. The shared data is boxed and lives as long as the machine.
        unsafe {
            let base = vm.arena.base() as u64;
            ffi::lua_setpointerencodekey(raw, 0, 1, 0, base.wrapping_neg());
            ffi::lua_gc(raw, ffi::LUA_GCSTOP, 0);
            memory::install(raw);
            // Host functions find the shared data here; Luau does not use this pointer.
            (*ffi::lua_callbacks(raw)).userdata = ptr::from_ref(&*vm.shared).cast_mut().cast();
            if ffi::luau_codegen_supported() != 0 {
                ffi::luau_codegen_create(raw);
            }
            (vm.moves, vm.first_legal) = state::protect(raw, |state| {
                set_up(state, &vm.shared, code, config)?;
                Ok((
                    structs::load(state, Slot::Moves),
                    structs::load(state, Slot::Legal),
                ))
            })?;
            if ffi::lua_checkstack(raw, STACK) == 0 {
                return Err(Error::Memory);
            }
            memory::set_limit(raw, limits.memory);
        }
        vm.arena.take_snapshot();
        Ok(vm)
    }

    /// Returns the length in bytes of the longest text in the script's source.
    pub(super) fn longest_text(&self) -> usize {
        // SAFETY: `new` has installed the memory.
        unsafe { memory::longest_text(self.raw) }
    }

    /// Begins a block: restores the state that the machine had after set-up, and seeds its random
    /// number generator.
    pub(super) fn reset(&mut self, seed: u64) -> LuaResult {
        // SAFETY: no code of the machine runs, because calls borrow it. The only pointers that the
        // host keeps are to the buffer, which is older than the snapshot, and to tables that are
        // set below. Only `set_up` creates host functions and native code, so later objects own
        // nothing outside the arena. All objects of `set_up` still exist: they are reachable from
        // slots that nothing overwrites and from tables that scripts cannot change. So no native
        // code has been freed.
        unsafe { self.arena.reset() };
        self.is_inside.set(false);
        self.deal = 0;
        self.legal = self.first_legal;
        self.shared.reset(seed);
        // Luau's generator takes a seed of 32 bits.
        let [low, high]: [i32; 2] = bytemuck::cast(seed);
        self.protect(|state| {
            state.load(Slot::RandomSeed);
            state.push_number((low ^ high).into());
            state.call(1, 0);
            Ok(())
        })
    }

    /// Runs host code in a protected call.
    pub(super) fn protect<R>(&self, f: impl FnOnce(&LuaState) -> LuaResult<R>) -> LuaResult<R> {
        self.inside(|| {
            // SAFETY: the state is valid and runs nothing else.
            unsafe { state::protect(self.raw, f) }
        })
    }

    /// Calls the function in the slot `function` with the value of the slot `argument`, if given.
    /// Then calls `read`. The result is at stack index 2, and `read` must not create values.
    ///
    /// # Errors
    /// Returns the error that ended the call, with a traceback.
    pub(super) fn call<R>(
        &self,
        function: Slot,
        argument: Option<Slot>,
        read: impl FnOnce(&LuaState) -> R,
    ) -> LuaResult<R> {
        self.inside(|| {
            // SAFETY: the state is valid, runs nothing else, and has room for these values.
            unsafe {
                let state = LuaState::new(self.raw);
                for slot in [Some(Slot::Handler), Some(function), argument]
                    .into_iter()
                    .flatten()
                {
                    ffi::lua_rawgeti_(self.raw, ffi::LUA_REGISTRYINDEX, slot.into());
                }
                let arguments = c_int::from(argument.is_some());
                let status = ffi::lua_pcall(self.raw, arguments, 1, 1);
                let outcome = if status == ffi::LUA_OK {
                    Ok(read(&state))
                } else {
                    Err(state::pop_error(self.raw, status))
                };
                ffi::lua_settop(self.raw, 0);
                outcome
            }
        })
    }

    fn inside<R>(&self, call: impl FnOnce() -> LuaResult<R>) -> LuaResult<R> {
        if self.is_inside.replace(true) {
            return Err(Error::Message("the script has been aborted".to_owned()));
        }
        let outcome = call();
        self.is_inside.set(false);
        outcome
    }

    /// Runs the script's chunk and stores the result in [`Slot::Bot`]. Returns the name of the
    /// result's type.
    pub(super) fn run_chunk(&self) -> LuaResult<&'static str> {
        self.call(Slot::Chunk, Some(Slot::Config), |state| {
            let kind = state.type_name(2);
            state.truncate(2);
            state.save(Slot::Bot);
            kind
        })
    }

    /// Creates an instance of the bot. Returns which callbacks the bot defines.
    pub(super) fn make_instance(&self, players: u32) -> LuaResult<Callbacks> {
        self.protect(|state| {
            state.load(Slot::Instance);
            state.load(Slot::Bot);
            state.push_number(players.into());
            state.call(2, 5);
            let has = |at| !state.is_nil(at);
            let has = Callbacks {
                phase: has(1),
                block_start: has(3),
                deal_start: has(4),
                deal_end: has(5),
            };
            for slot in [
                Slot::DealEnd,
                Slot::DealStart,
                Slot::BlockStart,
                Slot::Decide,
            ] {
                state.save(slot);
            }
            Ok(has)
        })
    }

    /// Stores a JSON value in [`Slot::Info`], as read-only tables.
    pub(super) fn set_info(&self, json: &Value) -> LuaResult {
        self.protect(|state| {
            library::push_json(state, json);
            state.save(Slot::Info);
            Ok(())
        })
    }

    /// Writes a view and the legal actions to the buffer.
    ///
    /// # Errors
    /// Returns an error if the records are from another game, or if there are too many actions.
    pub(super) fn show(&mut self, turn: &Turn<'_>) -> LuaResult {
        let game = self.shared.game;
        let Turn { seen, legal, .. } = turn;
        let (size, n) = (game.action.size, legal.count() as usize);
        if seen.view.len() != game.view.size || legal.stride() as usize != size {
            return Err(foreign_records(game));
        }
        if n > LEGAL_MAX {
            let message = format!("{n} legal actions; scripts support at most {LEGAL_MAX}");
            return Err(Error::Message(message));
        }
        self.show_view(seen.view, n);
        let mut moves = self.shared.moves.borrow_mut();
        let numbers = legal
            .as_bytes()
            .chunks_exact(size)
            .map(|action| moves.number_or_insert_any(action));
        self.numbers.clear();
        self.numbers.extend(numbers);
        drop(moves);
        let numbers = bytemuck::cast_slice(&self.numbers);
        self.shared.write(self.shared.layout.legal, numbers);
        self.cache_moves()?;
        self.fill_legal()
    }

    /// Fills the list in [`Slot::Legal`], which scripts receive at every decision, with the legal
    /// actions.
    fn fill_legal(&mut self) -> LuaResult {
        // SAFETY: the tables are alive because they are in their slots; a reset restores the slots,
        // and `reset` the pointers. The machine runs nothing.
        let is_filled = unsafe {
            ffi::lua_gc(self.raw, ffi::LUA_GCISPAUSED, 0) != 0
                && structs::fill(self.legal, self.moves, &self.numbers, LEGAL_MAX)
        };
        if is_filled {
            return Ok(());
        }
        // Creates a new list if the old one is too short or the script has changed more than its
        // elements.
        self.legal = self.protect(|state| {
            let moves = state.load(Slot::Moves);
            let room = self.numbers.len().next_power_of_two();
            let legal = state.push_table(room.max(LEGAL_ROOM), 0);
            for (index, &number) in self.numbers.iter().enumerate() {
                state.get_element(moves, number as usize);
                state.set_element(legal, index + 1);
            }
            state.save(Slot::Legal);
            Ok(structs::load(state, Slot::Legal))
        })?;
        Ok(())
    }

    /// Writes the last view of a deal and the payoffs to the buffer.
    ///
    /// # Errors
    /// Returns the errors of [`Vm::show`].
    pub(super) fn show_result(&self, view: &[u8], payoffs: &[i64]) -> LuaResult {
        let game = self.shared.game;
        if view.len() != game.view.size || payoffs.len() * 2 > LEGAL_MAX {
            return Err(foreign_records(game));
        }
        self.show_view(view, payoffs.len());
        for (at, &payoff) in (self.shared.layout.legal..).step_by(8).zip(payoffs) {
            // Luau's numbers are floats; payoffs are far below 2^53.
            self.shared.write(at, &(payoff as f64).to_le_bytes());
        }
        self.cache_moves()
    }

    fn show_view(&self, view: &[u8], count: usize) {
        let shared = &self.shared;
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        shared.write(decoder::COUNT, &count.to_le_bytes());
        shared.write(decoder::DEAL, &self.deal.to_le_bytes());
        let mut moves = shared.moves.borrow_mut();
        let embedded = &shared.layout.embedded;
        for (at, &offset) in (decoder::EMBEDDED..).step_by(4).zip(embedded) {
            let number = moves.number_or_insert(&view[offset..offset + shared.game.action.size]);
            shared.write(at, &number.to_le_bytes());
        }
        shared.write(shared.layout.view, view);
    }

    fn cache_moves(&self) -> LuaResult {
        if self.shared.has_cached_moves() {
            return Ok(());
        }
        self.protect(|state| {
            self.shared.cache_moves(state);
            Ok(())
        })
    }

    /// Returns the index and the amount that the script chose.
    pub(super) fn choice(&self) -> (f64, f64) {
        let shared = &self.shared;
        (
            shared.read_number(decoder::CHOICE),
            shared.read_number(decoder::AMOUNT),
        )
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        // SAFETY: as in `reset`; a reset machine can always be closed. Closing frees native code,
        // which is outside the arena. The shared data still exists.
        unsafe {
            self.arena.reset();
            ffi::lua_close(self.raw);
        }
    }
}

fn foreign_records(game: &GameInfo) -> Error {
    Error::Message(format!("the records do not belong to {}", game.id))
}

/// Sets up the libraries, the sandbox, the decoder and the script.
fn set_up(state: &LuaState, shared: &VmShared, code: &ScriptCode, config: &Value) -> LuaResult {
    // Slots are written outside of protected calls, so they are created here.
    for slot in 1..=Slot::LAST.into() {
        state.push_boolean(false);
        state.save(slot);
    }
    for (name, open) in LIBRARIES {
        // SAFETY: a Luau function, called with the name of the library.
        unsafe { state.push_c_function(open, name, 0) };
        state.push_text(name.to_bytes());
        state.call(1, 0);
    }
    // SAFETY: the error handler accesses only its argument.
    unsafe { state.push_c_function(state::traceback, c"traceback", 0) };
    state.save(Slot::Handler);
    state.truncate(0);

    // The game's supplement uses the original library function without charges.
    state.push_globals();
    let table = state.get(1, "table");
    let concat = state.get(table, "concat");
    charges::install(state);
    push_own_chunk(state, include_str!("luau/prelude.luau"))?;
    let prelude = state.top();
    host::push_functions(state, library::PRELUDE);
    state.call(state.top() - prelude, 1);
    state.save(Slot::RandomSeed);

    let globals = 1;
    let names = state.push_table(0, 0);
    let listed_names = state.push_table(usize::from(u8::MAX) + 1, 0);
    for card in 0..=u8::MAX {
        if let Some(name) = (shared.game.card_name)(card) {
            state.push_text(name);
            state.push_copy(state.top());
            state.set_element(names, card.into());
            state.set_element(listed_names, usize::from(card) + 1);
        }
    }
    state.save(Slot::Names);
    push_own_chunk(state, shared.game.hosted.supplement)?;
    state.push_copy(names);
    state.push_copy(concat);
    state.call(2, 1);
    let supplement = state.top();
    let additions = state.get(supplement, "globals");
    if !state.is_nil(additions) {
        let mut iterator = 0;
        while state.next_entry(additions, &mut iterator) {
            let (key, value) = (additions + 1, additions + 2);
            library::freeze(state, value);
            let name = state.text(key).unwrap_or_default();
            state.set(globals, name);
            state.truncate(additions);
        }
    }
    library::push_json(state, config);
    state.push_copy(state.top());
    state.save(Slot::Config);
    state.set(globals, "config");
    if let Some(name) = library::push_of_game(state, shared.game) {
        state.set(globals, name);
    }
    // SAFETY: the state is valid, within a protected call.
    unsafe { ffi::luaL_sandbox(state.raw(), 1) };

    push_own_chunk(state, &decoder::source(shared.game))?;
    let decoder = state.top();
    shared.buffer.set(state.push_buffer(shared.layout.size));
    state.push_copy(state.top());
    state.save(Slot::Buffer);
    state.load(Slot::Names);
    state.push_table(0, 0);
    state.push_copy(state.top());
    state.save(Slot::CardLists);
    state.push_copy(supplement);
    host::push_functions(state, library::DECODER);
    host::push_strict(state);
    state.call(state.top() - decoder, 3);
    state.save(Slot::Moves);
    state.save(Slot::Instance);
    state.save(Slot::Learn);
    state.push_table(LEGAL_ROOM, 0);
    state.save(Slot::Legal);
    state.truncate(0);
    load_script(state, code)
}

/// Loads the files of a script. The files share a table of globals. Names that are not in this
/// table are looked up in the libraries.
fn load_script(state: &LuaState, code: &ScriptCode) -> LuaResult {
    // SAFETY: the state is valid, within a protected call. The thread stays on the stack, so it is
    // alive while it is used.
    let thread = unsafe {
        let thread = ffi::lua_newthread(state.raw());
        ffi::luaL_sandboxthread(thread);
        LuaState::new(thread)
    };
    let take = || {
        // SAFETY: the thread has a value and belongs to the same machine, whose stack has room.
        unsafe { ffi::lua_xmove(thread.raw(), state.raw(), 1) }
    };
    thread.push_globals();
    take();
    let globals = state.top();
    push_own_chunk(state, include_str!("luau/require.luau"))?;
    let files = state.push_table(0, code.helpers.len());
    for helper in &code.helpers {
        thread.push_chunk(&helper.file, &helper.bytecode)?;
        take();
        state.set(files, &helper.name);
    }
    state.call(1, 1);
    state.push_copy(state.top());
    state.save(Slot::Require);
    state.set(globals, "require");
    thread.push_chunk(&code.name, &code.main)?;
    take();
    state.save(Slot::Chunk);
    Ok(())
}

/// Compiles a chunk of the host's own Luau code and pushes it as a function. Such code calls the
/// libraries without charges.
fn push_own_chunk(state: &LuaState, source: &str) -> LuaResult {
    let bytecode = state::compile(source, &[])?;
    state.push_chunk("hattari", &bytecode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vm(source: &str) -> Vm {
        let script = Script::compile("x.lua", source.as_bytes()).unwrap();
        let game = GameInfo::find("daihinmin").unwrap();
        let config = serde_json::json!({});
        Vm::new(&script, game, &config).unwrap()
    }

    /// Runs a block with a function `act` without arguments, and returns its result as text.
    fn played(vm: &mut Vm, seed: u64) -> String {
        vm.reset(seed).unwrap();
        assert_eq!(vm.run_chunk().unwrap(), "table");
        vm.protect(|state| {
            let bot = state.load(Slot::Bot);
            state.get(bot, "act");
            state.save(Slot::Test);
            Ok(())
        })
        .unwrap();
        let text = vm.call(Slot::Test, None, |state| state.text(2));
        text.unwrap().unwrap()
    }

    /// A script that changes all state that it can reach, and returns the state that it found
    /// before.
    const CHANGES: &str = r#"
        local found = tostring(mark) .. tostring(coroutine.isyieldable()) .. tostring({})
        local calls = 0
        return { act = function()
            calls += 1
            found ..= calls .. tostring(("").mark) .. math.random() .. tostring(getmetatable("").mark)
            mark, print, math, _G = 1, nil, nil, nil
            pcall(function() getmetatable("").__index.mark = 1 end)
            pcall(rawset, string, "mark", 1)
            pcall(setmetatable, "", {})
            -- A coroutine that never ends, and closures over its variables.
            local kept = {}
            local suspended = coroutine.create(function()
                local own = {}
                kept.own = function() own[1] = suspended return own end
                coroutine.yield(own)
            end)
            coroutine.resume(suspended)
            kept[suspended] = kept.own()
            for number = 1, 300 do
                kept[{}] = string.rep("text", number) .. number
            end
            -- An error in a coroutine in a protected call, with a metatable that is called.
            pcall(coroutine.wrap(function()
                error(setmetatable({}, { __tostring = function() return "text" end }))
            end))
            for key, value in kept do
                found ..= if type(key) == "table" then #value % 7 else "."
            end
            return found
        end }"#;

    #[test]
    fn a_reset_removes_all_state_of_a_block() {
        let mut one = vm(CHANGES);
        let first = played(&mut one, 5);
        for _ in 0..200 {
            assert_eq!(played(&mut one, 5), first);
        }
        assert_ne!(played(&mut one, 6), first);
        // The result is the same in every machine.
        let (mut other, mut third) = (vm(CHANGES), vm(CHANGES));
        assert_ne!(played(&mut other, 6), first);
        assert_eq!(played(&mut other, 5), first);
        assert_eq!(played(&mut third, 5), first);
    }

    #[test]
    #[ignore = "long: 100,000 resets"]
    fn nightly_a_hundred_thousand_resets_remove_all_state() {
        let mut vm = vm(CHANGES);
        let first = played(&mut vm, 5);
        for number in 0..100_000_u64 {
            let again = played(&mut vm, 5 + number % 2);
            assert_eq!(again == first, number % 2 == 0);
        }
    }

    /// Memory beyond the snapshot is reused in the same order.
    #[test]
    fn object_addresses_are_the_same_in_every_virtual_machine() {
        let source = r#"return { act = function()
            local words = {}
            for number = 1, 2000 do words[number] = tostring({ number }) .. tostring(print) end
            return table.concat(words, " ", 1990)
        end }"#;
        let (mut one, mut other) = (vm(source), vm(source));
        let words = played(&mut one, 1);
        assert!(words.contains("table: 0x00000000") && words.contains("function: 0x00000000"));
        for _ in 0..3 {
            assert_eq!(played(&mut one, 2), words);
            assert_eq!(played(&mut other, 3), words);
        }
    }

    /// `.cargo/config.toml` has the compiler's flag.
    #[test]
    fn a_multiplication_and_an_addition_are_rounded_twice() {
        let source = r#"return { act = function()
            local text = ""
            for _, t in { 0.1, 0.7 } do
                text ..= `{7.3 % t} {math.lerp(7.3, 0.1, t)} {math.map(t, 0, 1, 7.3, 0.1)} `
            end
            return text
        end }"#;
        let text = "-8.881784197001252e-16 6.58 6.58 0.2999999999999998 2.26 2.26 ";
        assert_eq!(played(&mut vm(source), 1), text);
    }
}
