//! One virtual machine: sandbox, decoder, a bot's compiled chunk, and the buffer through which
//! frames go.

use super::budget::Limits;
use super::decoder::{self, Layout};
use super::heap::Kept;
use super::intern::Interner;
use super::natives::{self, Chance};
use super::raw::{self, Loan};
use super::{callbacks, charges, loops, open_hands, order, search, strict};
use crate::agent::Turn;
use crate::agent::lookahead::Lookahead;
use crate::agent::open_hands::OpenHands;
use crate::agent::said;
use crate::games::{Facts, LuauLibrary};
use crate::text;
use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Buffer, Function, Lua, LuaOptions, StdLib, Table, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Values of the machine that the host's functions hold at once, at the most in all that they are
/// made for.
const HELD: usize = 200;
/// Bytes of the key of a field that messages show.
const KEY_MAX: usize = 64;
/// No single piece of memory is larger than what a script may use times this.
const PIECES: usize = 4;

/// A helper file, compiled.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    /// What it is required by.
    pub name: String,
    /// What messages call it.
    pub file: String,
    pub bytecode: std::sync::Arc<[u8]>,
}

/// A machine with a bot's chunk loaded, ready to make instances of the bot.
#[derive(Debug)]
pub(super) struct Vm {
    lua: Lua,
    /// Its game.
    pub game: &'static Facts,
    layout: Layout,
    chunk: Function,
    /// Helper files by name, and what makes a function `require` of those of a block; `None` where
    /// there are none.
    helpers: Option<(Vec<(String, Function)>, Function)>,
    config: Value,
    randomseed: Function,
    /// A function of the host's that does nothing.
    warm: Function,
    /// Makes the decoder of a block, from what follows.
    decoder: Function,
    decodes: (Table, Table, Function, Function, (Function, Function)),
    instance: Option<Function>,
    shared: Rc<Shared>,
    /// What is written to the buffer at a decision, from [`Layout::COUNT`] on.
    stage: Vec<u8>,
    deal: u32,
    /// Last: it goes when the machine is gone.
    heap: Rc<Kept>,
}

/// What the functions that scripts call share with the host.
#[derive(Debug)]
pub(super) struct Shared {
    moves: RefCell<Interner>,
    /// Moves that are tables already.
    taught: Cell<usize>,
    /// What the script is called with.
    pub turn: Loan,
    /// What is behind the library `search`.
    pub lookahead: RefCell<Lookahead>,
    /// What is behind the library `double_dummy`.
    pub open_hands: RefCell<OpenHands>,
    lines_left: Cell<u32>,
    /// What the host's own functions draw from.
    chance: Rc<Chance>,
    buffer: Buffer,
    learn: RefCell<Option<Function>>,
    heap: Rc<Kept>,
}

/// The functions of one instance of a bot.
#[derive(Debug)]
pub(super) struct Instance {
    pub decide: Function,
    pub block_start: Option<Function>,
    pub deal_start: Option<Function>,
    pub deal_end: Option<Function>,
}

impl Vm {
    /// A machine for the bot `bytecode`, called `name` in messages, with a read-only `config`: a
    /// global, and what the chunk is called with.
    pub(super) fn new(
        files: (&[u8], &[Helper]),
        name: &str,
        game: &'static Facts,
        config: &serde_json::Value,
        limits: Limits,
    ) -> mlua::Result<Vm> {
        let vm = Vm::make(files, name, game, config)?;
        vm.settle(limits)?;
        Ok(vm)
    }

