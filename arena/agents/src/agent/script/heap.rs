//! The heap of a machine, kept so that nothing that a script sees of it hangs on addresses, on the
//! clock or on earlier blocks.
//!
//! Luau starts its collector by a clock, and mlua bounds the pages that are taken, which hang on
//! how the heap was left. Here the collector is stopped, and runs whole cycles when the bytes of
//! living and dead objects reach a bound; what a script may use is what is alive after such a
//! cycle. Every object has a number from the order in which objects were made, which stands in for
//! its address wherever one could be seen.
#![expect(
    unsafe_code,
    reason = "Luau's callbacks for memory and collection have no safe face"
)]

use super::raw;
use mlua::{Lua, ffi};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr;

/// Bytes that are taken and count as one step.
const BYTES_PER_STEP: usize = 256;
/// The collector runs when the heap has grown by this much at the least.
const GROWTH_MIN: usize = 1 << 20;
const GROWTH_STEP: usize = 1 << 16;
/// Bytes that the host keeps for the name of an object.
const NAME_BYTES: usize = 32;
/// Bytes that a block may leave behind without another machine being made.
const LEFT_MAX: usize = 4096;
/// Objects lie at multiples of 8 bytes in pages of this many.
const PAGE_BITS: u32 = 14;
const SLOTS: usize = 1 << (PAGE_BITS - 3);
/// Cycles until the heap of a machine that has served a block is surely as small as it gets.
const CYCLES_MAX: usize = 20;

/// Pages that are found without a look into the list of all.
const NEAR: usize = 64;

type Page = [u32; SLOTS];

/// What is known of a machine's heap.
#[derive(Debug)]
pub(super) struct Heap {
    /// The number of the object that was made last at an address.
    births: HashMap<usize, Box<Page>>,
    /// Pages that were used last, by the low bits of their numbers.
    near: [(usize, *mut Page); NEAR],
    born: u32,
    /// Names given, by number. They are the script's doing, so each counts as [`NAME_BYTES`] of
    /// its memory.
    names: HashMap<u32, u32>,
    /// Bytes of the longest text that was made before the machine was ready: the longest in the
    /// script's source.
    longest: usize,
    /// Bytes in use when they were last counted, and those taken since.
    counted: usize,
    taken: usize,
    /// Bytes in use from which on the collector is to run.
    trigger: usize,
    /// Bytes that may be alive after a cycle, and bytes that may be in use at any time.
    limit: usize,
    cap: usize,
    /// What a script may use.
    allowed: usize,
    /// Bytes taken that are not yet a step.
    rest: usize,
    /// Where a cycle that has been asked for stands: 0 where none has.
    cycle: u8,
    /// Bytes in use, and objects made, when the machine was new.
    new: (usize, u32),
}

thread_local! {
    /// The heaps of the thread's machines by the address of their callbacks, and the one that was used last.
    static HEAPS: RefCell<HashMap<usize, *mut Heap>> = RefCell::default();
    static LAST: Cell<(usize, *mut Heap)> = const { Cell::new((0, ptr::null_mut())) };
}

/// A heap that is kept while this lives; the machine has to be gone before.
#[derive(Debug)]
pub(super) struct Kept {
    key: usize,
    heap: *mut Heap,
    /// The machine's main thread.
    state: *mut ffi::lua_State,
}

impl Kept {
    /// Begins to keep the heap of `lua`.
    pub(super) fn new(lua: &Lua) -> mlua::Result<Kept> {
        let heap = Box::into_raw(Box::new(Heap {
            births: HashMap::new(),
            near: [(usize::MAX, ptr::null_mut()); NEAR],
            born: 0,
            names: HashMap::new(),
            longest: 0,
            counted: 0,
            taken: 0,
            trigger: usize::MAX,
            limit: usize::MAX,
            cap: usize::MAX,
            allowed: usize::MAX,
            rest: 0,
            cycle: 0,
            new: (0, 0),
        }));
        let mut kept = Kept {
            key: 0,
            heap,
            state: ptr::null_mut(),
        };
        let place = &raw mut kept;
        // SAFETY: the state is valid within `exec_raw`, and `kept` outlives it; the callback is a
        // plain function.
        unsafe {
            lua.exec_raw::<()>((), |state| {
                let callbacks = ffi::lua_callbacks(state);
                (*callbacks).onallocate = Some(allocated);
                ffi::lua_gc(state, ffi::LUA_GCSTOP, 0);
                (*place).key = callbacks as usize;
                (*place).state = ffi::lua_mainthread(state);
            })?;
        }
        HEAPS.with_borrow_mut(|heaps| heaps.insert(kept.key, heap));
        Ok(kept)
    }

    fn heap(&self) -> *mut Heap {
        self.heap
    }

