//! Layout of the structs of [`abi`](crate::abi) in WebAssembly memory, where pointers have 4 bytes.
//! Used by hosts.
//!
//! A pointer is an address in the memory of the module; a function pointer is an index into its
//! function table. Structs that C passes or returns by value are passed by address. Numbers are
//! little-endian. [`abi`](crate::abi) documents the fields.
//!
//! Generated from `src/abi.rs`; changes to this file are lost.

use bytemuck::{Pod, Zeroable};
use core::mem::offset_of;

/// [`abi::Text`](crate::abi::Text).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Text {
    /// [`ptr`](crate::abi::Text::ptr).
    pub ptr: u32,
    /// Padding.
    pub gap: [u8; 4],
    /// [`len`](crate::abi::Text::len).
    pub len: u64,
}

const _: () = assert!(size_of::<Text>() == 16);
const _: () = assert!(offset_of!(Text, ptr) == 0);
const _: () = assert!(offset_of!(Text, len) == 8);

/// [`abi::Host`](crate::abi::Host).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Host {
    /// [`struct_size`](crate::abi::Host::struct_size).
    pub struct_size: u32,
    /// [`abi_minor`](crate::abi::Host::abi_minor).
    pub abi_minor: u32,
    /// [`host_data`](crate::abi::Host::host_data).
    pub host_data: u32,
    /// [`name`](crate::abi::Host::name).
    pub name: u32,
    /// [`version`](crate::abi::Host::version).
    pub version: u32,
    /// [`get_service`](crate::abi::Host::get_service).
    pub get_service: u32,
}

const _: () = assert!(size_of::<Host>() == 24);
const _: () = assert!(offset_of!(Host, struct_size) == 0);
const _: () = assert!(offset_of!(Host, abi_minor) == 4);
const _: () = assert!(offset_of!(Host, host_data) == 8);
const _: () = assert!(offset_of!(Host, name) == 12);
const _: () = assert!(offset_of!(Host, version) == 16);
const _: () = assert!(offset_of!(Host, get_service) == 20);

/// [`abi::LogService`](crate::abi::LogService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LogService {
    /// [`write`](crate::abi::LogService::write).
    pub write: u32,
}

const _: () = assert!(size_of::<LogService>() == 4);
const _: () = assert!(offset_of!(LogService, write) == 0);

/// [`abi::ClockService`](crate::abi::ClockService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ClockService {
    /// [`time_left_us`](crate::abi::ClockService::time_left_us).
    pub time_left_us: u32,
}

const _: () = assert!(size_of::<ClockService>() == 4);
const _: () = assert!(offset_of!(ClockService, time_left_us) == 0);

/// [`abi::RngService`](crate::abi::RngService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct RngService {
    /// [`fill`](crate::abi::RngService::fill).
    pub fill: u32,
}

const _: () = assert!(size_of::<RngService>() == 4);
const _: () = assert!(offset_of!(RngService, fill) == 0);

/// [`abi::BlockInfo`](crate::abi::BlockInfo).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BlockInfo {
    /// [`struct_size`](crate::abi::BlockInfo::struct_size).
    pub struct_size: u32,
    /// [`players`](crate::abi::BlockInfo::players).
    pub players: u32,
    /// [`player`](crate::abi::BlockInfo::player).
    pub player: u32,
    /// [`deals`](crate::abi::BlockInfo::deals).
    pub deals: u32,
    /// [`seed`](crate::abi::BlockInfo::seed).
    pub seed: u64,
    /// [`game`](crate::abi::BlockInfo::game).
    pub game: Text,
    /// [`options_json`](crate::abi::BlockInfo::options_json).
    pub options_json: Text,
}