    fn make(
        (bytecode, helpers): (&[u8], &[Helper]),
        name: &str,
        game: &'static Facts,
        config: &serde_json::Value,
    ) -> mlua::Result<Vm> {
        let libraries = StdLib::COROUTINE
            | StdLib::TABLE
            | StdLib::STRING
            | StdLib::UTF8
            | StdLib::MATH
            | StdLib::BIT
            | StdLib::BUFFER;
        let lua = Lua::new_with(libraries, LuaOptions::new())?;
        let heap = Rc::new(Kept::new(&lua)?);
        raw::install_meter(&lua)?;
        let layout = Layout::of(game);
        let shared = Rc::new(Shared {
            moves: RefCell::new(Interner::new(game.action.size)),
            taught: Cell::new(0),
            turn: Loan::default(),
            lookahead: RefCell::default(),
            open_hands: RefCell::default(),
            lines_left: Cell::new(0),
            chance: Rc::default(),
            buffer: lua.create_buffer_with_capacity(layout.size)?,
            learn: RefCell::default(),
            heap: Rc::clone(&heap),
        });

        let log = logger(&lua, &shared, name)?;
        let format = lua.globals().get::<Table>("string")?.get("format")?;
        let concat: Function = lua.globals().get::<Table>("table")?.get("concat")?;
        charges::install(&lua)?;
        let own = order::functions(&lua, format)?;
        let randomseed: Function = own_chunk(&lua, include_str!("luau/prelude.luau"))?.call((
            log,
            raw::starver(&lua)?,
            own.charge,
            own.bear,
            (&own.next, own.pairs, own.tostring, own.format),
        ))?;
        lua.globals()
            .raw_set(loops::EACH, order::each(&lua, &own.next)?)?;
        let names = lua.create_table()?;
        for (card, name) in (0..=u8::MAX).filter_map(|card| Some((card, (game.card_name)(card)?))) {
            names.raw_set(card, name)?;
        }
        let supplement: Table =
            own_chunk(&lua, &led(game.hosted.luau.supplement)?)?.call((&names, concat))?;
        let globals = lua.globals();
        let config = to_lua(&lua, config)?;
        globals.raw_set("config", &config)?;
        if let Some(more) = supplement.get::<Option<Table>>("globals")? {
            for pair in more.pairs::<String, Value>() {
                let (key, value) = pair?;
                globals.raw_set(key, freeze(value)?)?;
            }
        }
        if let Some(library) = game.hosted.luau.library {
            let (name, functions) = match library {
                LuauLibrary::Search => ("search", search::library(&lua, &shared)?),
                LuauLibrary::DoubleDummy => ("double_dummy", open_hands::library(&lua, &shared)?),
                LuauLibrary::Poker => ("poker", natives::poker(&lua, &shared.chance)?),
                LuauLibrary::Holdem => ("poker", natives::holdem(&lua, &shared.chance)?),
            };
            globals.raw_set(name, freeze(Value::Table(functions))?)?;
        }
        lua.sandbox(true)?;

        let fetch = fetcher(&lua, &shared, &layout, game)?;
        let absent =
            lua.create_function(|_, (what, key, fields): (String, Value, Vec<String>)| {
                Ok(absent(&what, &key, &fields))
            })?;
        let decoder = own_chunk(&lua, &decoder::source(game))?;
        let warm = lua.create_function(|_, ()| Ok(()))?;
        let load = |name: &str, bytecode: &[u8]| {
            lua.load(bytecode)
                .set_name(format!("={name}"))
                .set_mode(ChunkMode::Binary)
                .into_function()
        };
        let chunk = load(name, bytecode)?;
        let helpers = if helpers.is_empty() {
            None
        } else {
            let files = helpers
                .iter()
                .map(|helper| Ok((helper.name.clone(), load(&helper.file, &helper.bytecode)?)));
            Some((
                files.collect::<mlua::Result<Vec<_>>>()?,
                own_chunk(&lua, include_str!("luau/require.luau"))?,
            ))
        };
        Ok(Vm {
            game,
            layout,
            chunk,
            helpers,
            config,
            randomseed,
            decoder,
            decodes: (names, supplement, fetch, absent, strict::functions(&lua)?),
            instance: None,
            shared,
            stage: Vec::new(),
            deal: 0,
            heap,
            lua,
            warm,
        })
    }

