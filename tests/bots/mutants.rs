//! Tests of `hattari check --mutate`: mutants of scripts are played against the script.

use crate::support::{Folder, JsonPart};
use serde_json::Value;

/// A script with code that never matters, code that matters, and a loop.
const SCRIPT: &str = "local strange = 7
local helper = require(\"helper\")

local function act(view, legal)
  local best = 1
  for i, action in legal do
    if helper.is_play(action) and best == 1 then best = i end
  end
  local turns = 0
  while turns < 3 do
    turns += 1
  end
  if strange > 100 then return 1 end
  return best
end

return { bot = { games = { \"tanhinmin\" } }, act = act }
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mine.lua", SCRIPT);
    folder.write(
        "helper.lua",
        "return { is_play = function(action) return action.kind == \"play\" end }",
    );
    folder
}

#[test]
fn mutants_with_the_same_choices_and_worse_mutants_are_distinguished() {
    let folder = folder();
    let arguments = ["check", "mine.lua", "--mutate", "--deals", "200", "--json"];
    let result = folder.succeeds((&arguments, "--save changed")).json();
    let mutants = result[0]["mutants"].list();
    let outcome = |line: u64, change: &str| -> &str {
        let is_it = |mutant: &&Value| mutant["line"] == line && mutant["change"] == change;
        let found = mutants.iter().find(is_it);
        found.unwrap_or_else(|| panic!("no `{change}` in {result}"))["outcome"].text()
    };
    assert_eq!(outcome(1, "`7` becomes `8`"), "same_choices");
    assert_eq!(outcome(7, "`and` becomes `or`"), "worse");
    // This loop never ends.
    assert_eq!(outcome(11, "`turns += 1` is deleted"), "fault");
    assert_eq!(
        outcome(13, "the condition `strange > 100` is negated"),
        "worse"
    );
    assert_eq!(
        folder.read("changed/mine-1.lua"),
        SCRIPT.replace("local strange = 7", "local strange = 8")
    );
    assert_eq!(folder.read("changed/helper.lua"), folder.read("helper.lua"));
    let told = folder.succeeds("check mine.lua --mutate --deals 100");
    told.says([
        "files without mutants: helper.lua",
        "does not change any choice",
        "      1  mine.lua:1: `7` becomes `8`",
        "the change loses points",
        "the change leads to a fault",
    ]);
}

#[test]
fn mutants_require_a_script_without_faults() {
    let folder = folder();
    folder.refuses(
        "check --mutate eager --game tanhinmin",
        "--mutate changes Lua scripts; eager is",
    );
    folder.write(
        "faulty.lua",
        "return { bot = { games = { \"tanhinmin\" } }, act = function() return 99 end }",
    );
    folder.refuses("check --mutate faulty.lua", "in these games");
}

#[test]
fn mutants_of_several_scripts_are_saved_side_by_side() {
    let folder = folder();
    folder.write("yours.lua", SCRIPT.replace("strange = 7", "strange = 9"));
    let save = "--mutate --deals 2 --save changed";
    folder.succeeds(("check mine.lua yours.lua", save));
    for (name, number) in [("mine", 8), ("yours", 10)] {
        let saved = folder.read(&format!("changed/{name}-1.lua"));
        assert!(
            saved.starts_with(&format!("local strange = {number}\n")),
            "{saved}"
        );
    }
    for helper in ["mine.lua", "helper.lua"] {
        folder.write(&format!("old/{helper}"), folder.read(helper));
    }
    folder.write("old/helper.lua", "return {}");
    folder.refuses(
        "check mine.lua --mutate --deals 2 --save old",
        "old/helper.lua differs from ",
    );
    folder.refuses(
        ("check mine.lua old/mine.lua", save),
        "would have the same names",
    );
}
