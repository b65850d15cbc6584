//! Pages in a browser. A report opens without errors and makes no requests, and games can be
//! stepped through. A person plays games to their end. The page of a running league is updated.
//!
//! `HATTARI_SCREENSHOTS=FOLDER` saves screenshots of every kind of page.
#![cfg(unix)]

mod chromium;

use crate::support::server::Server;
use crate::support::{Folder, JsonPart, has};
use chromium::Browser;

/// A small league of each game.
const LEAGUES: [(&str, &str); 4] = [
    (
        "daihinmin",
        "seed: 7\nentrants: [base, random, plain, default, all]\nformat: {kind: line-ups, size: 5}\nblocks: 12\ndeals: 6\n",
    ),
    (
        "holdem",
        "seed: 3\nentrants: [honest, call, random]\nformat: {kind: line-ups, size: 3}\nblocks: 12\ndeals: 6\n",
    ),
    (
        "stud",
        "seed: 3\nentrants: [honest, call, random]\nformat: {kind: line-ups, size: 3}\nblocks: 12\ndeals: 6\n",
    ),
    (
        "bridge",
        "preset: 3nt\nseed: 5\nentrants: [random, cheap]\nformat: {kind: pairs, a: [random], b: [cheap]}\nblocks: 12\nduplicate: true\n",
    ),
];

fn folder() -> Folder {
    let folder = Folder::new();
    for (game, text) in LEAGUES {
        folder.write(&format!("{game}.yaml"), format!("game: {game}\n{text}"));
    }
    folder
}

/// Checks that a page's figures and texts fit on a phone and in the dark theme.
fn fits(browser: &mut Browser, name: &str) {
    for (width, theme) in [
        (1100, "light"),
        (1100, "dark"),
        (390, "light"),
        (390, "dark"),
    ] {
        browser.look(width, 900, theme);
        let wide = browser
            .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert!(
            wide.as_i64().unwrap() <= 0,
            "{name} is {wide} too wide at {width}"
        );
        browser.picture(&format!("{name}-{width}-{theme}"));
    }
    browser.look(1100, 900, "light");
}

#[test]
#[ignore = "needs Chromium (apt-get install chromium)"]
fn a_report_opens_and_its_games_can_be_stepped_through() {
    let mut browser = Browser::start();
    let folder = folder();
    for (game, _) in LEAGUES {
        folder.succeeds(["run", &format!("{game}.yaml"), "--quiet"]);
        browser.open_file(&folder.path(&format!("{game}.html")));
        assert!(
            browser
                .eval("document.querySelectorAll('figure svg').length")
                .natural()
                >= 5
        );
        let drawn = "Array.from(document.querySelectorAll('figure svg')).filter(svg => svg.getBoundingClientRect().width > 100).length";
        assert!(browser.eval(drawn).natural() >= 3, "figures are to be seen");
        fits(&mut browser, &format!("report-{game}"));
        browser.eval("document.getElementById('replays').scrollIntoView()");
        steps(&mut browser, game);
        fits(&mut browser, &format!("replay-{game}"));
        assert_eq!(
            browser.requests.len(),
            1,
            "the page asks for nothing else: {:?}",
            browser.requests
        );
    }
    browser.is_content();
}

fn step_count(browser: &mut Browser) -> (i64, i64) {
    let range =
        browser.eval("(s => [Number(s.value), Number(s.max)])(document.querySelector('#viewer input[type=range]'))");
    (range[0].as_i64().unwrap(), range[1].as_i64().unwrap())
}

