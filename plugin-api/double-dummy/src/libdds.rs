//! The libdds library of Bo Haglund and Soren Hein, used instead of the built-in solver if it is
//! installed. Both give the same numbers.
//!
//! The library is opened at run time. It is not needed for building, and everything works without
//! it, only slower.
#![expect(
    unsafe_code,
    reason = "calls into a C library that is opened at run time"
)]

use crate::position::Position;
use hattari_games::bridge::{Card, Side, Suit};
use libloading::Library;
use std::ffi::{OsString, c_char, c_int, c_uint};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

/// File names of the library, tried in this order unless the user gives a path.
pub const LIBDDS_NAMES: [&str; 4] = ["libdds.so.0", "libdds.so", "libdds.dylib", "dds.dll"];

/// Environment variable with the path of the library.
pub const LIBDDS_PATH: &str = "HATTARI_LIBDDS";

/// The reason why libdds could not be opened or gave no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibddsError {
    /// The library was not found, or a required function is missing.
    #[error(
        "cannot open libdds ({0}); install it (Debian: libdds0) or give its path in {LIBDDS_PATH}"
    )]
    Open(String),
    /// The library rejected a position.
    #[error("libdds rejected the position (code {0})")]
    Refused(i32),
}

/// `struct deal` of the libdds header: a position. Ranks are 2 to 14. A holding is a bit set: a
/// card of rank `n` is bit `n`.
#[repr(C)]
struct RawDeal {
    trump: c_int,
    first: c_int,
    trick_suit: [c_int; 3],
    trick_rank: [c_int; 3],
    remaining: [[c_uint; 4]; 4],
}

/// `struct futureTricks` of the libdds header: the results, one entry per run of touching cards.
/// `equals` has a bit for each lower card of the run.
#[repr(C)]
#[derive(Default)]
struct RawFuture {
    nodes: c_int,
    cards: c_int,
    suit: [c_int; 13],
    rank: [c_int; 13],
    equals: [c_int; 13],
    score: [c_int; 13],
}

/// `struct DDSInfo` of the libdds header: version and settings of the library.
#[repr(C)]
struct RawInfo {
    version: [c_int; 3],
    version_text: [c_char; 10],
    system: c_int,
    bits: c_int,
    compiler: c_int,
    constructor: c_int,
    cores: c_int,
    threading: c_int,
    threads: c_int,
    thread_sizes: [c_char; 128],
    system_text: [c_char; 1024],
}

type SolveBoard =
    unsafe extern "C" fn(RawDeal, c_int, c_int, c_int, *mut RawFuture, c_int) -> c_int;

/// The opened library.
///
/// Several threads can solve at the same time, up to the number of the library's thread slots.
/// Further threads wait.
pub struct Libdds {
    solve_board: SolveBoard,
    version: [c_int; 3],
    /// Thread slots of the library that are not in use.
    free: Mutex<Vec<c_int>>,
    freed: Condvar,
    _library: Library,
}

/// The only instance in this process. There can be no second one, because the library keeps its
/// thread slots in global variables.
static OPENED: OnceLock<Result<Libdds, LibddsError>> = OnceLock::new();

