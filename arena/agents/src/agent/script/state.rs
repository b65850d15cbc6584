//! A thin layer over Luau's C interface. Methods check stack indices.
//!
//! Errors of the machine are C++ exceptions. They unwind through the frames of host functions up to
//! the protected call, and the values in these frames are dropped.
#![expect(unsafe_code, reason = "this file is the layer over Luau's C interface")]

use mlua::ffi;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

/// A pointer to the state of a thread of a machine.
pub(super) type RawState = *mut ffi::lua_State;

/// The error that ended a call.
#[derive(Debug)]
pub(super) enum Error {
    /// Out of memory.
    Memory,
    /// Error text, followed by a traceback if a script was called.
    Message(String),
}

/// The result of work in a machine.
pub(super) type LuaResult<R = ()> = Result<R, Error>;

impl From<String> for Error {
    fn from(message: String) -> Error {
        Error::Message(message)
    }
}

/// A Luau state within a protected call or a host function.
///
/// Stack index 1 is the first value of the call. Methods that create values may raise errors of the
/// machine.
pub(super) struct LuaState {
    raw: RawState,
}

impl LuaState {
    /// Wraps a state.
    ///
    /// # Safety
    /// `raw` must be valid while the value is used. Methods that create values may only be called
    /// within a protected call.
    pub(super) unsafe fn new(raw: RawState) -> Self {
        LuaState { raw }
    }

    /// Returns the pointer to the state.
    pub(super) fn raw(&self) -> RawState {
        self.raw
    }

    /// Returns the number of values on the stack, which is the index of the last one.
    pub(super) fn top(&self) -> c_int {
        // SAFETY: the state is valid, here and in all methods.
        unsafe { ffi::lua_gettop(self.raw) }
    }

    /// Drops the values above index `top`.
    ///
    /// # Panics
    /// Panics if there are fewer values.
    pub(super) fn truncate(&self, top: c_int) {
        assert!((0..=self.top()).contains(&top), "values of this call");
        // SAFETY: the stack has at least this many values.
        unsafe { ffi::lua_settop(self.raw, top) }
    }

    /// Returns the type of the value at an index; `LUA_TNONE` if there is none.
    pub(super) fn kind(&self, at: c_int) -> c_int {
        assert!(at > 0, "places are counted from 1");
        // SAFETY: indices beyond the last value have no type.
        unsafe { ffi::lua_type(self.raw, at) }
    }

