//! Answers of compiled bots: descriptors, instances, statuses, choices and texts, all from the
//! bytes of the input.
//!
//! Invalid pointers are excluded, because nothing could read them. Texts and tables always have the
//! stated length.
#![expect(unsafe_code, reason = "plays a library behind the C interface")]

use super::seat::{Numbers, check};
use core::ffi::c_char;
use hattari_agents::agent::Agent;
use hattari_agents::agent::AgentFactory;
use hattari_agents::agent::plugin::{Library, PluginBot};
use hattari_agents::agent::reference::First;
use hattari_agents::record::{FaultKind, JobId};
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, Table};
use hattari_plugin::abi;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::Daihinmin;
use std::cell::RefCell;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

/// The remaining bytes for the answers of the library in play.
#[derive(Default)]
struct Script {
    bytes: Vec<u8>,
    at: usize,
    host: usize,
    text: Vec<u8>,
}

thread_local! {
    static SCRIPT: RefCell<Script> = RefCell::default();
    static DESCRIPTORS: RefCell<Vec<Descriptor>> = const { RefCell::new(Vec::new()) };
}

fn next() -> u8 {
    SCRIPT.with_borrow_mut(|script| {
        script.at += 1;
        script.bytes.get(script.at - 1).copied().unwrap_or(0)
    })
}

fn word() -> u64 {
    u64::from_le_bytes(std::array::from_fn(|_| next()))
}

fn half() -> u32 {
    u32::from_le_bytes(std::array::from_fn(|_| next()))
}

/// Returns a status: mostly success, otherwise each known failure or an undefined number.
fn status() -> abi::Status {
    match next() {
        0..=127 => abi::OK,
        byte @ 128..=160 => -i32::from(byte % 8),
        161..=170 => i32::MAX,
        171..=180 => i32::MIN,
        _ => half().cast_signed(),
    }
}

/// A descriptor with all data that it points to.
struct Descriptor {
    inner: abi::BotDescriptor,
    _texts: Vec<Vec<u8>>,
    _games: Vec<*const c_char>,
    is_null: bool,
}

impl Descriptor {
    fn new(numbers: &mut Numbers<'_>) -> Descriptor {
        let mut texts: Vec<Vec<u8>> = Vec::new();
        let mut text = |numbers: &mut Numbers<'_>, usual: &[u8]| -> *const c_char {
            let bytes = match numbers.byte() {
                0..=160 => usual.to_vec(),
                161..=175 => return ptr::null(),
                176..=180 => vec![b'a'; 5000 + 60 * 4096],
                length => (0..length / 8).map(|_| numbers.byte()).collect(),
            };
            texts.push([bytes.as_slice(), &[0]].concat());
            texts
                .last()
                .map_or(ptr::null(), |text| text.as_ptr().cast())
        };
        let [id, version, author, license, description] =
            [&b"odd"[..], b"1", b"nobody", b"MIT", b"Odd."].map(|usual| text(numbers, usual));
        let config_schema_json = text(numbers, b"{}");
        let mut games: Vec<*const c_char> = (0..numbers.byte() % 80)
            .map(|_| text(numbers, b"daihinmin/1"))
            .take_while(|game| !game.is_null())
            .collect();
        games.push(ptr::null());
        let least = abi::struct_size::<abi::BotDescriptor>();
        let struct_size = if numbers.byte() < 200 {
            least
        } else {
            u32::from(numbers.byte()) * 3
        };
        let is_null = numbers.byte() > 250;
        let list = if numbers.byte() > 245 {
            ptr::null()
        } else {
            games.as_ptr()
        };
        let flags = u32::from(numbers.byte());
        let inner = abi::BotDescriptor {
            struct_size,
            flags,
            id,
            version,
            author,
            license,
            description,
            games: list,
            config_schema_json,
        };
        Descriptor {
            inner,
            _texts: texts,
            _games: games,
            is_null,
        }
    }
}

unsafe extern "C" fn odd_count() -> u32 {
    DESCRIPTORS.with_borrow(|list| u32::try_from(list.len()).unwrap_or(0))
}

unsafe extern "C" fn odd_descriptor(index: u32) -> *const abi::BotDescriptor {
    DESCRIPTORS.with_borrow(|list| match list.get(index as usize) {
        Some(descriptor) if !descriptor.is_null => &raw const descriptor.inner,
        _ => ptr::null(),
    })
}

unsafe extern "C" fn too_many() -> u32 {
    u32::MAX
}

static ODD: abi::BotFactory = abi::BotFactory {
    count: Some(odd_count),
    descriptor: Some(odd_descriptor),
    create: Some(create),
};
static ENDLESS: abi::BotFactory = abi::BotFactory {
    count: Some(too_many),
    descriptor: Some(odd_descriptor),
    create: Some(create),
};

