//! Checks how a bot handles invalid configs.

use super::{Grade, Report};
use crate::catalogue::Found;
use hattari_agents::agent::Seatable;

/// Two forms of the empty config, which a bot must accept.
const EMPTY: [&str; 2] = ["{}", ""];
/// Configs that a bot should refuse, with descriptions.
const BAD: [(&str, &str); 4] = [
    ("{\"unfinished\": ", "broken JSON"),
    ("[1, 2]", "a list"),
    ("{\"no_such_option_\": 1}", "an unknown key"),
    (
        "{\"no_such_option_\": {\"deep\": [null, 1e999]}}",
        "a number without bounds",
    ),
];

/// Creates the bot with valid and invalid configs. A bot without settings may ignore its config; a
/// bot with a config schema must check it.
pub(super) fn check_configs(bot: &Found, seatable: &dyn Seatable, report: &mut Report) {
    for config in EMPTY {
        if let Err(misstep) = seatable.open(config) {
            let text = format!(
                "the empty config `{config}` is refused: {}",
                misstep.message
            );
            report.add("config", Grade::Wrong, text);
            return;
        }
    }
    let taken: Vec<&str> = BAD
        .iter()
        .filter(|(config, _)| takes(seatable, config))
        .map(|(_, what)| *what)
        .collect();
    if taken.is_empty() {
        report.add(
            "config",
            Grade::Ok,
            "takes an empty config, refuses bad ones",
        );
    } else if bot.config_schema.is_some() {
        let text = format!(
            "describes its config, and takes {} for one",
            taken.join(", ")
        );
        report.add("config", Grade::Wrong, text);
    } else {
        let taken = taken.join(", ");
        let text = format!(
            "takes {taken} as its settings, so a misspelt setting in a league goes unnoticed\n{}",
            cure(bot)
        );
        report.add("config", Grade::Warning, text);
    }
}

/// Returns a remedy for a bot that accepts unknown settings.
fn cure(bot: &Found) -> &'static str {
    if bot.kind.name() == "script" {
        "add a line such as: for key in config do error(`there is no setting '{key}'`, 0) end"
    } else {
        "refuse unknown settings where it is created: in Rust `type Config = NoConfig`, in C an error from `create`"
    }
}

fn takes(seatable: &dyn Seatable, config: &str) -> bool {
    seatable.open(config).is_ok()
}