    /// Returns the name of the value's type; `nil` if there is no value.
    pub(super) fn type_name(&self, at: c_int) -> &'static str {
        // SAFETY: names of types are static texts.
        let name = unsafe { CStr::from_ptr(ffi::lua_typename(self.raw, self.kind(at).max(0))) };
        name.to_str().unwrap_or("value")
    }

    /// Returns `true` if the value at an index is nil or missing.
    pub(super) fn is_nil(&self, at: c_int) -> bool {
        self.kind(at) <= ffi::LUA_TNIL
    }

    /// Returns the number at an index. A text that contains a number is converted. Returns `None`
    /// for other values, and if there is none.
    pub(super) fn number(&self, at: c_int) -> Option<f64> {
        assert!(at > 0, "places are counted from 1");
        let mut is_number = 0;
        // SAFETY: this neither changes the value nor raises errors. Indices beyond the last value
        // have no number.
        let number = unsafe { ffi::lua_tonumberx(self.raw, at, &raw mut is_number) };
        (is_number != 0).then_some(number)
    }

    /// Calls `read` with the bytes of the text at an index. Returns `None` if the value is not a
    /// text. `read` must not use the state.
    fn read_text<R>(&self, at: c_int, read: impl FnOnce(&[u8]) -> R) -> Option<R> {
        if self.kind(at) != ffi::LUA_TSTRING {
            return None;
        }
        let mut length = 0;
        // SAFETY: the text does not move until the state is used again.
        let bytes = unsafe {
            let text = ffi::lua_tolstring(self.raw, at, &raw mut length);
            std::slice::from_raw_parts(text.cast::<u8>(), length)
        };
        Some(read(bytes))
    }

    /// Returns the text at an index; `None` if the value is not a text. Invalid UTF-8 is replaced.
    pub(super) fn text(&self, at: c_int) -> Option<String> {
        self.text_start(at, usize::MAX).map(|(text, _)| text)
    }

    /// Returns the first `most` bytes of the text at an index, and the length of the whole text;
    /// `None` if the value is not a text. Invalid UTF-8 is replaced.
    pub(super) fn text_start(&self, at: c_int, most: usize) -> Option<(String, usize)> {
        self.read_text(at, |text| {
            let start = String::from_utf8_lossy(&text[..text.len().min(most)]);
            (start.into_owned(), text.len())
        })
    }

    /// Returns the text at an index; `None` if the value is not a text in UTF-8 of at most `most`
    /// bytes.
    pub(super) fn valid_text(&self, at: c_int, most: usize) -> Option<String> {
        let valid = |text: &[u8]| Some(str::from_utf8(text).ok()?.to_owned());
        self.read_text(at, |text| (text.len() <= most).then(|| valid(text)))??
    }

    /// Returns the number of elements of the list at an index; 0 if the value is not a table.
    pub(super) fn length(&self, at: c_int) -> usize {
        if self.kind(at) != ffi::LUA_TTABLE {
            return 0;
        }
        // SAFETY: there is a table at that index; metamethods are not called.
        unsafe { ffi::lua_objlen(self.raw, at) }
    }

    /// Returns the line at which the function at an index is defined; `None` if the value is not a
    /// Luau function.
    pub(super) fn line_of_function(&self, at: c_int) -> Option<c_int> {
        // SAFETY: `place` is the index of a Luau function, relative to the top; `info` is valid for
        // writes.
        unsafe {
            if ffi::lua_isLfunction(self.raw, self.place(at)) == 0 {
                return None;
            }
            let mut info: ffi::lua_Debug = std::mem::zeroed();
            let place = at - self.top() - 1;
            (ffi::lua_getinfo(self.raw, place, c"s".as_ptr(), &raw mut info) != 0)
                .then_some(info.linedefined)
        }
    }

    /// Returns the index `at` after checking that it has a value.
    fn place(&self, at: c_int) -> c_int {
        assert!((1..=self.top()).contains(&at), "there is a value at {at}");
        at
    }

    /// Makes room for a few more values on the stack.
    fn reserve(&self) {
        // SAFETY: raises an error if the stack cannot grow.
        unsafe { ffi::luaL_checkstack(self.raw, 4, ptr::null()) }
    }

    pub(super) fn push_nil(&self) {
        self.reserve();
        // SAFETY: there is room, here and in the following methods.
        unsafe { ffi::lua_pushnil(self.raw) }
    }

    pub(super) fn push_boolean(&self, value: bool) {
        self.reserve();
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_pushboolean(self.raw, value.into()) }
    }

    pub(super) fn push_number(&self, number: f64) {
        self.reserve();
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_pushnumber(self.raw, number) }
    }

    pub(super) fn push_text(&self, text: impl AsRef<[u8]>) {
        self.reserve();
        let text = text.as_ref();
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_pushlstring_(self.raw, text.as_ptr().cast(), text.len()) }
    }

    /// Pushes a copy of the value at an index.
    pub(super) fn push_copy(&self, at: c_int) {
        self.reserve();
        // SAFETY: there is a value at that index, and room for one more.
        unsafe { ffi::lua_pushvalue(self.raw, self.place(at)) }
    }

    /// Pushes a table with room for `list` elements and `fields` fields, and returns its index.
    pub(super) fn push_table(&self, list: usize, fields: usize) -> c_int {
        self.reserve();
        let room = |count: usize| c_int::try_from(count).unwrap_or(0);
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_createtable(self.raw, room(list), room(fields)) };
        self.top()
    }

    /// Pushes a buffer and returns the address of its bytes. They do not move as long as the buffer
    /// is alive.
    pub(super) fn push_buffer(&self, bytes: usize) -> *mut u8 {
        self.reserve();
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_newbuffer(self.raw, bytes).cast() }
    }

    /// Pushes a C function with the last `upvalues` values as its upvalues.
    ///
    /// # Safety
    /// The function must follow the rules of Luau's C interface.
    pub(super) unsafe fn push_c_function(
        &self,
        function: ffi::lua_CFunction,
        name: &'static CStr,
        upvalues: c_int,
    ) {
        self.reserve();
        assert!(
            (0..=self.top()).contains(&upvalues),
            "upvalues on the stack"
        );
        // SAFETY: the upvalues are on the stack, which has room for the function.
        unsafe { ffi::lua_pushcclosured(self.raw, function, name.as_ptr(), upvalues) }
    }

    pub(super) fn push_pointer(&self, pointer: *const c_void) {
        self.reserve();
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_pushlightuserdata(self.raw, pointer.cast_mut()) }
    }

    /// Pushes the globals of the state.
    pub(super) fn push_globals(&self) {
        self.reserve();
        // SAFETY: the stack has room for one more value.
        unsafe { ffi::lua_pushvalue(self.raw, ffi::LUA_GLOBALSINDEX) }
    }

    /// Pops a value into a slot of the registry.
    pub(super) fn save(&self, slot: impl Into<c_int>) {
        self.place(self.top());
        // SAFETY: the registry is a table that scripts cannot access.
        unsafe { ffi::lua_rawseti_(self.raw, ffi::LUA_REGISTRYINDEX, slot.into()) }
    }

    /// Pushes the value in a slot of the registry and returns its index.
    pub(super) fn load(&self, slot: Slot) -> c_int {
        self.reserve();
        // SAFETY: the stack has room; the registry is a table.
        unsafe { ffi::lua_rawgeti_(self.raw, ffi::LUA_REGISTRYINDEX, slot.into()) };
        self.top()
    }

    /// Pushes a field of the table at an index, without metamethods, and returns its index.
    pub(super) fn get(&self, table: c_int, field: impl AsRef<[u8]>) -> c_int {
        self.table(table);
        self.push_text(field);
        // SAFETY: there is a table at that index, here and in the following methods.
        unsafe { ffi::lua_rawget(self.raw, table) };
        self.top()
    }

    /// Pushes an element of the list at an index, without metamethods, and returns its index.
    pub(super) fn get_element(&self, table: c_int, index: usize) -> c_int {
        self.table(table);
        self.reserve();
        let index = c_int::try_from(index).unwrap_or(0);
        // SAFETY: there is a table at that index, and the stack has room.
        unsafe { ffi::lua_rawgeti_(self.raw, table, index) };
        self.top()
    }

    /// Pops a value into a field of the table at an index.
    pub(super) fn set(&self, table: c_int, field: impl AsRef<[u8]>) {
        self.table(table);
        self.push_text(field);
        let top = self.top();
        assert!(table < top - 1, "a value above the table");
        // SAFETY: there is a table at that index, below the value on top.
        unsafe {
            ffi::lua_insert(self.raw, top - 1);
            ffi::lua_rawset(self.raw, table);
        }
    }

    /// Pops a value into an element of the list at an index.
    pub(super) fn set_element(&self, table: c_int, index: usize) {
        self.table(table);
        assert!(table < self.top(), "a value above the table");
        let index = c_int::try_from(index).unwrap_or(0);
        // SAFETY: there is a table at that index, below the value on top.
        unsafe { ffi::lua_rawseti_(self.raw, table, index) }
    }

    /// Pushes the next key and value of the table at an index and advances `iterator`, which starts
    /// at 0. Returns `false` at the end.
    pub(super) fn next_entry(&self, table: c_int, iterator: &mut c_int) -> bool {
        self.table(table);
        self.reserve();
        // SAFETY: there is a table at that index, and the stack has room.
        *iterator = unsafe { ffi::lua_rawiter(self.raw, table, *iterator) };
        *iterator >= 0
    }

    /// Makes the table at an index read-only.
    pub(super) fn freeze(&self, table: c_int) {
        self.table(table);
        // SAFETY: there is a table at that index.
        unsafe { ffi::lua_setreadonly(self.raw, table, 1) }
    }

    fn table(&self, at: c_int) {
        assert_eq!(self.kind(at), ffi::LUA_TTABLE, "there is a table at {at}");
    }

    /// Calls the function below the last `arguments` values. Function and arguments are replaced by
    /// `results` values.
    pub(super) fn call(&self, arguments: c_int, results: c_int) {
        assert!(
            arguments >= 0 && results >= 0 && self.top() > arguments,
            "a call on the stack"
        );
        self.reserve();
        // SAFETY: function and arguments are on the stack; `lua_call` makes room for the results.
        unsafe { ffi::lua_call(self.raw, arguments, results) }
    }

    /// Pushes the function of a compiled chunk; `name` is the chunk's name in messages.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn push_chunk(&self, name: &str, bytecode: &Bytecode) -> LuaResult {
        self.reserve();
        let name = CString::new(format!("={name}")).unwrap_or_default();
        let (data, size) = (bytecode.0.as_ptr().cast::<c_char>(), bytecode.0.len());
        // SAFETY: the bytecode is from the compiler. Loading raises no errors. Native code is
        // generated for the function that has been pushed.
        unsafe {
            if ffi::luau_load(self.raw, name.as_ptr(), data, size, 0) != 0 {
                return Err(pop_error(self.raw, ffi::LUA_ERRSYNTAX));
            }
            if ffi::luau_codegen_supported() != 0 {
                ffi::luau_codegen_compile(self.raw, -1);
            }
        }
        Ok(())
    }
}