/// Tests descriptors of any kind: bots with names and games, or error texts.
fn describe(numbers: &mut Numbers<'_>) {
    let count = numbers.byte() % 4;
    let list: Vec<Descriptor> = (0..count).map(|_| Descriptor::new(numbers)).collect();
    DESCRIPTORS.set(list);
    for factory in [&ODD, &ENDLESS] {
        // SAFETY: the functions return null or descriptors whose texts end with zeros. They live
        // until the next input.
        match unsafe { Library::linked(Path::new("odd"), factory) } {
            Ok(library) => {
                for bot in library.bots() {
                    assert!(!bot.id.is_empty() && !bot.games.is_empty() && !bot.version.is_empty());
                    assert!(bot.games.len() <= 64 && bot.description.len() <= 4096);
                }
            }
            Err(error) => assert!(!error.cause.is_empty() && error.to_string().len() < 20_000),
        }
    }
    DESCRIPTORS.set(Vec::new());
}

/// An instance. One per thread is enough, because calls to it do not overlap.
#[repr(C)]
struct Odd {
    bot: abi::Bot,
    functions: abi::BotFunctions,
}

unsafe extern "C" fn create(
    _id: *const c_char,
    host: *const abi::Host,
    _config: abi::Text,
    error: *mut c_char,
    capacity: u32,
    out: *mut *mut abi::Bot,
) -> abi::Status {
    SCRIPT.with_borrow_mut(|script| script.host = host as usize);
    for place in 0..(usize::from(next()) * 5).min(capacity as usize) {
        // SAFETY: the host provides space for this number of bytes.
        unsafe { error.cast::<u8>().add(place).write(next()) };
    }
    let status = status();
    let missing = next();
    let keep = |bit: u8| missing < 240 || missing & bit == 0;
    let functions = abi::BotFunctions {
        block_start: keep(1).then_some(block_start as _),
        deal_start: (next() < 200).then_some(deal_start as _),
        act: keep(2).then_some(act as _),
        deal_end: (next() < 200).then_some(deal_end as _),
        get_extension: None,
        last_error: (next() < 200).then_some(last_error as _),
        destroy: keep(4).then_some(destroy as _),
    };
    let odd = Box::into_raw(Box::new(Odd {
        bot: abi::Bot {
            functions: ptr::null(),
            bot_data: ptr::null_mut(),
        },
        functions,
    }));
    // SAFETY: the pointer was just created.
    unsafe {
        (*odd).bot.functions = if next() > 250 {
            ptr::null()
        } else {
            &raw const (*odd).functions
        }
    };
    let shown: *mut abi::Bot = match next() {
        251..=252 => ptr::null_mut(),
        253.. => odd.cast::<u8>().wrapping_add(1).cast(),
        _ => odd.cast(),
    };
    // SAFETY: the pointer is the host's, for the result.
    unsafe { out.write(shown) };
    // The host does not free a rejected instance; this leaks one byte per attempt.
    status
}

unsafe extern "C" fn destroy(bot: *mut abi::Bot) {
    // SAFETY: created by `create`, freed once.
    drop(unsafe { Box::from_raw(bot.cast::<Odd>()) });
}

/// Uses the host's services, as any bot may at any time.
fn ask_services() {
    let host = SCRIPT.with_borrow(|script| script.host) as *const abi::Host;
    let choice = next();
    if choice < 200 {
        return;
    }
    // SAFETY: the host lives as long as the instance. Ids end with zeros, and texts have the stated
    // length.
    unsafe {
        let Some(get) = (*host).get_service else {
            return;
        };
        let text: Vec<u8> = (0..next()).map(|_| next()).collect();
        let text = abi::Text {
            ptr: text.as_ptr().cast(),
            len: text.len() as u64,
        };
        match choice % 4 {
            0 => {
                let log = get(host, abi::SERVICE_LOG.as_ptr()).cast::<abi::LogService>();
                if let Some(write) = (*log).write {
                    write(host, half().cast_signed(), text);
                    write(
                        host,
                        half().cast_signed(),
                        abi::Text {
                            ptr: ptr::null(),
                            len: word(),
                        },
                    );
                }
            }
            1 => {
                let rng = get(host, abi::SERVICE_RNG.as_ptr()).cast::<abi::RngService>();
                let mut numbers = [0; 256];
                if let Some(fill) = (*rng).fill {
                    fill(host, numbers.as_mut_ptr(), next().into());
                    fill(host, ptr::null_mut(), u32::MAX);
                    fill(ptr::null(), numbers.as_mut_ptr(), 1);
                }
            }
            2 => {
                let clock = get(host, abi::SERVICE_CLOCK.as_ptr()).cast::<abi::ClockService>();
                if let Some(left) = (*clock).time_left_us {
                    left(host);
                    left(ptr::null());
                }
            }
            _ => {
                assert!(get(host, ptr::null()).is_null());
                assert!(get(host, c"hattari.none/1".as_ptr()).is_null());
            }
        }
    }
}

