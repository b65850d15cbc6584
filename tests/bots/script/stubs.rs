//! Type stubs for editors (`scripts/types/<game>.d.luau`), compared with the committed files and
//! with the tables that scripts receive.
//!
//! `UPDATE=1 cargo test -p hattari --test bots script::stubs` rewrites them.

use super::table::{ask, seat, single, view};
use hattari_agents::agent::script::stubs::of_game;
use hattari_agents::games::{GameInfo, all};
use hattari_plugin::games::daihinmin::{Action, Event};
use std::path::Path;
use std::{env, fs};

#[test]
fn committed_stubs_match_the_frames() {
    for game in all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../scripts/types/{}.d.luau", game.name()));
        let expected = of_game(game);
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, expected).unwrap();
            continue;
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        let same = committed
            .lines()
            .zip(expected.lines())
            .take_while(|(old, new)| old == new)
            .count();
        assert!(
            committed == expected,
            "scripts/types/{}.d.luau is not what the frames say, from line {} on: write it anew with UPDATE=1",
            game.name(),
            same + 1
        );
    }
}

/// Returns the field names of a type in the stubs.
fn names(stubs: &str, of: &str) -> String {
    let (_, rest) = stubs
        .split_once(&format!("export type {of} = {{\n"))
        .unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let lines = body
        .lines()
        .filter(|line| line.starts_with("    ") && !line.trim().starts_with("--"));
    let names = lines.map(|line| {
        format!(
            "{} = {:?}",
            line.trim().split(':').next().unwrap(),
            line.trim()
        )
    });
    format!("{{ {} }}", names.collect::<Vec<_>>().join(", "))
}

/// Returns a script that compares its data at every decision with the stubs of its game, and then
/// executes `answer`.
pub(super) fn checker(game: &GameInfo, answer: &str) -> String {
    let stubs = of_game(game);
    format!(
        r#"
        local function check(what, value, fields)
            for key in value do
                assert(fields[key], `{{what}}.{{key}} is not in the stubs`)
            end
            for key, line in fields do
                local ty = string.match(line, ": (.*),$")
                local found = value[key]
                if found == nil then
                    assert(string.sub(ty, -1) == "?", `{{what}}.{{key}} is nil, the stubs say {{ty}}`)
                else
                    local plain = string.match(ty, "^(%l+)%??$")
                    assert(plain == nil or type(found) == plain, `{{what}}.{{key}} is {{found}}, the stubs say {{ty}}`)
                end
            end
        end
        return {{ act = function(view, legal)
            check("view", view, {})
            for _, action in legal do check("action", action, {}) end
            check("event", view.history[1], {})
            {answer}
        end }}"#,
        names(&stubs, "View"),
        names(&stubs, "Action"),
        names(&stubs, "Event"),
    )
}

#[test]
fn script_tables_have_the_fields_of_the_stubs() {
    let mut agent = seat(&checker(all()[0], "return 1"));
    let event: Event = bytemuck::Zeroable::zeroed();
    let mut view = view();
    for table in [bytemuck::Zeroable::zeroed(), single("S3")] {
        view.table = table;
        let answer = ask(
            &mut *agent,
            &view,
            &[Event {
                action: table,
                ..event
            }],
            &[Action::PASS, single("H7")],
        );
        answer.unwrap();
    }
}