/// A compiled chunk.
#[derive(Debug)]
pub(super) struct Bytecode(Vec<u8>);

unsafe extern "C" {
    /// `FInt::LuauCompileInlineDepth` of Luau's compiler: maximum depth of inlined calls.
    #[link_name = "_ZN4FInt22LuauCompileInlineDepthE"]
    static mut INLINE_DEPTH: c_int;
}

/// Maximum size of a compiled file in bytes: eight times the maximum size of its source.
const BYTECODE_MAX: usize = 2 << 20;

/// Compiles a chunk. Library functions in `disabled` are always called through their globals, even
/// if the compiler has a faster replacement.
///
/// Calls are inlined one level deep. With Luau's default of five levels, a page of source can
/// become gigabytes of code.
///
/// # Errors
/// Returns Luau's message, which begins with the line, or a message that the code is too large.
pub(super) fn compile(source: &str, disabled: &[&CStr]) -> Result<Bytecode, String> {
    let names: Vec<*const c_char> = disabled
        .iter()
        .map(|name| name.as_ptr())
        .chain([ptr::null()])
        .collect();
    let mut options = ffi::lua_CompileOptions::default();
    options.optimizationLevel = 2;
    options.debugLevel = 1;
    options.disabledBuiltins = names.as_ptr();
    // SAFETY: the first field of Luau's flag is its value, an `int` that is written only here.
    unsafe { AtomicI32::from_ptr(&raw mut INLINE_DEPTH) }.store(1, Relaxed);
    // SAFETY: the names outlive the call. The compiler returns its errors as bytecode.
    let bytecode = unsafe { ffi::luau_compile(source.as_bytes(), options) };
    match bytecode.split_first() {
        Some((0, message)) => {
            let message = String::from_utf8_lossy(message);
            Err(message.trim_start_matches(':').to_owned())
        }
        // Constants that the compiler computes can be longer than their source.
        _ if bytecode.len() > BYTECODE_MAX => Err(format!(
            "1: {} KiB of compiled code and constants; at most {} KiB are allowed",
            bytecode.len() / 1024,
            BYTECODE_MAX / 1024
        )),
        _ => Ok(Bytecode(bytecode)),
    }
}

