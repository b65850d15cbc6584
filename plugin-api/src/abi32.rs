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

/// The layout of [`abi::Text`](crate::abi::Text).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Text {
    /// The field [`ptr`](crate::abi::Text::ptr).
    pub ptr: u32,
    /// Padding bytes.
    pub gap: [u8; 4],
    /// The field [`len`](crate::abi::Text::len).
    pub len: u64,
}

const _: () = assert!(size_of::<Text>() == 16);
const _: () = assert!(offset_of!(Text, ptr) == 0);
const _: () = assert!(offset_of!(Text, len) == 8);

/// The layout of [`abi::Host`](crate::abi::Host).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Host {
    /// The field [`struct_size`](crate::abi::Host::struct_size).
    pub struct_size: u32,
    /// The field [`abi_minor`](crate::abi::Host::abi_minor).
    pub abi_minor: u32,
    /// The field [`host_data`](crate::abi::Host::host_data).
    pub host_data: u32,
    /// The field [`name`](crate::abi::Host::name).
    pub name: u32,
    /// The field [`version`](crate::abi::Host::version).
    pub version: u32,
    /// The field [`get_service`](crate::abi::Host::get_service).
    pub get_service: u32,
}

const _: () = assert!(size_of::<Host>() == 24);
const _: () = assert!(offset_of!(Host, struct_size) == 0);
const _: () = assert!(offset_of!(Host, abi_minor) == 4);
const _: () = assert!(offset_of!(Host, host_data) == 8);
const _: () = assert!(offset_of!(Host, name) == 12);
const _: () = assert!(offset_of!(Host, version) == 16);
const _: () = assert!(offset_of!(Host, get_service) == 20);

/// The layout of [`abi::LogService`](crate::abi::LogService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LogService {
    /// The field [`write`](crate::abi::LogService::write).
    pub write: u32,
}

const _: () = assert!(size_of::<LogService>() == 4);
const _: () = assert!(offset_of!(LogService, write) == 0);

/// The layout of [`abi::ClockService`](crate::abi::ClockService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ClockService {
    /// The field [`time_left_us`](crate::abi::ClockService::time_left_us).
    pub time_left_us: u32,
}

const _: () = assert!(size_of::<ClockService>() == 4);
const _: () = assert!(offset_of!(ClockService, time_left_us) == 0);

/// The layout of [`abi::RngService`](crate::abi::RngService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct RngService {
    /// The field [`fill`](crate::abi::RngService::fill).
    pub fill: u32,
}

const _: () = assert!(size_of::<RngService>() == 4);
const _: () = assert!(offset_of!(RngService, fill) == 0);

/// The layout of [`abi::BlockInfo`](crate::abi::BlockInfo).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BlockInfo {
    /// The field [`struct_size`](crate::abi::BlockInfo::struct_size).
    pub struct_size: u32,
    /// The field [`players`](crate::abi::BlockInfo::players).
    pub players: u32,
    /// The field [`player`](crate::abi::BlockInfo::player).
    pub player: u32,
    /// The field [`deals`](crate::abi::BlockInfo::deals).
    pub deals: u32,
    /// The field [`seed`](crate::abi::BlockInfo::seed).
    pub seed: u64,
    /// The field [`game`](crate::abi::BlockInfo::game).
    pub game: Text,
    /// The field [`options_json`](crate::abi::BlockInfo::options_json).
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

/// The layout of [`abi::DealInfo`](crate::abi::DealInfo).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DealInfo {
    /// The field [`struct_size`](crate::abi::DealInfo::struct_size).
    pub struct_size: u32,
    /// The field [`view_size`](crate::abi::DealInfo::view_size).
    pub view_size: u32,
    /// The field [`view`](crate::abi::DealInfo::view).
    pub view: u32,
    /// The field [`history`](crate::abi::DealInfo::history).
    pub history: u32,
    /// The field [`history_count`](crate::abi::DealInfo::history_count).
    pub history_count: u32,
    /// The field [`history_stride`](crate::abi::DealInfo::history_stride).
    pub history_stride: u32,
}