    /// The machine is made: so many bytes more than now may be alive.
    pub(super) fn bound(&self, lua: &Lua, bytes: usize) -> mlua::Result<()> {
        let mut size = usize::MAX;
        // Cycles until nothing shrinks any more.
        for _ in 0..CYCLES_MAX {
            let now = collect(lua)?;
            if now == size {
                break;
            }
            size = now;
        }
        // SAFETY: the heap lives as long as `self`, and nothing of the machine runs meanwhile.
        let heap = unsafe { &mut *self.heap() };
        heap.new = (size, heap.born);
        heap.allowed = bytes;
        heap.begin(size);
        Ok(())
    }

    /// Bytes of the longest text in the script's source.
    pub(super) fn longest(&self) -> usize {
        // SAFETY: as in `bound`.
        unsafe { &*self.heap() }.longest
    }

    /// A block begins: whether the heap is as it was when the machine was made, or nearly so: some
    /// dead bytes stay behind.
    pub(super) fn renew(&self, lua: &Lua) -> mlua::Result<bool> {
        // SAFETY: as in `bound`.
        let size = unsafe { &*self.heap() }.new.0;
        let mut last = usize::MAX;
        for _ in 0..CYCLES_MAX {
            let now = collect(lua)?;
            if now == size || now == last {
                last = now;
                break;
            }
            last = now;
        }
        let is_as_new = last.abs_diff(size) <= LEFT_MAX;
        if is_as_new {
            // SAFETY: as in `bound`.
            unsafe { &mut *self.heap() }.begin(last);
        }
        Ok(is_as_new)
    }

    /// Runs `make`, in which the host makes objects of its own: they do not count as the script's
    /// memory.
    pub(super) fn as_host<R>(
        &self,
        _alive: &Lua,
        make: impl FnOnce() -> mlua::Result<R>,
    ) -> mlua::Result<R> {
        // SAFETY: the machine is there while it is borrowed, and with it its main thread.
        let before = unsafe { count(self.state) };
        // SAFETY: as in `bound`; no reference is held while `make` runs.
        let (trigger, cap) = unsafe {
            let heap = &mut *self.heap();
            (
                std::mem::replace(&mut heap.trigger, usize::MAX),
                std::mem::replace(&mut heap.cap, usize::MAX),
            )
        };
        let made = make();
        // SAFETY: as above.
        let more = unsafe { count(self.state) }.saturating_sub(before);
        // SAFETY: as above.
        let heap = unsafe { &mut *self.heap() };
        heap.trigger = trigger.saturating_add(more);
        heap.cap = cap.saturating_add(more);
        heap.limit = heap.limit.saturating_add(more);
        made
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        LAST.set((0, ptr::null_mut()));
        // Threads end in any order; where the list is gone there is nothing to be found in it.
        _ = HEAPS.try_with(|heaps| heaps.borrow_mut().remove(&self.key));
        // SAFETY: made by `Box::into_raw`, and no longer found by anybody.
        drop(unsafe { Box::from_raw(self.heap) });
    }
}

impl Heap {
    /// Begins a block in a machine that is as new, with so many bytes in use. All that is set is
    /// counted from them.
    fn begin(&mut self, size: usize) {
        self.names = HashMap::new();
        (self.born, self.counted, self.taken, self.rest, self.cycle) = (self.new.1, size, 0, 0, 0);
        self.limit = size.saturating_add(self.allowed);
        self.trigger = grown(size);
        self.cap = self
            .trigger
            .max(size.saturating_add(self.allowed.saturating_mul(2)))
            .saturating_add(GROWTH_MIN);
    }

    fn page(&mut self, number: usize) -> *mut Page {
        let near = &mut self.near[number % NEAR];
        if near.0 != number {
            let page = self
                .births
                .entry(number)
                .or_insert_with(|| Box::new([0; SLOTS]));
            *near = (number, ptr::from_mut(&mut **page));
        }
        near.1
    }

    /// An object is made at an address.
    fn bear(&mut self, address: usize) {
        self.born = self.born.saturating_add(1);
        let (page, born) = (self.page(address >> PAGE_BITS), self.born);
        // SAFETY: pages are boxed, never removed, and written by this alone.
        unsafe { (*page)[(address >> 3) & (SLOTS - 1)] = born };
    }

    /// The number of the object at an address: objects made earlier have lower ones.
    fn number(&mut self, address: usize) -> u32 {
        let page = self.page(address >> PAGE_BITS);
        // SAFETY: as in `bear`.
        unsafe { (&*page)[(address >> 3) & (SLOTS - 1)] }
    }