/// Runs `f` in a protected call.
///
/// # Errors
/// Returns the error of the machine that ended the call, or the error of `f`.
///
/// # Safety
/// `raw` must be valid and not in use by a caller.
pub(super) unsafe fn protect<R>(
    raw: RawState,
    f: impl FnOnce(&LuaState) -> LuaResult<R>,
) -> LuaResult<R> {
    unsafe extern "C-unwind" fn run(raw: RawState) -> c_int {
        // SAFETY: the argument is `call` below, which lives until `lua_cpcall` returns.
        unsafe {
            let call = ffi::lua_tolightuserdata(raw, 1).cast::<&mut dyn FnMut(&LuaState)>();
            ffi::lua_settop(raw, 0);
            (*call)(&LuaState::new(raw));
        }
        0
    }
    let (mut f, mut outcome) = (Some(f), None);
    let mut call: &mut dyn FnMut(&LuaState) = &mut |state| outcome = f.take().map(|f| f(state));
    // SAFETY: required from the caller. After an error the message is on the stack.
    unsafe {
        let status = ffi::lua_cpcall(raw, run, (&raw mut call).cast());
        if status == ffi::LUA_OK {
            outcome.unwrap_or(Err(Error::Memory))
        } else {
            Err(pop_error(raw, status))
        }
    }
}

