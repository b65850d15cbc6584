//! Prices of the functions in Luau's libraries: the steps that are charged for a call before the
//! function does its work.
//!
//! A call is one step, whatever the function does. Functions whose work depends on their arguments
//! are wrapped by [`charged`], which applies the function's [`ChargeRule`] and raises an error if
//! there are not enough steps left. Memory is charged when it is allocated ([`super::memory`]).
//! Reading a bounded number of texts is included in the price of steps
//! ([`meter::raise_price_for_text`]). Functions with a bounded amount of work have no rule. A test
//! calls every function of every library with the largest arguments.
#![expect(
    unsafe_code,
    reason = "these are C functions, called in place of Luau's own"
)]

use super::meter::{self, signed};
use super::state::{LuaState, RawState};
use super::structs::{self, Table};
use mlua::ffi;
use std::ffi::{CStr, c_int, c_void};
use std::slice;

/// Bytes copied per step.
const BYTES: usize = 256;
/// Values moved per step.
const VALUES: usize = 16;
/// Slots of a table visited per step.
const PLACES: usize = 32;
/// Characters read one by one per step.
const CHARACTERS: usize = 16;
/// Bytes of text parsed as numbers per step.
const NUMERALS: usize = 1024;
/// Work of a text search per step: length of the text times length of the pattern.
const PRODUCTS: usize = 512;
/// Comparisons of a sort per step.
const COMPARISONS: usize = 8;
/// Length in bytes of a pattern that raises the price of a step by one. A step of a match may read
/// the whole pattern.
const PATTERN: usize = 128;
/// Steps charged for a conversion specifier of a format string.
const ITEM: usize = 4;
/// Steps charged for a conversion specifier that prints a floating-point number.
const FRACTION: usize = 16;
/// Maximum length of a number as text, in bytes.
const NUMBER_AS_TEXT: usize = 24;

/// Maximum number of elements that `table.move` moves.
const RANGE_MAX: f64 = 100_000.0;
/// Maximum number of bytes that `string.rep` returns.
const REPEAT_MAX: f64 = 65_536.0;
/// Maximum length in bytes of a text that is searched for plain text.
const SUBJECT_MAX: usize = 4096;

/// Maximum number of values that a function can return.
const STACK_MAX: usize = 1_000_000;

/// The price of a call in steps, or an error message if the call is refused.
type Charge = Result<usize, &'static CStr>;

/// A function that returns the price of a call, given its arguments.
type ChargeRule = fn(&Args) -> Charge;

/// The library functions that have a [`ChargeRule`], by library. The globals come first.
static RULES: &[(&str, &[(&CStr, ChargeRule)])] = &[
    (
        "_G",
        &[
            (c"assert", values),
            (c"next", following),
            (c"select", values),
            (c"tonumber", numerals),
            (c"unpack", unpack),
        ],
    ),
    (
        "string",
        &[
            (c"byte", bytes),
            (c"char", numerals),
            (c"find", find),
            (c"format", format),
            (c"gmatch", pattern),
            (c"gsub", pattern),
            (c"lower", letters),
            (c"match", pattern),
            (c"pack", packing),
            (c"packsize", packing),
            (c"rep", repeated),
            (c"reverse", letters),
            (c"split", split),
            (c"unpack", packing),
            (c"upper", letters),
        ],
    ),
    (
        "table",
        &[
            (c"clear", places),
            (c"concat", concat),
            (c"find", |args| Ok(args.capacity(1) / VALUES)),
            (c"insert", |args| args.shifted(2)),
            (c"maxn", places),
            (c"move", moved),
            (c"pack", values),
            (c"remove", |args| args.shifted(1)),
            (c"sort", sort),
            (c"unpack", unpack),
        ],
    ),
    (
        "math",
        &[
            (c"clamp", numbers),
            (c"fmod", remainder),
            (c"lerp", numbers),
            (c"map", numbers),
            (c"max", numerals),
            (c"min", numerals),
            (c"noise", numbers),
        ],
    ),
    (
        "bit32",
        &[
            (c"band", numerals),
            (c"bor", numerals),
            (c"btest", numerals),
            (c"bxor", numerals),
            (c"replace", numbers),
        ],
    ),
    (
        "buffer",
        &[
            (c"copy", |args| args.copied(5, 3)),
            (c"fill", |args| args.copied(4, 1)),
            (c"writestring", |args| args.copied(4, 3)),
        ],
    ),
    (
        "utf8",
        &[
            (c"char", numerals),
            (c"codepoint", characters),
            (c"len", characters),
            (c"offset", characters),
        ],
    ),
    ("coroutine", &[(c"yield", values)]),
];