    /// Lets the heap grow and shrink as a block may, so that what later blocks leave behind makes
    /// no difference to it, and sets what a script may use.
    fn settle(&self, limits: Limits) -> mlua::Result<()> {
        let grow = own_chunk(&self.lua, include_str!("luau/settle.luau"))?;
        let held = (0..HELD)
            .map(|_| self.lua.create_table())
            .collect::<mlua::Result<Vec<_>>>()?;
        drop(held);
        grow.call::<()>(())?;
        drop(grow);
        self.warm.call::<()>(())?;
        // What Luau keeps of a function that it has made once is of this one.
        let (_, instance) = self.decode()?;
        let bot = self.lua.create_table()?;
        bot.raw_set("act", &self.warm)?;
        instance.call::<()>((&bot, 2))?;
        drop((instance, bot));
        self.heap.bound(&self.lua, limits.memory)?;
        // What the heap allows is decided there; this keeps single pieces from being larger than
        // the machine of the host.
        let most = limits
            .memory
            .saturating_mul(PIECES)
            .saturating_add(self.lua.used_memory())
            .saturating_add(limits.memory);
        self.lua.set_memory_limit(most)?;
        Ok(())
    }

    /// Makes the machine as it was when it was new; whether that can be had. Nothing of an instance
    /// may be held any more.
    pub(super) fn renew(&mut self) -> mlua::Result<bool> {
        self.instance = None;
        self.shared.learn.replace(None);
        self.shared.moves.borrow_mut().clear();
        self.shared.taught.set(0);
        self.deal = 0;
        // What mlua keeps ready for the next error.
        raw::unmetered(|| self.warm.call::<()>(()))?;
        self.heap.renew(&self.lua)
    }

    /// Bytes of the longest text in the bot's source.
    pub(super) fn longest_text(&self) -> usize {
        self.heap.longest()
    }

    /// Runs the chunk with fresh globals and chance from `seed`: the table of functions that it
    /// returns.
    pub(super) fn run_chunk(&mut self, seed: u64) -> mlua::Result<Value> {
        let (learn, instance) = self.heap.as_host(&self.lua, || self.decode())?;
        self.shared.learn.replace(Some(learn));
        self.instance = Some(instance);
        self.shared.chance.start(seed);
        // Luau's generator takes 32 bits.
        #[expect(clippy::cast_possible_truncation, reason = "folded on purpose")]
        let seed = (seed ^ (seed >> 32)) as i32;
        raw::unmetered(|| self.randomseed.call::<()>(seed))?;
        self.shared.lines_left.set(Limits::LINES);
        // The bot and its helpers see the same globals.
        let files = self.helpers.as_ref().map_or(&[][..], |(files, _)| files);
        let functions: Vec<&Function> = std::iter::once(&self.chunk)
            .chain(files.iter().map(|(_, file)| file))
            .collect();
        let mut fresh = raw::with_fresh_globals(&self.lua, &functions)?.into_iter();
        let chunk = fresh
            .next()
            .ok_or_else(|| mlua::Error::runtime("there is no chunk"))?;
        if let Some((_, require)) = &self.helpers {
            let by_name = self.lua.create_table()?;
            for ((name, _), file) in files.iter().zip(fresh) {
                by_name.raw_set(name.as_str(), file)?;
            }
            let require: Function = raw::unmetered(|| require.call(by_name))?;
            let globals = chunk
                .environment()
                .ok_or_else(|| mlua::Error::runtime("a chunk without globals"))?;
            globals.raw_set("require", require)?;
        }
        chunk.call(&self.config)
    }

    /// A fresh decoder: what makes tables of moves, and what makes instances.
    fn decode(&self) -> mlua::Result<(Function, Function)> {
        let (names, supplement, fetch, absent, (index, freeze)) = &self.decodes;
        let parts = (
            &self.shared.buffer,
            names,
            supplement,
            fetch,
            absent,
            index,
            freeze,
        );
        raw::unmetered(|| self.decoder.call(parts))
    }

