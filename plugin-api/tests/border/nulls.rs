//! Null pointers and invalid texts in all arguments.
#![expect(
    unsafe_code,
    reason = "plays a careless host's side of the C interface"
)]

use crate::HATTARI_ENTRY;
use crate::support::{Driver, TestHost, block, factory, text};
use hattari_plugin::abi::{self, E_CONFIG, E_FAIL, OK, Text};
use std::ffi::CStr;
use std::ptr;

#[test]
fn bot_functions_refuse_a_null_bot() {
    let bot = Driver::started(&HATTARI_ENTRY, "witness");
    let f = &bot.functions;
    // SAFETY: a null bot is refused before any access.
    unsafe {
        assert_eq!(f.block_start.unwrap()(ptr::null_mut(), &block()), E_FAIL);
        assert_eq!(f.deal_start.unwrap()(ptr::null_mut(), ptr::null()), E_FAIL);
        assert_eq!(
            f.act.unwrap()(ptr::null_mut(), ptr::null(), ptr::null_mut()),
            E_FAIL
        );
        assert_eq!(f.deal_end.unwrap()(ptr::null_mut(), ptr::null()), E_FAIL);
        assert_eq!(f.last_error.unwrap()(ptr::null()).len, 0);
        f.destroy.unwrap()(ptr::null_mut());
    }
}

#[test]
fn null_arguments_are_refused_with_a_message() {
    let bot = Driver::started(&HATTARI_ENTRY, "witness");
    let f = &bot.functions;
    // SAFETY: null arguments are refused before any access.
    unsafe {
        assert_eq!(
            f.act.unwrap()(bot.bot, ptr::null(), ptr::null_mut()),
            E_FAIL
        );
        assert!(bot.last_error().starts_with("the host's decision is null"));
        assert_eq!(f.deal_start.unwrap()(bot.bot, ptr::null()), E_FAIL);
        assert!(bot.last_error().starts_with("the host's deal is null"));
        assert_eq!(f.deal_end.unwrap()(bot.bot, ptr::null()), E_FAIL);
        assert!(bot.last_error().starts_with("the host's result is null"));
    }
    let fresh = Driver::create(&HATTARI_ENTRY, "witness", "", TestHost::new(0)).unwrap();
    // SAFETY: as above.
    let result = unsafe { fresh.functions.block_start.unwrap()(fresh.bot, ptr::null()) };
    assert_eq!(result, E_FAIL);
    assert!(fresh.last_error().starts_with("the host's block is null"));
}

#[test]
fn the_factory_refuses_null_arguments() {
    let create = factory(&HATTARI_ENTRY).create.unwrap();
    let test_host = TestHost::new(0);
    let (id, host) = (c"witness".as_ptr(), test_host.as_ptr());
    let (mut bot, mut error) = (ptr::null_mut(), [1u8; 64]);
    let error = error.as_mut_ptr().cast();
    let config = |ptr, len| Text { ptr, len };
    // SAFETY: null arguments are refused before any access; the others are valid for the call.
    unsafe {
        assert!(HATTARI_ENTRY.get_factory.unwrap()(ptr::null()).is_null());
        assert!(HATTARI_ENTRY.get_factory.unwrap()(c"hattari.bot-factory/2".as_ptr()).is_null());
        let no_bot = create(id, host, text(""), error, 64, ptr::null_mut());
        assert_eq!(no_bot, E_FAIL);
        for (id, host, config, error, room, status) in [
            (ptr::null(), host, text(""), error, 64, E_FAIL),
            (id, ptr::null(), text(""), error, 64, E_FAIL),
            (id, ptr::null(), text(""), ptr::null_mut(), 0, E_FAIL),
            (id, host, config(ptr::null(), 5), error, 64, E_CONFIG),
            (id, host, config(c"\xff".as_ptr(), 1), error, 64, E_CONFIG),
            (id, host, config(ptr::null(), 0), error, 64, OK),
        ] {
            assert_eq!(create(id, host, config, error, room, &mut bot), status);
            assert_eq!(bot.is_null(), status != OK);
        }
        (*(*bot).functions).destroy.unwrap()(bot);
    }
}

#[test]
fn error_texts_are_cut_at_a_character_and_end_with_a_zero() {
    let create = factory(&HATTARI_ENTRY).create.unwrap();
    let host = TestHost::new(0);
    let mut bot = ptr::null_mut();
    let config = r#"{"word": 1, "ß": "ß"}"#;
    for room in 1..80u32 {
        let mut error = [1u8; 80];
        // SAFETY: all arguments are valid for the call.
        let status = unsafe {
            create(
                c"nöbödy".as_ptr(),
                host.as_ptr(),
                text(config),
                error.as_mut_ptr().cast(),
                room,
                &mut bot,
            )
        };
        assert_eq!(status, abi::E_UNSUPPORTED);
        let written = CStr::from_bytes_until_nul(&error)
            .unwrap()
            .to_str()
            .unwrap();
        assert!(
            "this library has no bot `nöbödy`; it has witness, witness-one, fragile, quiet"
                .starts_with(written)
        );
        assert!(
            error[room as usize..].iter().all(|&byte| byte == 1),
            "nothing is written past the room"
        );
    }
}