const _: () = assert!(size_of::<BlockInfo>() == 56);
const _: () = assert!(offset_of!(BlockInfo, struct_size) == 0);
const _: () = assert!(offset_of!(BlockInfo, players) == 4);
const _: () = assert!(offset_of!(BlockInfo, player) == 8);
const _: () = assert!(offset_of!(BlockInfo, deals) == 12);
const _: () = assert!(offset_of!(BlockInfo, seed) == 16);
const _: () = assert!(offset_of!(BlockInfo, game) == 24);
const _: () = assert!(offset_of!(BlockInfo, options_json) == 40);

/// [`abi::DealInfo`](crate::abi::DealInfo).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DealInfo {
    /// [`struct_size`](crate::abi::DealInfo::struct_size).
    pub struct_size: u32,
    /// [`view_size`](crate::abi::DealInfo::view_size).
    pub view_size: u32,
    /// [`view`](crate::abi::DealInfo::view).
    pub view: u32,
    /// [`history`](crate::abi::DealInfo::history).
    pub history: u32,
    /// [`history_count`](crate::abi::DealInfo::history_count).
    pub history_count: u32,
    /// [`history_stride`](crate::abi::DealInfo::history_stride).
    pub history_stride: u32,
}

const _: () = assert!(size_of::<DealInfo>() == 24);
const _: () = assert!(offset_of!(DealInfo, struct_size) == 0);
const _: () = assert!(offset_of!(DealInfo, view_size) == 4);
const _: () = assert!(offset_of!(DealInfo, view) == 8);
const _: () = assert!(offset_of!(DealInfo, history) == 12);
const _: () = assert!(offset_of!(DealInfo, history_count) == 16);
const _: () = assert!(offset_of!(DealInfo, history_stride) == 20);

/// [`abi::Decision`](crate::abi::Decision).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Decision {
    /// [`struct_size`](crate::abi::Decision::struct_size).
    pub struct_size: u32,
    /// [`view_size`](crate::abi::Decision::view_size).
    pub view_size: u32,
    /// [`view`](crate::abi::Decision::view).
    pub view: u32,
    /// [`history`](crate::abi::Decision::history).
    pub history: u32,
    /// [`actions`](crate::abi::Decision::actions).
    pub actions: u32,
    /// [`history_count`](crate::abi::Decision::history_count).
    pub history_count: u32,
    /// [`history_stride`](crate::abi::Decision::history_stride).
    pub history_stride: u32,
    /// [`action_count`](crate::abi::Decision::action_count).
    pub action_count: u32,
    /// [`action_stride`](crate::abi::Decision::action_stride).
    pub action_stride: u32,
    /// Padding.
    pub gap: [u8; 4],
    /// [`budget_us`](crate::abi::Decision::budget_us).
    pub budget_us: i64,
}

const _: () = assert!(size_of::<Decision>() == 48);
const _: () = assert!(offset_of!(Decision, struct_size) == 0);
const _: () = assert!(offset_of!(Decision, view_size) == 4);
const _: () = assert!(offset_of!(Decision, view) == 8);
const _: () = assert!(offset_of!(Decision, history) == 12);
const _: () = assert!(offset_of!(Decision, actions) == 16);
const _: () = assert!(offset_of!(Decision, history_count) == 20);
const _: () = assert!(offset_of!(Decision, history_stride) == 24);
const _: () = assert!(offset_of!(Decision, action_count) == 28);
const _: () = assert!(offset_of!(Decision, action_stride) == 32);
const _: () = assert!(offset_of!(Decision, budget_us) == 40);

/// [`abi::Choice`](crate::abi::Choice).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Choice {
    /// [`struct_size`](crate::abi::Choice::struct_size).
    pub struct_size: u32,
    /// [`action`](crate::abi::Choice::action).
    pub action: u32,
    /// [`amount`](crate::abi::Choice::amount).
    pub amount: i64,
}

const _: () = assert!(size_of::<Choice>() == 16);
const _: () = assert!(offset_of!(Choice, struct_size) == 0);
const _: () = assert!(offset_of!(Choice, action) == 4);
const _: () = assert!(offset_of!(Choice, amount) == 8);