    /// What is wrong with the names in the table that the chunk returned, as [`callbacks::slip`].
    pub(super) fn slip(&self, bot: &Table, file: &str) -> mlua::Result<Option<String>> {
        let phases = self.decodes.1.raw_get::<Option<Table>>("phases")?;
        callbacks::slip(bot, phases.as_ref(), file)
    }

    /// A fresh instance from the table that the chunk returned.
    pub(super) fn instance(&self, bot: &Table, players: u32) -> mlua::Result<Instance> {
        let make = self
            .instance
            .as_ref()
            .ok_or_else(|| mlua::Error::runtime("the chunk has not been run"))?;
        let (decide, block_start, deal_start, deal_end) = make.call((bot, players))?;
        Ok(Instance {
            decide,
            block_start,
            deal_start,
            deal_end,
        })
    }

    /// A value from JSON as read-only tables.
    pub(super) fn value(&self, json: &serde_json::Value) -> mlua::Result<Value> {
        to_lua(&self.lua, json)
    }

    /// A new deal starts.
    pub(super) fn new_deal(&mut self) {
        self.deal = self.deal.wrapping_add(1);
    }

    /// Puts a view and the legal actions where the decoder finds them.
    ///
    /// # Errors
    /// In words, where the records are not the game's or too many.
    pub(super) fn show(&mut self, turn: &Turn<'_>) -> Result<(), String> {
        let game = self.game;
        let Turn { seen, legal, .. } = turn;
        let (size, n) = (game.action.size, legal.count() as usize);
        if seen.view.len() != game.view.size || legal.stride() as usize != size {
            return Err(format!("records that are not those of {}", game.id));
        }
        if n > Layout::LEGAL_MAX {
            return Err(format!(
                "{n} legal actions, scripts take {}",
                Layout::LEGAL_MAX
            ));
        }
        self.stage_view(seen.view, n);
        let mut moves = self.shared.moves.borrow_mut();
        for action in legal.as_bytes().chunks_exact(size) {
            self.stage
                .extend_from_slice(&moves.number_of_any(action).to_le_bytes());
        }
        self.shared.buffer.write_bytes(Layout::COUNT, &self.stage);
        let known = moves.len();
        drop(moves);
        self.shared
            .teach(&self.lua, &self.layout, game, known)
            .map_err(|error| error.to_string())
    }

    /// Puts the last view of a deal and the payoffs where the decoder finds them.
    ///
    /// # Errors
    /// As [`Vm::show`].
    pub(super) fn show_result(&mut self, view: &[u8], payoffs: &[i64]) -> Result<(), String> {
        if view.len() != self.game.view.size || payoffs.len() * 2 > Layout::LEGAL_MAX {
            return Err(format!("records that are not those of {}", self.game.id));
        }
        self.stage_view(view, payoffs.len());
        for &payoff in payoffs {
            // Luau's numbers are floats; payoffs are far below 2^53.
            self.stage.extend_from_slice(&(payoff as f64).to_le_bytes());
        }
        self.shared.buffer.write_bytes(Layout::COUNT, &self.stage);
        let known = self.shared.moves.borrow().len();
        self.shared
            .teach(&self.lua, &self.layout, self.game, known)
            .map_err(|error| error.to_string())
    }

    fn stage_view(&mut self, view: &[u8], count: usize) {
        let stage = &mut self.stage;
        stage.clear();
        stage.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
        stage.extend_from_slice(&self.deal.to_le_bytes());
        let mut moves = self.shared.moves.borrow_mut();
        for &offset in &self.layout.embedded {
            let number = moves.number(&view[offset..offset + self.game.action.size]);
            stage.extend_from_slice(&number.to_le_bytes());
        }
        stage.resize(self.layout.view - Layout::COUNT, 0);
        stage.extend_from_slice(view);
        stage.resize(self.layout.legal - Layout::COUNT, 0);
    }

