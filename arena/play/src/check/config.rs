//! Checks how a bot handles invalid configs.

use super::{Check, Grade};
use crate::catalogue::FoundBot;

/// Two forms of the empty config, which a bot must accept.
const EMPTY: [&str; 2] = ["{}", ""];
/// Configs that a bot should refuse, with descriptions.
const BAD: [(&str, &str); 4] = [
    ("{\"unfinished\": ", "invalid JSON"),
    ("[1, 2]", "a list"),
    ("{\"no_such_option_\": 1}", "an unknown key"),
    (
        "{\"no_such_option_\": {\"deep\": [null, 1e999]}}",
        "an infinite number",
    ),
];

impl Check<'_> {
    /// Creates the bot with empty and invalid configs, and reports which configs the bot accepts. A
    /// bot without settings may ignore its config; a bot with a config schema must check it.
    pub(super) fn check_configs(&mut self) {
        let factory = self.factory;
        for config in EMPTY {
            if let Err(agent_error) = factory.open(config) {
                let text = format!(
                    "the empty config `{config}` is refused: {}",
                    agent_error.message
                );
                return self.add("config", Grade::Wrong, text);
            }
        }
        let accepted: Vec<&str> = BAD
            .iter()
            .filter(|(config, _)| factory.open(config).is_ok())
            .map(|(_, what)| *what)
            .collect();
        let list = accepted.join(", ");
        let (verdict, text) = if accepted.is_empty() {
            let text = "accepts an empty config, refuses invalid ones";
            (Grade::Ok, text.to_owned())
        } else if self.bot.config_schema.is_some() {
            let text = format!("declares a config schema, but accepts {list} as its config");
            (Grade::Wrong, text)
        } else {
            let text = format!(
                "accepts {list} as its config, so a misspelt setting in a league is not noticed\n{}",
                remedy(self.bot)
            );
            (Grade::Warning, text)
        };
        self.add("config", verdict, text);
    }
}

fn remedy(bot: &FoundBot) -> &'static str {
    if bot.kind.name() == "script" {
        "add a check such as: for key in config do error(`unknown setting '{key}'`, 0) end"
    } else {
        "refuse unknown settings when the bot is created: in Rust with `type Config = NoConfig`, \
        in C with an error from `create`"
    }
}