/// Functions that the compiler must not replace by inline code. That would bypass their rules and
/// the prelude, and `math.lerp` would be rounded once or twice, depending on the processor.
pub(super) const NOT_INLINE: [&CStr; 5] = [
    c"table.unpack",
    c"unpack",
    c"setmetatable",
    c"math.fmod",
    c"math.lerp",
];

/// Wraps the functions that have a rule in [`charged`]. Must be called before the libraries become
/// read-only.
pub(super) fn install(state: &LuaState) {
    state.push_globals();
    let globals = state.top();
    for (library, functions) in RULES {
        let library = state.get(globals, library);
        for (name, rule) in *functions {
            let original = original(state, library, name);
            state.push_pointer(std::ptr::from_ref(rule).cast());
            state.push_pointer(original as *const c_void);
            // SAFETY: `charged` finds the rule, which is static, and Luau's function in its upvalues.
            unsafe { state.push_c_function(charged, name, 2) };
            state.set(library, name.to_bytes());
        }
        state.truncate(globals);
    }
    // `pairs` returns the function `next` from its upvalue, which must be the charged one.
    let pairs = original(state, globals, c"pairs");
    state.get(globals, "next");
    // SAFETY: Luau's own function with its own upvalue.
    unsafe { state.push_c_function(pairs, c"pairs", 1) };
    state.set(globals, "pairs");
    state.truncate(globals - 1);
}

/// Returns Luau's C function `name` in the library at a stack index.
fn original(state: &LuaState, library: c_int, name: &CStr) -> ffi::lua_CFunction {
    let at = state.get(library, name.to_bytes());
    // SAFETY: there is a value at that index.
    let function = unsafe { ffi::lua_tocfunction(state.raw(), at) };
    state.truncate(at - 1);
    function.expect("a test checks that the functions with rules exist")
}

/// A wrapped library function: charges the steps of its rule (first upvalue) and calls Luau's
/// function (second upvalue).
unsafe extern "C-unwind" fn charged(state: RawState) -> c_int {
    // SAFETY: Luau calls with a valid state; the upvalues are those of `install`. Luau's function
    // has no upvalues and finds its arguments in place. This frame owns nothing that must be
    // dropped when an error unwinds.
    unsafe {
        let rule = &*ffi::lua_tolightuserdata(state, ffi::lua_upvalueindex(1)).cast::<ChargeRule>();
        let original = ffi::lua_tolightuserdata(state, ffi::lua_upvalueindex(2));
        match rule(&Args(state)) {
            Ok(0) => {}
            Ok(steps) => meter::charge_or_raise(state, steps as u64),
            Err(refusal) => {
                ffi::luaL_error(state, refusal.as_ptr());
            }
        }
        let original = std::mem::transmute::<*mut c_void, ffi::lua_CFunction>(original);
        original(state)
    }
}

/// The arguments of a call.
struct Args(RawState);

impl Args {
    fn count(&self) -> usize {
        // SAFETY: the state is that of a call.
        usize::try_from(unsafe { ffi::lua_gettop(self.0) }).unwrap_or(0)
    }

    fn kind(&self, at: c_int) -> c_int {
        // SAFETY: as in `count`; places beyond the arguments have no type.
        unsafe { ffi::lua_type(self.0, at) }
    }

    /// Returns argument `at`, or an empty text if it is not a text.
    fn text(&self, at: c_int) -> &[u8] {
        if self.kind(at) != ffi::LUA_TSTRING {
            return &[];
        }
        let mut length = 0;
        // SAFETY: as in `count`; the text does not move while it is an argument.
        unsafe {
            let text = ffi::lua_tolstring(self.0, at, &raw mut length);
            slice::from_raw_parts(text.cast(), length)
        }
    }

    /// Returns the length of an argument: bytes of a text or buffer, elements of a list, maximum
    /// number of bytes of a number as text.
    fn length(&self, at: c_int) -> usize {
        if self.kind(at) == ffi::LUA_TNUMBER {
            return NUMBER_AS_TEXT;
        }
        // SAFETY: as in `count`. Other values have the length 0.
        unsafe { ffi::lua_objlen(self.0, at) }
    }

