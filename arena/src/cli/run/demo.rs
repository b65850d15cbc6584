//! The example league of `hattari run --demo`.

use crate::shipped;
use hattari_play::prepared::EntrantBot;
use hattari_study::AtPath;
use std::fs;
use std::path::Path;

/// Path of the demo league.
pub(super) const DEMO: &str = "hattari-demo/demo.yaml";
/// Path of the scripts of the demo league in the embedded files.
const DEMO_SCRIPTS: &str = "scripts/daihinmin/";

/// Writes the demo league and its scripts. Keeps existing files, which may have been edited.
pub(super) fn write() -> anyhow::Result<()> {
    let folder = Path::new(DEMO).parent().unwrap_or(Path::new(""));
    for (name, content) in shipped::files() {
        let path = match name.as_str() {
            "leagues/demo.yaml" => DEMO.into(),
            name if name.starts_with(DEMO_SCRIPTS) => folder.join(name),
            _ => continue,
        };
        if !path.exists() {
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).at(parent)?;
            // The header of the league contains its path in the project.
            let content = match path.ends_with("demo.yaml") {
                true => String::from_utf8_lossy(&content)
                    .replace("leagues/demo.yaml", DEMO)
                    .into_bytes(),
                false => content,
            };
            fs::write(&path, content).at(&path)?;
        }
    }
    Ok(())
}

/// Returns the text at the end of the demo: the bots, and next steps.
pub(super) fn next_steps(bots: &[EntrantBot]) -> String {
    let mut out = String::from("\nThe bots\n");
    for bot in bots {
        if let EntrantBot::Bot(bot) = bot {
            out += &format!("  {:9}  {}\n", bot.name, bot.description);
        }
    }
    out += "\nNext\n";
    for (command, what) in [
        (
            format!("hattari replay {DEMO} --block 3 --game 17"),
            "print one of these games with all cards",
        ),
        (
            "hattari serve hattari-demo".to_owned(),
            "watch all games in a browser, or play yourself",
        ),
        (
            "hattari new lua daihinmin mine".to_owned(),
            "create your own bot, with tests and a league",
        ),
    ] {
        out += &format!("  {command:56}  {what}\n");
    }
    out
}