    /// The index and the amount that the script has written.
    pub(super) fn choice(&self) -> (f64, f64) {
        let buffer = &self.shared.buffer;
        (
            f64::from_le_bytes(buffer.read_bytes(Layout::CHOICE)),
            f64::from_le_bytes(buffer.read_bytes(Layout::AMOUNT)),
        )
    }

    /// Lends what a call shows while the script is called.
    pub(super) fn lend<R>(&self, turn: &Turn<'_>, call: impl FnOnce() -> R) -> R {
        self.shared.turn.lend(turn, call)
    }

    /// A block starts: look-ahead follows its rules and the bot's seed.
    pub(super) fn start_lookahead(&self, options_json: &str, seed: u64) {
        self.shared
            .lookahead
            .borrow_mut()
            .start_block(self.game.id, options_json, seed);
        self.shared
            .open_hands
            .borrow_mut()
            .start_block(self.game.id);
    }
}

impl Shared {
    /// Makes tables of the moves that are new, up to number `known`. They are the host's: they
    /// count neither as the bot's steps nor as its memory.
    fn teach(&self, lua: &Lua, layout: &Layout, game: &Facts, known: usize) -> mlua::Result<()> {
        if self.taught.get() == known {
            return Ok(());
        }
        self.heap.as_host(lua, || {
            let learn = self.learn.borrow();
            let learn = learn
                .as_ref()
                .ok_or_else(|| mlua::Error::runtime("the chunk has not been run"))?;
            while self.taught.get() < known {
                let count = (known - self.taught.get()).min(Layout::LEARN_MAX);
                let moves = self.moves.borrow();
                let records = &moves.since(self.taught.get() + 1)[..count * game.action.size];
                self.buffer.write_bytes(layout.learn, records);
                drop(moves);
                raw::unmetered(|| learn.call::<()>(count))?;
                self.taught.set(self.taught.get() + count);
            }
            Ok(())
        })
    }
}

/// A text of the host's own with its loops led as a script's are.
fn led(source: &str) -> mlua::Result<String> {
    loops::led(source)
        .map_err(|line| mlua::Error::runtime(format!("line {line} uses the host's name")))
}

/// A chunk of the host's own.
fn own_chunk(lua: &Lua, source: &str) -> mlua::Result<Function> {
    // It calls the library as Luau made it.
    let compiler = compiler().set_disabled_builtins(std::iter::empty::<&str>());
    lua.load(compiler.compile(source)?)
        .set_name("=hattari")
        .set_mode(ChunkMode::Binary)
        .into_function()
}

/// The compiler for all chunks.
pub(super) fn compiler() -> Compiler {
    Compiler::new()
        .set_optimization_level(2)
        .set_debug_level(1)
        .set_disabled_builtins(charges::NOT_INLINE)
}

/// The function behind `print`.
fn logger(lua: &Lua, shared: &Rc<Shared>, name: &str) -> mlua::Result<Function> {
    let (shared, name) = (Rc::clone(shared), name.to_owned());
    lua.create_function(move |_, line: mlua::LuaString| {
        let left = shared.lines_left.get();
        shared.lines_left.set(left.saturating_sub(1));
        let line = match left {
            0 => return Ok(()),
            1 => "further lines of this block are dropped".to_owned(),
            _ => line.to_string_lossy(),
        };
        tracing::info!(target: "hattari::script", "{name}: {}", text::harmless(&line));
        said::hear(&line);
        Ok(())
    })
}

/// What a script is told that reads a field which does not exist. `what` has them, `fields` are
/// their names.
fn absent(what: &str, key: &Value, fields: &[String]) -> String {
    let Value::String(key) = key else {
        return format!("{what} has fields with names, and this key is no text");
    };
    let names = fields.iter().map(String::as_str);
    let bytes = key.as_bytes();
    // A longer key is no slip of the pen, and to compare it would take long.
    if bytes.len() > KEY_MAX {
        let start = text::harmless(&String::from_utf8_lossy(&bytes[..KEY_MAX]));
        return format!(
            "{what} has no field `{start}…`: it has {}",
            text::quoted(names)
        );
    }
    let key = text::harmless(&String::from_utf8_lossy(&bytes));
    match text::nearest(&key, names.clone()) {
        Some(name) => format!("{what} has no field `{key}`: did you mean `{name}`?"),
        None => format!(
            "{what} has no field `{key}`: it has {}",
            text::quoted(names)
        ),
    }
}