    fn signed_length(&self, at: c_int) -> i64 {
        signed(self.length(at))
    }

    /// Returns the total number of bytes of all arguments that are texts.
    fn texts(&self) -> usize {
        (1..=c_int::try_from(self.count()).unwrap_or(c_int::MAX))
            .map(|at| self.text(at).len())
            .sum()
    }

    fn table(&self, at: c_int) -> Option<&Table> {
        // SAFETY: as in `count`; the table exists during the call.
        unsafe { structs::table(self.0, at).as_ref() }
    }

    fn capacity(&self, at: c_int) -> usize {
        self.table(at).map_or(0, Table::places)
    }

    /// Returns an argument as a number. A text is converted; other values give 0.
    fn number(&self, at: c_int) -> f64 {
        // SAFETY: as in `count`; this changes no argument.
        unsafe { ffi::lua_tonumberx(self.0, at, std::ptr::null_mut()) }
    }

    /// Returns an argument as an integer, as the libraries convert it: `absent` if it is missing,
    /// and the smallest 32-bit integer if it is out of range.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked, and cut off as C does"
    )]
    fn whole(&self, at: c_int, absent: i64) -> i64 {
        if self.kind(at) <= ffi::LUA_TNIL {
            return absent;
        }
        let number = self.number(at);
        if number > -2_147_483_649.0 && number < 2_147_483_648.0 {
            number as i64
        } else {
            i32::MIN.into()
        }
    }

    /// Returns the price of copying the bytes whose number is argument `count`: at most the length
    /// of argument `source`, which also applies if the number is missing or negative.
    fn copied(&self, count: c_int, source: c_int) -> Charge {
        let most = self.length(source);
        let count = usize::try_from(self.whole(count, i64::MAX)).unwrap_or(most);
        Ok(count.min(most) / BYTES)
    }

    /// Returns the length of a range. Its first position is argument `first`, by default 1. Its
    /// last position is the next argument, by default `last`.
    fn span(&self, first: c_int, last: i64) -> usize {
        let (first, last) = (self.whole(first, 1), self.whole(first + 1, last));
        usize::try_from(last - first + 1).unwrap_or(0)
    }

    /// Returns the price of moving the elements of the list from the position given by the second
    /// argument on, if there are more than `least` arguments.
    fn shifted(&self, least: usize) -> Charge {
        if self.count() <= least {
            return Ok(0);
        }
        let length = self.length(1);
        let place = usize::try_from(self.whole(2, i64::MAX)).unwrap_or(0);
        Ok((length + 1).saturating_sub(place).min(length) / VALUES)
    }
}

fn values(args: &Args) -> Charge {
    Ok(args.count() / VALUES)
}

/// Returns the price of reading all arguments as numbers, which may be given as texts.
fn numerals(args: &Args) -> Charge {
    Ok(args.count() / VALUES + args.texts() / NUMERALS)
}

/// Returns the price of reading a few arguments as numbers, which may be given as texts.
fn numbers(args: &Args) -> Charge {
    Ok(args.texts() / BYTES)
}

fn places(args: &Args) -> Charge {
    Ok(args.capacity(1) / PLACES)
}

/// Returns the price of a function that reads the characters of its first argument.
fn characters(args: &Args) -> Charge {
    Ok(args.length(1) / CHARACTERS)
}

fn letters(args: &Args) -> Charge {
    Ok(args.length(1) / BYTES)
}

fn bytes(args: &Args) -> Charge {
    let length = args.length(1);
    let from_start = |at: c_int, absent: i64| {
        let place = args.whole(at, absent);
        usize::try_from(if place < 0 {
            place + 1 + args.signed_length(1)
        } else {
            place
        })
        .unwrap_or(0)
    };
    let first = from_start(2, 1).max(1);
    let last = from_start(3, signed(first)).min(length);
    Ok((last + 1).saturating_sub(first) / VALUES)
}

fn unpack(args: &Args) -> Charge {
    let span = args.span(2, args.signed_length(1));
    // Luau rejects longer ranges.
    Ok(if span <= STACK_MAX { span / VALUES } else { 0 })
}

/// Returns the price of `table.concat`, which may have to format numbers.
fn concat(args: &Args) -> Charge {
    // `table.concat` fails at the first missing element.
    let span = args.span(3, args.signed_length(1));
    Ok(span.min(args.capacity(1) + 1) / ITEM)
}