/// [`abi::DealResult`](crate::abi::DealResult).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DealResult {
    /// [`struct_size`](crate::abi::DealResult::struct_size).
    pub struct_size: u32,
    /// [`view_size`](crate::abi::DealResult::view_size).
    pub view_size: u32,
    /// [`view`](crate::abi::DealResult::view).
    pub view: u32,
    /// [`history`](crate::abi::DealResult::history).
    pub history: u32,
    /// [`history_count`](crate::abi::DealResult::history_count).
    pub history_count: u32,
    /// [`history_stride`](crate::abi::DealResult::history_stride).
    pub history_stride: u32,
    /// [`payoffs`](crate::abi::DealResult::payoffs).
    pub payoffs: u32,
    /// [`payoff_count`](crate::abi::DealResult::payoff_count).
    pub payoff_count: u32,
    /// [`reserved`](crate::abi::DealResult::reserved).
    pub reserved: u32,
}

const _: () = assert!(size_of::<DealResult>() == 36);
const _: () = assert!(offset_of!(DealResult, struct_size) == 0);
const _: () = assert!(offset_of!(DealResult, view_size) == 4);
const _: () = assert!(offset_of!(DealResult, view) == 8);
const _: () = assert!(offset_of!(DealResult, history) == 12);
const _: () = assert!(offset_of!(DealResult, history_count) == 16);
const _: () = assert!(offset_of!(DealResult, history_stride) == 20);
const _: () = assert!(offset_of!(DealResult, payoffs) == 24);
const _: () = assert!(offset_of!(DealResult, payoff_count) == 28);
const _: () = assert!(offset_of!(DealResult, reserved) == 32);

/// [`abi::DaihinminSearchService`](crate::abi::DaihinminSearchService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DaihinminSearchService {
    /// [`sample`](crate::abi::DaihinminSearchService::sample).
    pub sample: u32,
    /// [`playouts`](crate::abi::DaihinminSearchService::playouts).
    pub playouts: u32,
}

const _: () = assert!(size_of::<DaihinminSearchService>() == 8);
const _: () = assert!(offset_of!(DaihinminSearchService, sample) == 0);
const _: () = assert!(offset_of!(DaihinminSearchService, playouts) == 4);

/// [`abi::BridgeDoubleDummyService`](crate::abi::BridgeDoubleDummyService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BridgeDoubleDummyService {
    /// [`tricks`](crate::abi::BridgeDoubleDummyService::tricks).
    pub tricks: u32,
}

const _: () = assert!(size_of::<BridgeDoubleDummyService>() == 4);
const _: () = assert!(offset_of!(BridgeDoubleDummyService, tricks) == 0);

/// [`abi::BotFunctions`](crate::abi::BotFunctions).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BotFunctions {
    /// [`block_start`](crate::abi::BotFunctions::block_start).
    pub block_start: u32,
    /// [`deal_start`](crate::abi::BotFunctions::deal_start).
    pub deal_start: u32,
    /// [`act`](crate::abi::BotFunctions::act).
    pub act: u32,
    /// [`deal_end`](crate::abi::BotFunctions::deal_end).
    pub deal_end: u32,
    /// [`get_extension`](crate::abi::BotFunctions::get_extension).
    pub get_extension: u32,
    /// [`last_error`](crate::abi::BotFunctions::last_error).
    pub last_error: u32,
    /// [`destroy`](crate::abi::BotFunctions::destroy).
    pub destroy: u32,
}

const _: () = assert!(size_of::<BotFunctions>() == 28);
const _: () = assert!(offset_of!(BotFunctions, block_start) == 0);
const _: () = assert!(offset_of!(BotFunctions, deal_start) == 4);
const _: () = assert!(offset_of!(BotFunctions, act) == 8);
const _: () = assert!(offset_of!(BotFunctions, deal_end) == 12);
const _: () = assert!(offset_of!(BotFunctions, get_extension) == 16);
const _: () = assert!(offset_of!(BotFunctions, last_error) == 20);
const _: () = assert!(offset_of!(BotFunctions, destroy) == 24);

