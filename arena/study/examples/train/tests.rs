//! Tests of the tools with small leagues.

use super::*;
use std::fs;
use tempfile::TempDir;

/// A temporary folder in which tools run.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        for bots in hattari_bots::ALL {
            built_in::add(bots);
        }
        Folder(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// Runs a tool with the words of a command line. File names are relative to the folder. Returns
    /// an error as text.
    fn train(&self, line: &str) -> Result<(), String> {
        let in_folder = |word: &str| match word.ends_with(".txt") || word.ends_with(".yaml") {
            true => self.0.path().join(word).into_os_string(),
            false => word.into(),
        };
        let words = std::iter::once("train".into()).chain(line.split_whitespace().map(in_folder));
        let arguments = Arguments::try_parse_from(words).map_err(|error| error.to_string())?;
        run(&arguments, &AtomicBool::new(false)).map_err(|error| format!("{error:#}"))
    }

    /// Asserts that a tool fails with an error that contains `why`.
    #[track_caller]
    fn refuses(&self, line: &str, why: &str) {
        let error = self.train(line).unwrap_err();
        assert!(error.contains(why), "{error}");
    }

    /// Runs a tool and returns the file `output` that it writes.
    fn output(&self, line: &str, output: &str) -> String {
        self.train(&format!("{line} --output {output}")).unwrap();
        self.read(output)
    }
}

const SELF_PLAY: &str = "\
game: daihinmin
seed: 3
entrants:
  - {name: a, bot: policy, config: {skill: fitted}}
  - {name: b, bot: policy, config: {look: light}}
  - all-k
  - default
  - client
format: {kind: line-ups, size: 5}
blocks: 4
deals: 10
";

#[test]
fn a_fitted_policy_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    folder.write("small.yaml", SELF_PLAY);
    let fit_to = |league: &str, output: &str, more: &str| {
        let line = format!("fit-policy {league} --rounds 5 --hold-out 4 {more}");
        folder.output(&line, output)
    };
    let fit = |output: &str, more: &str| fit_to("small.yaml", output, more);
    let light = fit("light.txt", "--jobs 1");
    assert!(
        light.starts_with("# train fit-policy ")
            && light.contains("small.yaml --policy light --rounds 5"),
        "{light}"
    );
    assert!(
        light.contains("held out")
            && light.lines().filter(|line| !line.starts_with('#')).count() > 50
    );
    assert_eq!(light, fit("again.txt", "--jobs 2"));
    let one = fit("one.txt", "--policy full --learn all-k");
    assert!(
        one.contains("--learn all-k") && one.contains("\nplan "),
        "{one}"
    );

    // The fitted weights can be used by a bot.
    let weights: String = light
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|l| format!("        {l}\n"))
        .collect();
    let entrant = format!(
        "name: b\n    bot: policy\n    config:\n      look: light\n      weights: |\n{weights}"
    );
    let league = SELF_PLAY.replace("{name: b, bot: policy, config: {look: light}}", &entrant);
    folder.write("played.yaml", &league);
    fit_to("played.yaml", "played.txt", "");

    folder.refuses("fit-policy small.yaml --learn al-k", "all-k");
}

#[test]
fn a_learned_policy_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    folder.write("small.yaml", SELF_PLAY);
    let learn = |output: &str, more: &str| {
        let line = format!("learn-policy small.yaml --learn a,b --rounds 3 {more}");
        folder.output(&line, output)
    };
    let deep = learn("deep.txt", "--jobs 1");
    assert!(
        deep.starts_with("# train learn-policy ")
            && deep.contains("small.yaml --learn a,b --policy deep --rounds 3"),
        "{deep}"
    );
    assert!(
        deep.contains("# round 3: 20 deals") && deep.contains("value of a title"),
        "{deep}"
    );
    assert_eq!(deep, learn("again.txt", "--jobs 2"));
    let units = |weights: &str| {
        weights
            .lines()
            .filter(|line| !line.starts_with('#') && line.split(' ').count() == 3 + 32)
            .count()
    };
    assert!(
        units(&deep) > 300,
        "numbers of the hidden units of every feature that was met"
    );
    let gift = learn("gift.txt", "--policy gift --blocks 2");
    assert!(gift.contains("\nranks "), "{gift}");
    let more = learn("more.txt", "--start deep.txt");
    assert!(more.contains("--start ") && more.contains("deep.txt --rounds") && more != deep);

    // With moves and the exchange in the same games, both have their own weights. The weights of
    // the moves differ, because other cards are exchanged.
    let both = learn("both.txt", "--gifts with.txt");
    assert!(
        both.contains("--policy deep --gifts ")
            && both.contains("with.txt --rounds 3")
            && both != deep,
        "{both}"
    );
    assert!(folder.read("with.txt").contains("\nranks "));
    assert_eq!(both, learn("both-again.txt", "--gifts with.txt --jobs 2"));
    let full = learn("full.txt", "--policy full");
    assert!(full.contains("\ntable ") && units(&full) == 0, "{full}");

    let refused = |more: &str, why: &str| {
        folder.refuses(&format!("learn-policy small.yaml {more}"), why);
    };
    refused("--learn default", "only the bot `policy` can learn");
    refused("--learn a --rate 0", "above 0");
    refused("--learn a --start small.yaml", "line 1");
    refused("--learn a --policy gift --gifts x.txt", "remove `--gifts`");
    let weakest = SELF_PLAY.replace("skill: fitted", "giving: weakest");
    folder.write("weakest.yaml", &weakest);
    folder.refuses(
        "learn-policy weakest.yaml --learn a --policy gift",
        "`a` gives its weakest cards",
    );
}

#[test]
fn fitted_hands_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    folder.write("small.yaml", SELF_PLAY);
    let fit = |output: &str, jobs: u32| {
        let line = format!("fit-hands small.yaml --jobs {jobs}");
        folder.output(&line, output)
    };
    let one = fit("one.txt", 1);
    assert!(one.starts_with("[\n    [") && one.ends_with("]\n"), "{one}");
    assert_eq!(one, fit("two.txt", 2));
}