/// Steps through the first game by keys, by buttons and automatically. The view of one seat hides
/// the other hands.
fn steps(browser: &mut Browser, game: &str) {
    let (at, last) = step_count(browser);
    assert!(at == 0 && last >= 2, "{game} has {last} steps");
    browser.eval("document.getElementById('viewer').focus()");
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft"] {
        browser.press(key);
    }
    assert_eq!(step_count(browser).0, 1);
    assert_ne!(
        browser.eval("document.querySelector('#viewer .said').textContent"),
        ""
    );
    assert_eq!(
        browser.eval("document.querySelector('#viewer .said').getAttribute('aria-live')"),
        "polite"
    );
    browser.press("End");
    assert_eq!(step_count(browser).0, last);
    let said = browser.eval("document.querySelector('#viewer .said').textContent");
    has(said.text(), "The game is over.");
    browser.press("Home");
    // First all hands, then only one.
    let backs =
        "document.querySelectorAll('#viewer .board [aria-label=\"a card face down\"]').length";
    assert_eq!(browser.eval(backs), 0, "{game}: everybody's cards are seen");
    let choose = "(value => { var seat = document.querySelectorAll('#viewer select')[1]; seat.value = value; \
                  seat.dispatchEvent(new Event('change')); })";
    browser.eval(&format!("{choose}('0')"));
    let held = "(g => Object.keys(g.start.seats).filter(s => s !== '0').reduce((n, s) => n + g.start.seats[s].held, 0))\
                (JSON.parse(document.getElementById('hattari-replays').textContent).games[0])";
    let (hidden, held) = (browser.eval(backs), browser.eval(held));
    assert!(
        hidden == held && hidden.natural() > 0,
        "{game}: {hidden} of {held} hidden"
    );
    let faces = browser.eval(
        "Array.from(document.querySelectorAll('#viewer .board .seat:not([data-seat=\"0\"]) .face')).map(f => f.getAttribute('aria-label')).join()",
    );
    let open = browser.eval(
        "(g => Object.keys(g.start.seats).filter(s => s !== '0').reduce((n, s) => n + (g.start.seats[s].open ? g.start.seats[s].open.split(' ').length : 0), 0))\
         (JSON.parse(document.getElementById('hattari-replays').textContent).games[0])",
    );
    let seen = faces
        .text()
        .split(',')
        .filter(|face| *face != "a card face down")
        .count();
    assert_eq!(
        seen as u64,
        open.natural(),
        "{game}: only what lies open is seen of others: {faces}"
    );
    browser.eval(&format!("{choose}('')"));
    // Automatic steps at the highest speed.
    browser.eval(
        "(pace => { pace.value = '350'; pace.dispatchEvent(new Event('change')); })(document.querySelectorAll('#viewer select')[2])",
    );
    browser.eval("document.getElementById('viewer').focus()");
    browser.press(" ");
    browser.wait("Number(document.querySelector('#viewer input[type=range]').value) >= 2");
    browser.press(" ");
    let (at, _) = step_count(browser);
    assert_eq!(
        browser.eval("document.querySelector('#viewer .go').textContent"),
        "Play"
    );
    assert!(at >= 2);
    // Seats are placed around the table: one at the bottom, the others in playing order. Arrow keys
    // work without a click on the game first.
    let seated = browser.eval("['at-left', 'at-top', 'at-right', 'at-below'].map(side => document.querySelectorAll('#viewer .' + side + ' .seat').length).join()");
    let expected = match game {
        "daihinmin" => "1,2,1,1",
        "bridge" => "1,1,1,1",
        _ => "1,0,1,1",
    };
    assert_eq!(seated, expected, "{game}");
    let (before, _) = step_count(browser);
    browser
        .eval("document.activeElement.blur(); document.getElementById('viewer').scrollIntoView()");
    browser.press("ArrowLeft");
    assert_eq!(step_count(browser).0, before - 1, "{game}");
    // Another game of the page.
    browser.eval(
        "(game => { game.value = '1'; game.dispatchEvent(new Event('change')); })(document.querySelector('#viewer select'))",
    );
    assert_eq!(step_count(browser).0, 0);
    browser.press("ArrowRight");
    browser.press("ArrowRight");
}

/// Answers all requests of the page by clicks, as a person would, until all games are over.
const CLICKS: &str = "
(async () => {
  var turns = 0;
  var tick = () => new Promise(done => setTimeout(done, 5));
  while (!document.getElementById('said').textContent.includes('The session is over') && turns < 3000) {
    var ask = document.getElementById('ask'), button;
    if (document.getElementById('said').textContent.includes('table was closed')) { break; }
    if (ask.children.length === 0) { await tick(); continue; }
    turns += 1;
    var amount = ask.querySelector('form.amount');
    if (amount && turns % 5 === 0) { amount.querySelector('button').click(); await tick(); continue; }
    button = ask.querySelector('button.go:not(form *)') || (turns % 2 ? null : ask.querySelector('button:not(form *)'));
    if (button) { button.click(); await tick(); continue; }
    var faces = Array.from(document.querySelectorAll('#board button.may[aria-pressed=false]'));
    var note = ask.querySelector('p.note');
    if (note && note.textContent.startsWith('These cards')) { faces = Array.from(document.querySelectorAll('#board button[aria-pressed=true]')); }
    if (faces.length > 0) { faces[turns % faces.length].click(); await tick(); continue; }
    button = ask.querySelector('button:not(form *)') || ask.querySelector('button');
    if (button) { button.click(); }
    await tick();
  }
  return turns;
})()";