unsafe extern "C" fn block_start(_bot: *mut abi::Bot, _info: *const abi::BlockInfo) -> abi::Status {
    ask_services();
    status()
}

unsafe extern "C" fn deal_start(_bot: *mut abi::Bot, _info: *const abi::DealInfo) -> abi::Status {
    status()
}

unsafe extern "C" fn deal_end(_bot: *mut abi::Bot, _result: *const abi::DealResult) -> abi::Status {
    ask_services();
    status()
}

unsafe extern "C" fn act(
    _bot: *mut abi::Bot,
    decision: *const abi::Decision,
    choice: *mut abi::Choice,
) -> abi::Status {
    ask_services();
    // SAFETY: the host's pointers are valid during the call.
    unsafe {
        match next() {
            0..=150 => (*choice).action = u32::from(next()) % (*decision).action_count,
            151..=200 => (*choice).action = half(),
            // Nothing is written.
            _ => {}
        }
        match next() {
            0..=200 => {}
            201..=230 => (*choice).amount = word().cast_signed(),
            _ => (*choice).struct_size = half(),
        }
    }
    status()
}

unsafe extern "C" fn last_error(_bot: *const abi::Bot) -> abi::Text {
    let text: Vec<u8> = match next() {
        0..=100 => (0..next()).map(|_| next()).collect(),
        101..=120 => vec![next(); 3000],
        121..=140 => {
            return abi::Text {
                ptr: ptr::null(),
                len: word(),
            };
        }
        _ => Vec::new(),
    };
    SCRIPT.with_borrow_mut(|script| {
        script.text = text;
        abi::Text {
            ptr: script.text.as_ptr().cast(),
            len: script.text.len() as u64,
        }
    })
}

unsafe extern "C" fn one() -> u32 {
    1
}

/// Returns the descriptor of the library in play.
unsafe extern "C" fn plain(_index: u32) -> *const abi::BotDescriptor {
    struct Shared(abi::BotDescriptor);
    // SAFETY: the descriptor never changes.
    unsafe impl Sync for Shared {}
    // SAFETY: the descriptor never changes.
    unsafe impl Send for Shared {}
    static SHARED: OnceLock<Shared> = OnceLock::new();
    let shared = SHARED.get_or_init(|| {
        let games: &'static [*const c_char; 2] =
            Box::leak(Box::new([c"daihinmin/1".as_ptr(), ptr::null()]));
        Shared(abi::BotDescriptor {
            struct_size: abi::struct_size::<abi::BotDescriptor>(),
            flags: 0,
            id: c"odd".as_ptr(),
            version: c"1".as_ptr(),
            author: ptr::null(),
            license: ptr::null(),
            description: c"Odd.".as_ptr(),
            games: games.as_ptr(),
            config_schema_json: ptr::null(),
        })
    });
    &raw const shared.0
}

static PLAYS: abi::BotFactory = abi::BotFactory {
    count: Some(one),
    descriptor: Some(plain),
    create: Some(create),
};

fn library() -> &'static Library {
    static LIBRARY: OnceLock<&'static Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        // SAFETY: there is one descriptor, which never changes.
        let library = unsafe { Library::linked(Path::new("odd"), &PLAYS) };
        Box::leak(Box::new(library.expect("its descriptor is right")))
    })
}

/// Plays a block of one bot with built-in bots. Asserts that the block is completed and that all
/// faults belong to the bot.
fn play(bytes: &[u8]) {
    SCRIPT.set(Script {
        bytes: bytes.to_vec(),
        ..Script::default()
    });
    let bot = PluginBot::new(library(), "odd").expect("it has that bot");
    let agent = match bot.open("{}") {
        Ok(agent) => agent,
        Err(agent_error) => return check(&agent_error),
    };
    let game = Daihinmin::new(<Daihinmin as Game>::Options::default())
        .expect("the default options are right");
    let mut agents: Vec<Box<dyn Agent>> = vec![agent];
    agents.resize_with(5, || Box::new(First::<Daihinmin>::default()));
    let plan = BlockPlan {
        deals: 3,
        ..BlockPlan::default()
    };
    let job = JobId {
        line_up: 0,
        block: 0,
    };
    let played =
        Table::new(&game).play_block(job, plan, &LineUpSeeds::new(1), &mut agents, &mut ());
    let (record, _) = played.unwrap_or_else(|_| panic!("nothing stops a block"));
    assert_eq!(record.deals, 3);
    assert!(
        record
            .faults
            .iter()
            .all(|fault| fault.entrant == 0 && fault.kind != FaultKind::Crash),
        "{:?}",
        record.faults
    );
    assert!(record.faults.iter().all(|fault| fault.message.len() < 8192));
    assert_eq!(record.fault_counts[1..], [0; 4]);
}

/// Reads or rejects any descriptors; plays a block of a bot with any answers.
pub(crate) fn run(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else {
        return;
    };
    if first % 2 == 0 {
        describe(&mut Numbers(rest))
    } else {
        play(rest)
    }
}