/// [`abi::Bot`](crate::abi::Bot).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Bot {
    /// [`functions`](crate::abi::Bot::functions).
    pub functions: u32,
    /// [`bot_data`](crate::abi::Bot::bot_data).
    pub bot_data: u32,
}

const _: () = assert!(size_of::<Bot>() == 8);
const _: () = assert!(offset_of!(Bot, functions) == 0);
const _: () = assert!(offset_of!(Bot, bot_data) == 4);

/// [`abi::BotDescriptor`](crate::abi::BotDescriptor).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BotDescriptor {
    /// [`struct_size`](crate::abi::BotDescriptor::struct_size).
    pub struct_size: u32,
    /// [`flags`](crate::abi::BotDescriptor::flags).
    pub flags: u32,
    /// [`id`](crate::abi::BotDescriptor::id).
    pub id: u32,
    /// [`version`](crate::abi::BotDescriptor::version).
    pub version: u32,
    /// [`author`](crate::abi::BotDescriptor::author).
    pub author: u32,
    /// [`license`](crate::abi::BotDescriptor::license).
    pub license: u32,
    /// [`description`](crate::abi::BotDescriptor::description).
    pub description: u32,
    /// [`games`](crate::abi::BotDescriptor::games).
    pub games: u32,
    /// [`config_schema_json`](crate::abi::BotDescriptor::config_schema_json).
    pub config_schema_json: u32,
}

const _: () = assert!(size_of::<BotDescriptor>() == 36);
const _: () = assert!(offset_of!(BotDescriptor, struct_size) == 0);
const _: () = assert!(offset_of!(BotDescriptor, flags) == 4);
const _: () = assert!(offset_of!(BotDescriptor, id) == 8);
const _: () = assert!(offset_of!(BotDescriptor, version) == 12);
const _: () = assert!(offset_of!(BotDescriptor, author) == 16);
const _: () = assert!(offset_of!(BotDescriptor, license) == 20);
const _: () = assert!(offset_of!(BotDescriptor, description) == 24);
const _: () = assert!(offset_of!(BotDescriptor, games) == 28);
const _: () = assert!(offset_of!(BotDescriptor, config_schema_json) == 32);

/// [`abi::BotFactory`](crate::abi::BotFactory).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BotFactory {
    /// [`count`](crate::abi::BotFactory::count).
    pub count: u32,
    /// [`descriptor`](crate::abi::BotFactory::descriptor).
    pub descriptor: u32,
    /// [`create`](crate::abi::BotFactory::create).
    pub create: u32,
}

const _: () = assert!(size_of::<BotFactory>() == 12);
const _: () = assert!(offset_of!(BotFactory, count) == 0);
const _: () = assert!(offset_of!(BotFactory, descriptor) == 4);
const _: () = assert!(offset_of!(BotFactory, create) == 8);

/// [`abi::Entry`](crate::abi::Entry).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Entry {
    /// [`struct_size`](crate::abi::Entry::struct_size).
    pub struct_size: u32,
    /// [`abi_major`](crate::abi::Entry::abi_major).
    pub abi_major: u32,
    /// [`abi_minor`](crate::abi::Entry::abi_minor).
    pub abi_minor: u32,
    /// [`reserved`](crate::abi::Entry::reserved).
    pub reserved: u32,
    /// [`init`](crate::abi::Entry::init).
    pub init: u32,
    /// [`get_factory`](crate::abi::Entry::get_factory).
    pub get_factory: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);
const _: () = assert!(offset_of!(Entry, struct_size) == 0);
const _: () = assert!(offset_of!(Entry, abi_major) == 4);
const _: () = assert!(offset_of!(Entry, abi_minor) == 8);
const _: () = assert!(offset_of!(Entry, reserved) == 12);
const _: () = assert!(offset_of!(Entry, init) == 16);
const _: () = assert!(offset_of!(Entry, get_factory) == 20);
