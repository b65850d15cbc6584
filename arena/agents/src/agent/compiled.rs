//! The backend for compiled bots. They are linked into this program or come from dynamic libraries,
//! and they run in this process or in a worker. The descriptors of a library are read in a worker,
//! too. Code of a library runs in this process only if the league requires that (`isolation:
//! none`).

use super::backend::{AgentSpec, Backend, BotFile, BotFileInfo, Finding, Grade};
use super::built_in::BuiltIn;
use super::plugin::{Library, LibraryInfo, PluginBot};
use super::worker::WorkerBot;
use super::{AgentError, AgentFactory, AgentResult, Isolation, LoadError, ProcessLimits, worker};
use crate::agent::lock;
use crate::files;
use crate::text::joined;
use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

/// The backend for dynamic libraries with the C interface.
#[derive(Debug)]
pub(super) struct LibraryBackend;

/// Inspected libraries by canonical path.
static INSPECTED: LazyLock<Mutex<HashMap<PathBuf, Arc<BotFileInfo>>>> =
    LazyLock::new(Mutex::default);

impl Backend for LibraryBackend {
    fn name(&self) -> &'static str {
        "compiled"
    }

    fn file_term(&self) -> &'static str {
        if cfg!(target_os = "macos") {
            "a library (.dylib)"
        } else {
            "a library (.so)"
        }
    }

    fn accepts(&self, file: &Path) -> bool {
        file.extension()
            .is_some_and(|extension| extension == env::consts::DLL_EXTENSION)
    }

    /// Inspects each library once. While the process lives, later changes to the file are ignored.
    fn inspect(&self, file: &Path, _game: &str) -> Result<Arc<BotFileInfo>, LoadError> {
        let real = files::canonical(file);
        let known = lock(&INSPECTED).get(&real).cloned();
        if let Some(file_info) = known {
            return Ok(file_info);
        }
        let hash = LibraryInfo::read(file)?.0.hash;
        let bots = worker::describe(file, hash)?;
        let file_info = Arc::new(BotFileInfo {
            hash,
            bots,
            isolation: Some(Isolation::Process),
        });
        lock(&INSPECTED).insert(real, file_info.clone());
        Ok(file_info)
    }

    fn agent_factory(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
    ) -> AgentResult<Arc<dyn AgentFactory>> {
        if bot.isolation_with(spec) == Some(Isolation::Process) {
            let code = match bot.built_in {
                Some(BuiltIn { package, .. }) => worker::CodeLocation::BuiltIn(package.to_owned()),
                None => worker::CodeLocation::file(bot.path),
            };
            let limits = ProcessLimits::of(&spec.budget);
            return Ok(Arc::new(WorkerBot::new(
                code,
                bot.hash,
                bot.id,
                spec.threads,
                limits,
            )));
        }
        let library = match bot.built_in {
            Some(BuiltIn { library, .. }) => library,
            None => Library::load(bot.path, bot.hash)
                .map_err(|error| AgentError::start(error.to_string()))?,
        };
        let gone = || AgentError::start(format!("{} has no bot `{}`", bot.path.display(), bot.id));
        Ok(Arc::new(PluginBot::new(library, bot.id).ok_or_else(gone)?))
    }

    /// Returns findings about the library and the descriptor.
    fn examine(&self, bot: &BotFile<'_>) -> Vec<Finding> {
        let mut findings = vec![match bot.built_in {
            Some(BuiltIn { package, .. }) => Finding::new(
                "library",
                Grade::Ok,
                format!("{package}, built into this program"),
            ),
            None => LibraryBackend::examine_file(bot.path),
        }];
        findings.push(Finding::descriptor(bot));
        if bot.threads {
            let text = "the bot starts threads; in a separate process it may do so only if the \
                league allows it (`threads` of the entrant)";
            findings.push(Finding::new("threads", Grade::Ok, text));
        }
        findings
    }

    fn can_reload(&self) -> bool {
        false
    }
}

impl LibraryBackend {
    /// Returns a finding about the interface version and the exported symbols of a library.
    fn examine_file(path: &Path) -> Finding {
        let info = match LibraryInfo::read(path) {
            Ok((info, _)) => info,
            Err(error) => return Finding::new("library", Grade::Wrong, error.to_string()),
        };
        let version = format!("C interface {}.{}", info.abi_major, info.abi_minor);
        let entry = hattari_plugin::abi::ENTRY_SYMBOL.to_string_lossy();
        let others: Vec<&str> = info
            .exports
            .iter()
            .map(String::as_str)
            .filter(|name| *name != entry)
            .collect();
        if others.is_empty() {
            return Finding::new(
                "library",
                Grade::Ok,
                format!("{version}, exports only {entry}"),
            );
        }
        let (count, some) = (others.len(), joined(others.iter().take(4).copied(), ", "));
        let remedy = "make them static or compile with -fvisibility=hidden";
        Finding::new(
            "library",
            Grade::Warning,
            format!("{version}; exports {count} other symbols ({some}); {remedy}"),
        )
    }
}
