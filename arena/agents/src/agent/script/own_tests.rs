//! Tests that a script brings along: functions in the table `tests` beside `act`, which raise an
//! error where the bot is not as it should be.

use super::Script;
use super::agent::ScriptAgent;
use crate::agent::Misstep;
use crate::agent::kind::Tested;
use crate::record::FaultKind;
use mlua::{Function, Table, Value};

/// Tests of a script, at the most.
const TESTS_MAX: usize = 1000;

impl Script {
    /// Runs the script's tests in the order of their names, each with the file run anew; none where
    /// it has no table `tests`. `config_json` is what the script sees as its config.
    ///
    /// # Errors
    /// The script does not start, or `tests` is no table of functions by name.
    pub fn run_tests(&self, config_json: &str) -> Result<Vec<Tested>, Misstep> {
        let wrong = || {
            let message = format!("{}: `tests` is not a table of functions by name", self.name);
            Misstep::new(FaultKind::Start, message)
        };
        let mut agent = ScriptAgent::new(self.clone(), self.config(config_json)?);
        let tests = match agent.prepare(self.game(), 0)?.raw_get::<Value>("tests") {
            Ok(Value::Nil) => return Ok(Vec::new()),
            Ok(Value::Table(tests)) => tests,
            _ => return Err(wrong()),
        };
        let names = tests
            .pairs::<Value, Function>()
            .take(TESTS_MAX + 1)
            .map(|pair| match pair {
                Ok((Value::String(name), _)) => name
                    .to_str()
                    .map(|name| name.to_string())
                    .map_err(|_| wrong()),
                _ => Err(wrong()),
            });
        let mut names = names.collect::<Result<Vec<String>, Misstep>>()?;
        if names.len() > TESTS_MAX {
            let message = format!("{}: `tests` has more than {TESTS_MAX} functions", self.name);
            return Err(Misstep::new(FaultKind::Start, message));
        }
        names.sort();
        let mut outcomes = Vec::new();
        for name in names {
            let bot = agent.prepare(self.game(), 0)?;
            let test = bot
                .raw_get::<Table>("tests")
                .and_then(|tests| tests.raw_get::<Function>(&*name));
            let failure = match test {
                Ok(test) => agent.try_out(&test).err().map(|misstep| misstep.message),
                Err(_) => Some("is not there when the file is run once more".to_owned()),
            };
            outcomes.push(Tested { name, failure });
        }
        Ok(outcomes)
    }
}