const _: () = assert!(size_of::<DealInfo>() == 24);
const _: () = assert!(offset_of!(DealInfo, struct_size) == 0);
const _: () = assert!(offset_of!(DealInfo, view_size) == 4);
const _: () = assert!(offset_of!(DealInfo, view) == 8);
const _: () = assert!(offset_of!(DealInfo, history) == 12);
const _: () = assert!(offset_of!(DealInfo, history_count) == 16);
const _: () = assert!(offset_of!(DealInfo, history_stride) == 20);

/// The layout of [`abi::Decision`](crate::abi::Decision).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Decision {
    /// The field [`struct_size`](crate::abi::Decision::struct_size).
    pub struct_size: u32,
    /// The field [`view_size`](crate::abi::Decision::view_size).
    pub view_size: u32,
    /// The field [`view`](crate::abi::Decision::view).
    pub view: u32,
    /// The field [`history`](crate::abi::Decision::history).
    pub history: u32,
    /// The field [`actions`](crate::abi::Decision::actions).
    pub actions: u32,
    /// The field [`history_count`](crate::abi::Decision::history_count).
    pub history_count: u32,
    /// The field [`history_stride`](crate::abi::Decision::history_stride).
    pub history_stride: u32,
    /// The field [`action_count`](crate::abi::Decision::action_count).
    pub action_count: u32,
    /// The field [`action_stride`](crate::abi::Decision::action_stride).
    pub action_stride: u32,
    /// Padding bytes.
    pub gap: [u8; 4],
    /// The field [`budget_us`](crate::abi::Decision::budget_us).
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

/// The layout of [`abi::Choice`](crate::abi::Choice).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Choice {
    /// The field [`struct_size`](crate::abi::Choice::struct_size).
    pub struct_size: u32,
    /// The field [`action`](crate::abi::Choice::action).
    pub action: u32,
    /// The field [`amount`](crate::abi::Choice::amount).
    pub amount: i64,
}

const _: () = assert!(size_of::<Choice>() == 16);
const _: () = assert!(offset_of!(Choice, struct_size) == 0);
const _: () = assert!(offset_of!(Choice, action) == 4);
const _: () = assert!(offset_of!(Choice, amount) == 8);

/// The layout of [`abi::DealResult`](crate::abi::DealResult).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DealResult {
    /// The field [`struct_size`](crate::abi::DealResult::struct_size).
    pub struct_size: u32,
    /// The field [`view_size`](crate::abi::DealResult::view_size).
    pub view_size: u32,
    /// The field [`view`](crate::abi::DealResult::view).
    pub view: u32,
    /// The field [`history`](crate::abi::DealResult::history).
    pub history: u32,
    /// The field [`history_count`](crate::abi::DealResult::history_count).
    pub history_count: u32,
    /// The field [`history_stride`](crate::abi::DealResult::history_stride).
    pub history_stride: u32,
    /// The field [`payoffs`](crate::abi::DealResult::payoffs).
    pub payoffs: u32,
    /// The field [`payoff_count`](crate::abi::DealResult::payoff_count).
    pub payoff_count: u32,
    /// The field [`reserved`](crate::abi::DealResult::reserved).
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

/// The layout of [`abi::DaihinminSearchService`](crate::abi::DaihinminSearchService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DaihinminSearchService {
    /// The field [`sample`](crate::abi::DaihinminSearchService::sample).
    pub sample: u32,
    /// The field [`playouts`](crate::abi::DaihinminSearchService::playouts).
    pub playouts: u32,
}

const _: () = assert!(size_of::<DaihinminSearchService>() == 8);
const _: () = assert!(offset_of!(DaihinminSearchService, sample) == 0);
const _: () = assert!(offset_of!(DaihinminSearchService, playouts) == 4);

/// The layout of [`abi::BridgeDoubleDummyService`](crate::abi::BridgeDoubleDummyService).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BridgeDoubleDummyService {
    /// The field [`tricks`](crate::abi::BridgeDoubleDummyService::tricks).
    pub tricks: u32,
}

const _: () = assert!(size_of::<BridgeDoubleDummyService>() == 4);
const _: () = assert!(offset_of!(BridgeDoubleDummyService, tricks) == 0);