fn moved(args: &Args) -> Charge {
    // Luau rejects arguments that are not numbers.
    let range = args.number(3) - args.number(2);
    if args.count() > 2 && (range.is_nan() || range >= RANGE_MAX) {
        return Err(c"table.move moves at most 100000 elements at once");
    }
    Ok(args.span(2, 0) / VALUES)
}

/// Returns the price of `table.sort`. Comparisons cost more if the script has long texts.
fn sort(args: &Args) -> Charge {
    let count = args.length(1);
    let comparisons = count * count.checked_ilog2().map_or(0, |bits| bits as usize + 1);
    let price = usize::try_from(meter::price()).unwrap_or(usize::MAX);
    Ok((comparisons / COMPARISONS).saturating_mul(price))
}

/// Returns the price of `next`: 0 if the next element is in the list part, where it is found at
/// once.
fn following(args: &Args) -> Charge {
    let next = match args.kind(2) {
        ffi::LUA_TNUMBER => args.number(2) + 1.0,
        ffi::LUA_TNIL | ffi::LUA_TNONE => 1.0,
        // Keys that are not numbers are in the hash part.
        _ => 0.0,
    };
    let is_near = args.table(1).is_some_and(|table| table.has_listed(next));
    Ok(if is_near {
        0
    } else {
        args.capacity(1) / PLACES
    })
}

/// Returns the price of `string.format`. Converts arguments that are objects to texts.
fn format(args: &Args) -> Charge {
    for at in 2..=c_int::try_from(args.count()).unwrap_or(0) {
        if args.kind(at) >= ffi::LUA_TTABLE {
            // SAFETY: the state is that of a call, with room for a few values; an error unwinds
            // through frames that own nothing.
            unsafe {
                ffi::luaL_tolstring_(args.0, at, std::ptr::null_mut());
                ffi::lua_replace(args.0, at);
            }
        }
    }
    let mut format = args.text(1).iter();
    let mut steps = args.count() / VALUES + args.texts() / NUMERALS + args.length(1) / BYTES;
    while format.any(|&byte| byte == b'%') {
        // Skips flags, width and precision, which are a few characters.
        let kind = format
            .by_ref()
            .find(|byte| !b"-+ #0123456789.".contains(byte));
        steps += match kind {
            Some(b'%') => 0,
            Some(b'e' | b'E' | b'f' | b'g' | b'G') => FRACTION,
            _ => ITEM,
        };
    }
    Ok(steps)
}

fn repeated(args: &Args) -> Charge {
    if args.length(1) as f64 * args.number(2) > REPEAT_MAX {
        return Err(c"string.rep can return at most 65536 bytes");
    }
    Ok(0)
}

fn packing(args: &Args) -> Charge {
    Ok(args.length(1) / ITEM + args.texts() / NUMERALS + args.count() / VALUES)
}

fn split(args: &Args) -> Charge {
    let length = args.length(1);
    if length > SUBJECT_MAX {
        return Err(c"string.split takes at most 4096 bytes");
    }
    Ok(length / ITEM + length * args.length(2) / PRODUCTS)
}

/// Returns the price of `string.find`. Searching for plain text costs less than matching a pattern.
fn find(args: &Args) -> Charge {
    // SAFETY: the state is that of a call.
    let is_plain = unsafe { ffi::lua_toboolean(args.0, 4) } != 0
        || !args.text(2).iter().any(|byte| b"^$*+?.([%-".contains(byte));
    if !is_plain {
        return pattern(args);
    }
    let length = args.length(1);
    if length > SUBJECT_MAX {
        return Err(c"string.find searches at most 4096 bytes for plain text");
    }
    Ok(length * args.length(2) / (2 * PRODUCTS) + args.length(2) / BYTES)
}

fn pattern(args: &Args) -> Charge {
    let length = args.length(2);
    if length >= PATTERN {
        meter::raise_price(1 + signed(length / PATTERN));
    }
    Ok(args.length(1).saturating_mul(length) / PRODUCTS)
}

/// Returns the price of `math.fmod`, which computes one bit of the quotient after the other.
fn remainder(args: &Args) -> Charge {
    let exponent = |at| (args.number(at).to_bits() >> 52 & 0x7ff) as usize;
    Ok(exponent(1).saturating_sub(exponent(2)) / VALUES + args.texts() / BYTES)
}