#[test]
#[ignore = "needs Chromium (apt-get install chromium)"]
fn a_user_can_play_games_of_every_kind_to_the_end() {
    let mut browser = Browser::start();
    let folder = folder();
    for (game, _) in LEAGUES {
        let server = Server::start(folder.root(), [&format!("{game}.yaml")]);
        browser.open(&format!("{}/rules/{game}", server.origin()));
        assert!(
            browser
                .eval("document.querySelectorAll('main h2').length")
                .natural()
                >= 1,
            "{game}"
        );
        fits(&mut browser, &format!("rules-{game}"));
        browser.open(&format!("{}/league/0/play?seed=12", server.origin()));
        browser.eval("document.getElementById('games').value = 2; document.getElementById('pace').value = '0'");
        if game == "daihinmin" {
            fits(&mut browser, "sit-down");
        }
        browser.eval("document.getElementById('start').click()");
        browser.wait("document.getElementById('ask').children.length > 0");
        // Cards are clicked. Before a click, there are buttons for the choices without cards.
        assert_eq!(
            browser.eval("document.querySelectorAll('.at-below #ask').length"),
            1,
            "{game}"
        );
        let buttons = browser
            .eval("document.querySelectorAll('#ask button').length")
            .natural();
        assert!(buttons <= 3, "{game}: {buttons} buttons");
        fits(&mut browser, &format!("play-{game}"));
        // Numbers of cards are shown, and seats are in order.
        let seats = browser.eval(
            "Array.from(document.querySelectorAll('#board .seat .number')).map(number => number.textContent).sort().join()",
        );
        assert!(seats.text().starts_with("seat 1,seat 2"), "{seats}");
        assert!(
            browser.eval("document.getElementById('order').textContent.includes('You')") == true,
            "{game}"
        );
        assert_eq!(
            browser.eval("document.getElementById('rules').getAttribute('href')"),
            format!("/rules/{game}")
        );
        // The result stays until the person continues.
        browser.eval(&CLICKS.replace(
            "turns < 3000",
            "turns < 3000 && !document.querySelector('#ask .result')",
        ));
        assert_eq!(
            browser.eval("document.querySelectorAll('#ask .result .own').length"),
            1,
            "{game}"
        );
        fits(&mut browser, &format!("pause-{game}"));
        let turns = browser.eval(CLICKS);
        let said = browser.eval("document.getElementById('said').textContent");
        has(said.text(), "The session is over after 2 games");
        assert!(turns.natural() >= 1);
        let score = browser.eval("document.getElementById('score').textContent");
        let score = score.text();
        has(score, "Game 2 of 2");
        has(score, "You");
        // The cards of other players were never sent.
        assert_eq!(
            browser.eval("document.querySelectorAll('#board .seat.mine').length"),
            1
        );
        browser.is_content();
    }
}

#[test]
#[ignore = "needs Chromium (apt-get install chromium)"]
fn a_page_follows_a_league_that_is_being_played() {
    let mut browser = Browser::start();
    let folder = folder();
    let league = "daihinmin.yaml";
    folder.edit(league, "blocks: 12", "blocks: 1000000");
    folder.edit(league, "deals: 6", "deals: 100");
    let server = Server::start(folder.root(), ".");
    browser.open(&format!("{}/", server.origin()));
    assert!(browser.eval("document.querySelectorAll('.leagues li').length") == 4);
    fits(&mut browser, "leagues");
    browser.open(&format!("{}/league/1", server.origin()));
    browser.wait("document.querySelector('.live').textContent === 'Nothing has been played yet.'");
    let mut run = folder.start(format!("run {league} --quiet --jobs 1 --no-report"));
    // The report appears, and is updated when blocks finish.
    browser.wait("document.querySelector('.live').textContent.startsWith('Running: ')");
    browser.wait("document.getElementById('standings') !== null");
    let reports = |browser: &mut Browser| {
        browser.eval("Number(document.documentElement.dataset.reports || 0)")
    };
    let before = reports(&mut browser).natural();
    browser.wait(&format!(
        "Number(document.documentElement.dataset.reports || 0) > {before} + 1"
    ));
    browser.picture("live");
    // A game of the league, before it ends.
    browser.wait("document.querySelector('form.any button') !== null");
    browser.eval(
        "document.querySelector('form.any input').value = 0; document.querySelectorAll('form.any input')[2].value = 7; \
         document.querySelector('form.any button').click()",
    );
    // The viewer may show a game 7 of the report before.
    browser.wait("document.querySelector('form.any .note').textContent === ''");
    browser.wait("document.querySelector('#viewer') !== null && document.querySelector('#viewer select').selectedOptions[0].textContent.includes('game 7')");
    browser.eval("document.querySelectorAll('form.any input')[2].value = 4000; document.querySelector('form.any button').click()");
    browser.wait(
        "document.querySelector('form.any .note').textContent.includes('there is no game 4000')",
    );
    assert!(
        run.try_wait().unwrap().is_none(),
        "the league was too short for the test"
    );
    _ = run.kill();
    _ = run.wait();
    // The browser also reports that the requested game does not exist.
    browser
        .complaints
        .retain(|complaint| !complaint.contains("422"));
    browser.is_content();
    let report = folder.report(league);
    assert!(report["progress"]["blocks_played"].natural() > 10);
    assert!(folder.path("daihinmin.sqlite").exists());
}