    /// What a script calls the object: 1 for the first that is named in a block, and so on.
    fn name(&mut self, address: usize) -> u32 {
        let number = self.number(address);
        let next = u32::try_from(self.names.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        *self.names.entry(number).or_insert(next)
    }

    /// Bytes have been taken.
    fn take(&mut self, state: *mut ffi::lua_State, old: usize, new: usize) {
        self.taken += new.saturating_sub(old);
        if self.counted + self.taken <= self.trigger
            || self.cycle != 0 && self.counted + self.taken <= self.cap
        {
            return;
        }
        // SAFETY: Luau's own count, of a valid state.
        (self.counted, self.taken) = (unsafe { count(state) }, 0);
        if self.counted > self.cap {
            raw::starve();
        }
        if self.counted > self.trigger && self.cycle == 0 {
            self.cycle = 1;
            // SAFETY: this sets the collector's threshold and nothing else; Luau starts a cycle at
            // its next safe place.
            unsafe { ffi::lua_gc(state, ffi::LUA_GCRESTART, 0) };
        }
    }
}

/// The size at which the collector runs next, after it has left `size` bytes. What few bytes stay
/// behind from other blocks makes no difference to how much there is to be taken until then.
fn grown(size: usize) -> usize {
    size.saturating_add(GROWTH_MIN.max(size / GROWTH_STEP * GROWTH_STEP))
}

fn find(state: *mut ffi::lua_State) -> Option<*mut Heap> {
    // SAFETY: Luau calls with a valid state.
    let key = unsafe { ffi::lua_callbacks(state) } as usize;
    let (last, heap) = LAST.get();
    if last == key {
        return Some(heap);
    }
    let heap = HEAPS
        .try_with(|heaps| heaps.borrow().get(&key).copied())
        .ok()
        .flatten()?;
    LAST.set((key, heap));
    Some(heap)
}

/// Luau calls this when it has taken memory. Whatever makes or copies takes as much memory, so this
/// is where such work is counted.
unsafe extern "C-unwind" fn allocated(
    state: *mut ffi::lua_State,
    block: *mut c_void,
    old: usize,
    new: usize,
    _: u8,
    kind: c_int,
    _: c_int,
) {
    let Some(heap) = find(state) else { return };
    // SAFETY: heaps are found while they are kept, machines are of one thread, and no other
    // reference lives meanwhile.
    let heap = unsafe { &mut *heap };
    if matches!(
        kind,
        ffi::LUA_TTABLE | ffi::LUA_TFUNCTION | ffi::LUA_TTHREAD | ffi::LUA_TBUFFER
    ) {
        heap.bear(block as usize);
    }
    heap.take(state, old, new);
    if kind == ffi::LUA_TSTRING {
        if raw::is_metered() {
            raw::has_text(new);
        } else if heap.allowed == usize::MAX {
            heap.longest = heap.longest.max(new);
        }
    }
    if raw::is_metered() {
        let bytes = heap.rest + new;
        heap.rest = bytes % BYTES_PER_STEP;
        if bytes >= BYTES_PER_STEP {
            raw::charge((bytes / BYTES_PER_STEP) as u64);
        }
    }
}

/// Luau's collector reports: twice for each of its steps, before and after.
pub(super) fn collecting(state: *mut ffi::lua_State) {
    let Some(heap) = find(state) else { return };
    // SAFETY: as in `allocated`; Luau's collector makes no objects.
    let heap = unsafe { &mut *heap };
    match heap.cycle {
        0 => {}
        1 => heap.cycle = 2,
        _ => {
            // SAFETY: a place where Luau itself collects.
            heap.counted = unsafe {
                ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
                ffi::lua_gc(state, ffi::LUA_GCSTOP, 0);
                count(state)
            };
            (heap.taken, heap.cycle) = (0, 0);
            heap.trigger = grown(heap.counted);
            if heap.counted.saturating_add(heap.names.len() * NAME_BYTES) > heap.limit {
                raw::starve();
            }
        }
    }
}

/// The number of an object by which objects that are keys are put in order: that of its making.
pub(super) fn number(state: *mut ffi::lua_State, address: *const c_void) -> u32 {
    // SAFETY: as in `allocated`.
    find(state).map_or(0, |heap| unsafe { &mut *heap }.number(address as usize))
}

/// The number by which a script calls an object.
pub(super) fn name(state: *mut ffi::lua_State, address: *const c_void) -> u32 {
    // SAFETY: as in `allocated`.
    find(state).map_or(0, |heap| unsafe { &mut *heap }.name(address as usize))
}

/// Numbers an object that was there before its heap was kept.
pub(super) fn bear(state: *mut ffi::lua_State, address: *const c_void) {
    if let Some(heap) = find(state) {
        // SAFETY: as in `allocated`.
        unsafe { &mut *heap }.bear(address as usize);
    }
}

/// Bytes in use.
unsafe fn count(state: *mut ffi::lua_State) -> usize {
    // SAFETY: the caller's state is valid.
    let (kilobytes, bytes) = unsafe {
        (
            ffi::lua_gc(state, ffi::LUA_GCCOUNT, 0),
            ffi::lua_gc(state, ffi::LUA_GCCOUNTB, 0),
        )
    };
    usize::try_from(kilobytes).unwrap_or(0) * 1024 + usize::try_from(bytes).unwrap_or(0)
}

/// Runs a whole cycle: the bytes in use after it.
fn collect(lua: &Lua) -> mlua::Result<usize> {
    let mut bytes = 0;
    let place = &raw mut bytes;
    // SAFETY: the state is valid within `exec_raw`, and `bytes` outlives it.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
            ffi::lua_gc(state, ffi::LUA_GCSTOP, 0);
            *place = count(state);
        })?;
    }
    Ok(bytes)
}