/// Ends the process before the destructors of libdds run. Up to release 2.9, on Linux, they use
/// memory that is already freed (fixed in 3.0), and a process that has finished its work ends with
/// a segmentation fault.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod exit_handler {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
        fn fflush(stream: *mut c_void) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    extern "C" fn exit_now(status: c_int, _: *mut c_void) {
        // SAFETY: flushing all streams and exiting is allowed in a handler. Rust's runtime has
        // already written its own output.
        unsafe {
            fflush(std::ptr::null_mut());
            _exit(status);
        }
    }

    /// Registers a handler that ends the process, with the same exit status, before the destructors
    /// of libdds run.
    pub(super) fn skip_destructors() {
        // SAFETY: the handler does not unwind and does not use its argument.
        unsafe { on_exit(exit_now, std::ptr::null_mut()) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod exit_handler {
    pub fn skip_destructors() {}
}

impl Libdds {
    /// Opens the library at the first call; later calls return the same instance. The library is
    /// the path in the environment variable [`LIBDDS_PATH`] if it is set, otherwise the first of
    /// [`LIBDDS_NAMES`] that can be opened.
    ///
    /// # Errors
    /// Returns an error with the text of the dynamic loader if no library can be opened.
    pub fn open() -> Result<&'static Self, LibddsError> {
        OPENED
            .get_or_init(Self::open_now)
            .as_ref()
            .map_err(Clone::clone)
    }

    fn open_now() -> Result<Self, LibddsError> {
        let names: Vec<OsString> = match std::env::var_os(LIBDDS_PATH) {
            Some(path) => vec![path],
            None => LIBDDS_NAMES.iter().map(OsString::from).collect(),
        };
        let mut problem = String::new();
        for name in names {
            // SAFETY: the initialisers of libdds only allocate memory. The user is responsible for
            // a library at a path of their own.
            match unsafe { Library::new(&name) } {
                Ok(library) => return Self::from_library(library),
                Err(error) if problem.is_empty() => problem = error.to_string(),
                Err(_) => {}
            }
        }
        Err(LibddsError::Open(problem))
    }

    fn from_library(library: Library) -> Result<Self, LibddsError> {
        let open = |error: libloading::Error| LibddsError::Open(error.to_string());
        // SAFETY: the types match the declarations in the libdds header.
        let (solve_board, set_threads, info) = unsafe {
            (
                *library.get::<SolveBoard>(b"SolveBoard\0").map_err(open)?,
                *library
                    .get::<unsafe extern "C" fn(c_int)>(b"SetMaxThreads\0")
                    .map_err(open)?,
                *library
                    .get::<unsafe extern "C" fn(*mut RawInfo)>(b"GetDDSInfo\0")
                    .map_err(open)?,
            )
        };
        // SAFETY: the struct contains only integers, for which zero is valid.
        let mut facts: RawInfo = unsafe { std::mem::zeroed() };
        // SAFETY: no other thread uses the library yet. 0 requests one slot per core. `facts` has
        // the layout of the header.
        unsafe {
            set_threads(0);
            info(&raw mut facts);
        }
        if facts.version[0] < 3 {
            exit_handler::skip_destructors();
        }
        let free = Mutex::new((0..facts.threads.max(1)).collect());
        Ok(Self {
            solve_board,
            version: facts.version,
            free,
            freed: Condvar::new(),
            _library: library,
        })
    }

    /// Returns the version of the library, such as `2.9.0`.
    pub fn version(&self) -> String {
        self.version.map(|n| n.to_string()).join(".")
    }

    /// Returns, for every legal card, the number of tricks that `side` takes after it, like
    /// [`crate::Solver::tricks_by_card`]. Waits if all thread slots are in use.
    ///
    /// # Errors
    /// Returns an error if the library rejects the position.
    pub fn tricks_by_card(
        &self,
        position: &Position,
        side: Side,
    ) -> Result<Vec<(Card, u8)>, LibddsError> {
        if position.tricks_left() == 0 {
            return Ok(Vec::new());
        }
        let deal = to_raw_deal(position);
        let mut future = RawFuture::default();
        let place = self.take_slot();
        // SAFETY: the deal is well formed, `future` outlives the call, and no other thread uses
        // this slot. The arguments -1, 3 and 1 (target, solutions, mode) request the score of every
        // legal card, even if there is only one.
        let code = unsafe { (self.solve_board)(deal, -1, 3, 1, &raw mut future, place) };
        self.release_slot(place);
        if code != 1 {
            return Err(LibddsError::Refused(code));
        }
        read_tricks(&future, position, side).ok_or(LibddsError::Refused(code))
    }

    fn take_slot(&self) -> c_int {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.freed.wait_while(free, |free| free.is_empty());
        let mut free = free.unwrap_or_else(PoisonError::into_inner);
        free.pop().expect("a place is free")
    }

    fn release_slot(&self, place: c_int) {
        self.free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(place);
        self.freed.notify_one();
    }
}

fn to_raw_deal(position: &Position) -> RawDeal {
    let holding = |seat: usize, suit: Suit| {
        let cards = position.hands()[seat].of_suit(suit);
        cards
            .into_iter()
            .map(|card| 1 << (card.rank() + 2))
            .sum::<c_uint>()
    };
    let table = position.table();
    RawDeal {
        trump: position.strain().index().into(),
        first: position.leader() as c_int,
        trick_suit: std::array::from_fn(|n| table.get(n).map_or(0, |card| card.suit() as c_int)),
        trick_rank: std::array::from_fn(|n| {
            table.get(n).map_or(0, |card| c_int::from(card.rank()) + 2)
        }),
        remaining: std::array::from_fn(|seat| Suit::ALL.map(|suit| holding(seat, suit))),
    }
}

/// Returns the number of tricks that `side` takes after each legal card, or `None` if the scores of
/// the library are invalid for this position.
fn read_tricks(future: &RawFuture, position: &Position, side: Side) -> Option<Vec<(Card, u8)>> {
    let all = u8::try_from(position.tricks_left()).ok()?;
    let mut tricks = Vec::new();
    for n in 0..usize::try_from(future.cards).ok()? {
        let suit = *Suit::ALL.get(usize::try_from(*future.suit.get(n)?).ok()?)?;
        let score = u8::try_from(future.score[n])
            .ok()
            .filter(|&score| score <= all)?;
        let score = if position.to_play().side() == side {
            score
        } else {
            all - score
        };
        let ranks = (0..13u8).filter(|&rank| {
            c_int::from(rank) + 2 == future.rank[n] || future.equals[n] >> (rank + 2) & 1 == 1
        });
        tricks.extend(ranks.map(|rank| (Card::new(suit, rank), score)));
    }
    tricks.sort_by_key(|&(card, _)| card);
    let cards = tricks.iter().map(|&(card, _)| card);
    cards.eq(position.legal()).then_some(tricks)
}
