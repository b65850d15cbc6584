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

/// Declares structs and checks their sizes and the offsets of their fields, both in bytes.
macro_rules! structs {
    ($($name:ident: $size:literal { $($offset:literal: $field:ident: $ty:ty,)* })*) => {$(
        #[doc = concat!("The layout of [`abi::", stringify!($name), "`](crate::abi::", stringify!($name), ").")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Pod, Zeroable)]
        pub struct $name {
            $(
                #[doc = concat!("The bytes from ", $offset, " on; `gap` is padding.")]
                pub $field: $ty,
            )*
        }

        const _: () = {
            assert!(size_of::<$name>() == $size);
            $(assert!(offset_of!($name, $field) == $offset);)*
        };
    )*};
}

structs! {
    Text: 16 {
        0: ptr: u32,
        4: gap: [u8; 4],
        8: len: u64,
    }
    Host: 24 {
        0: struct_size: u32,
        4: abi_minor: u32,
        8: host_data: u32,
        12: name: u32,
        16: version: u32,
        20: get_service: u32,
    }
    LogService: 4 {
        0: write: u32,
    }
    ClockService: 4 {
        0: time_left_us: u32,
    }
    RngService: 4 {
        0: fill: u32,
    }
    NumbersService: 4 {
        0: log: u32,
    }
    BlockInfo: 56 {
        0: struct_size: u32,
        4: players: u32,
        8: player: u32,
        12: deals: u32,
        16: seed: u64,
        24: game: Text,
        40: options_json: Text,
    }
    DealInfo: 24 {
        0: struct_size: u32,
        4: view_size: u32,
        8: view: u32,
        12: history: u32,
        16: history_count: u32,
        20: history_stride: u32,
    }
    Decision: 48 {
        0: struct_size: u32,
        4: view_size: u32,
        8: view: u32,
        12: history: u32,
        16: actions: u32,
        20: history_count: u32,
        24: history_stride: u32,
        28: action_count: u32,
        32: action_stride: u32,
        36: gap: [u8; 4],
        40: budget_us: i64,
    }
    Choice: 16 {
        0: struct_size: u32,
        4: action: u32,
        8: amount: i64,
    }
    DealResult: 36 {
        0: struct_size: u32,
        4: view_size: u32,
        8: view: u32,
        12: history: u32,
        16: history_count: u32,
        20: history_stride: u32,
        24: payoffs: u32,
        28: payoff_count: u32,
        32: reserved: u32,
    }
    DaihinminSearchService: 8 {
        0: sample: u32,
        4: playouts: u32,
    }
    BridgeDoubleDummyService: 4 {
        0: tricks: u32,
    }
    BotFunctions: 28 {
        0: block_start: u32,
        4: deal_start: u32,
        8: act: u32,
        12: deal_end: u32,
        16: get_extension: u32,
        20: last_error: u32,
        24: destroy: u32,
    }
    Bot: 8 {
        0: functions: u32,
        4: bot_data: u32,
    }
    BotDescriptor: 36 {
        0: struct_size: u32,
        4: flags: u32,
        8: id: u32,
        12: version: u32,
        16: author: u32,
        20: license: u32,
        24: description: u32,
        28: games: u32,
        32: config_schema_json: u32,
    }
    BotFactory: 12 {
        0: count: u32,
        4: descriptor: u32,
        8: create: u32,
    }
    Entry: 24 {
        0: struct_size: u32,
        4: abi_major: u32,
        8: abi_minor: u32,
        12: reserved: u32,
        16: init: u32,
        20: get_factory: u32,
    }
}