/// The layout of [`abi::BotFunctions`](crate::abi::BotFunctions).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BotFunctions {
    /// The field [`block_start`](crate::abi::BotFunctions::block_start).
    pub block_start: u32,
    /// The field [`deal_start`](crate::abi::BotFunctions::deal_start).
    pub deal_start: u32,
    /// The field [`act`](crate::abi::BotFunctions::act).
    pub act: u32,
    /// The field [`deal_end`](crate::abi::BotFunctions::deal_end).
    pub deal_end: u32,
    /// The field [`get_extension`](crate::abi::BotFunctions::get_extension).
    pub get_extension: u32,
    /// The field [`last_error`](crate::abi::BotFunctions::last_error).
    pub last_error: u32,
    /// The field [`destroy`](crate::abi::BotFunctions::destroy).
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

/// The layout of [`abi::Bot`](crate::abi::Bot).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Bot {
    /// The field [`functions`](crate::abi::Bot::functions).
    pub functions: u32,
    /// The field [`bot_data`](crate::abi::Bot::bot_data).
    pub bot_data: u32,
}

const _: () = assert!(size_of::<Bot>() == 8);
const _: () = assert!(offset_of!(Bot, functions) == 0);
const _: () = assert!(offset_of!(Bot, bot_data) == 4);

/// The layout of [`abi::BotDescriptor`](crate::abi::BotDescriptor).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BotDescriptor {
    /// The field [`struct_size`](crate::abi::BotDescriptor::struct_size).
    pub struct_size: u32,
    /// The field [`flags`](crate::abi::BotDescriptor::flags).
    pub flags: u32,
    /// The field [`id`](crate::abi::BotDescriptor::id).
    pub id: u32,
    /// The field [`version`](crate::abi::BotDescriptor::version).
    pub version: u32,
    /// The field [`author`](crate::abi::BotDescriptor::author).
    pub author: u32,
    /// The field [`license`](crate::abi::BotDescriptor::license).
    pub license: u32,
    /// The field [`description`](crate::abi::BotDescriptor::description).
    pub description: u32,
    /// The field [`games`](crate::abi::BotDescriptor::games).
    pub games: u32,
    /// The field [`config_schema_json`](crate::abi::BotDescriptor::config_schema_json).
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

/// The layout of [`abi::BotFactory`](crate::abi::BotFactory).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BotFactory {
    /// The field [`count`](crate::abi::BotFactory::count).
    pub count: u32,
    /// The field [`descriptor`](crate::abi::BotFactory::descriptor).
    pub descriptor: u32,
    /// The field [`create`](crate::abi::BotFactory::create).
    pub create: u32,
}

const _: () = assert!(size_of::<BotFactory>() == 12);
const _: () = assert!(offset_of!(BotFactory, count) == 0);
const _: () = assert!(offset_of!(BotFactory, descriptor) == 4);
const _: () = assert!(offset_of!(BotFactory, create) == 8);

/// The layout of [`abi::Entry`](crate::abi::Entry).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Entry {
    /// The field [`struct_size`](crate::abi::Entry::struct_size).
    pub struct_size: u32,
    /// The field [`abi_major`](crate::abi::Entry::abi_major).
    pub abi_major: u32,
    /// The field [`abi_minor`](crate::abi::Entry::abi_minor).
    pub abi_minor: u32,
    /// The field [`reserved`](crate::abi::Entry::reserved).
    pub reserved: u32,
    /// The field [`init`](crate::abi::Entry::init).
    pub init: u32,
    /// The field [`get_factory`](crate::abi::Entry::get_factory).
    pub get_factory: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);
const _: () = assert!(offset_of!(Entry, struct_size) == 0);
const _: () = assert!(offset_of!(Entry, abi_major) == 4);
const _: () = assert!(offset_of!(Entry, abi_minor) == 8);
const _: () = assert!(offset_of!(Entry, reserved) == 12);
const _: () = assert!(offset_of!(Entry, init) == 16);
const _: () = assert!(offset_of!(Entry, get_factory) == 20);