/// Pops the error of a protected call.
///
/// # Safety
/// `raw` must be valid, and a protected call must just have ended with `status`.
pub(super) unsafe fn pop_error(raw: RawState, status: c_int) -> Error {
    // SAFETY: required from the caller: the error is the last value. No values are created.
    unsafe {
        let state = LuaState::new(raw);
        let top = state.top();
        let error = match state.text(top) {
            _ if status == ffi::LUA_ERRMEM => Error::Memory,
            Some(text) if text == "not enough memory" => Error::Memory,
            Some(text) => Error::Message(text),
            None => Error::Message(format!("<{}>", state.type_name(top))),
        };
        state.truncate(top - 1);
        error
    }
}

/// Adds a traceback to the text of an error. This is the error handler for calls of scripts.
///
/// # Safety
/// Luau must call it with a valid state.
pub(super) unsafe extern "C-unwind" fn traceback(raw: RawState) -> c_int {
    // SAFETY: required from the caller; the error is the argument.
    unsafe {
        if ffi::lua_checkstack(raw, ffi::LUA_MINSTACK) == 0 {
            return 1;
        }
        let text = ffi::luaL_tolstring_(raw, 1, ptr::null_mut());
        ffi::luaL_traceback(raw, raw, text, 1);
        1
    }
}

/// A slot of the registry.
#[derive(Clone, Copy)]
#[repr(i32)]
pub(super) enum Slot {
    /// Error handler that adds tracebacks.
    Handler = 1,
    /// Luau's `math.randomseed`.
    RandomSeed,
    /// Chunk of the script.
    Chunk,
    /// Config of the script.
    Config,
    /// Function `require`, which must stay alive even if the script drops it, because it holds the
    /// chunks of helper files.
    Require,
    /// Decoder's function that creates the tables of actions.
    Learn,
    /// Decoder's function that creates an instance of a bot.
    Instance,
    /// Tables of actions by number.
    Moves,
    /// Lists of the cards of actions, by number.
    CardLists,
    /// Names of cards; the index is the card's number plus 1.
    Names,
    /// Buffer for records.
    Buffer,
    /// Table that the script's chunk has returned. This slot and the following ones belong to the
    /// current block.
    Bot,
    /// Function that calls `act` of the instance.
    Decide,
    /// Function `block_start`; nil if the bot does not define it.
    BlockStart,
    /// Function that calls `deal_start`; nil if the bot does not define it.
    DealStart,
    /// Function that calls `deal_end`; nil if the bot does not define it.
    DealEnd,
    /// List of legal actions.
    Legal,
    /// Argument of `block_start`.
    Info,
    /// Function of a test in the script.
    Test,
}

impl Slot {
    /// The last slot.
    pub(super) const LAST: Slot = Slot::Test;
}

impl From<Slot> for c_int {
    fn from(slot: Slot) -> c_int {
        slot as c_int
    }
}