/// The function that puts the next events from number `from` (counted from 0) into the buffer and
/// says how many.
fn fetcher(
    lua: &Lua,
    shared: &Rc<Shared>,
    layout: &Layout,
    game: &'static Facts,
) -> mlua::Result<Function> {
    let (shared, layout) = (Rc::clone(shared), layout.clone());
    lua.create_function(move |lua, from: usize| {
        let (size, mut staged) = (game.event.size, Vec::new());
        let known = shared.turn.read(|turn| {
            let history = turn.map(|turn| turn.seen.history.as_bytes());
            let events = history
                .and_then(|history| history.get(from * size..))
                .unwrap_or(&[]);
            staged.extend_from_slice(&events[..events.len().min(Layout::EVENTS_MAX * size)]);
            let mut moves = shared.moves.borrow_mut();
            if let Some(offset) = layout.event_action {
                for event in staged.chunks_exact_mut(size) {
                    let action = &mut event[offset..offset + game.action.size];
                    let number = moves.number(action);
                    action[..4].copy_from_slice(&number.to_le_bytes());
                }
            }
            moves.len()
        });
        shared.buffer.write_bytes(layout.events, &staged);
        shared.teach(lua, &layout, game, known)?;
        Ok(staged.len() / size)
    })
}

/// JSON as read-only tables; null is nil.
fn to_lua(lua: &Lua, json: &serde_json::Value) -> mlua::Result<Value> {
    Ok(match json {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(flag) => Value::Boolean(*flag),
        serde_json::Value::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::String(text) => Value::String(lua.create_string(text)?),
        serde_json::Value::Array(list) => {
            let table = lua.create_table_with_capacity(list.len(), 0)?;
            for (i, value) in list.iter().enumerate() {
                table.raw_set(i + 1, to_lua(lua, value)?)?;
            }
            table.set_readonly(true);
            Value::Table(table)
        }
        serde_json::Value::Object(map) => {
            let table = lua.create_table_with_capacity(0, map.len())?;
            for (key, value) in map {
                table.raw_set(key.as_str(), to_lua(lua, value)?)?;
            }
            table.set_readonly(true);
            Value::Table(table)
        }
    })
}

/// Makes a tree of tables read-only.
fn freeze(value: Value) -> mlua::Result<Value> {
    if let Value::Table(table) = &value {
        for pair in table.pairs::<Value, Value>() {
            freeze(pair?.1)?;
        }
        table.set_readonly(true);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::script::Script;

    #[test]
    fn a_machine_is_as_new_after_a_block() {
        let game = Facts::find("daihinmin").unwrap();
        for source in [
            include_str!("../../../../../scripts/daihinmin/tactician.lua"),
            include_str!("../../../../../scripts/daihinmin/styles.lua"),
        ] {
            let script = Script::compile("x.lua", source.as_bytes()).unwrap();
            let mut vm = Vm::new(
                (&script.bytecode, &script.helpers),
                "x",
                game,
                &serde_json::json!({}),
                Limits::default(),
            )
            .unwrap();
            for _ in 0..4 {
                assert!(vm.renew().unwrap());
                let Value::Table(bot) = vm.run_chunk(1).unwrap() else {
                    panic!("a table")
                };
                vm.instance(&bot, 5).unwrap();
            }
            // What stays alive does not go unseen.
            vm.lua
                .set_named_registry_value("kept", vm.lua.create_buffer(vec![1; 10_000]).unwrap())
                .unwrap();
            assert!(!vm.renew().unwrap());
        }
    }
}
