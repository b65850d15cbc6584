//! Tests of inference rules, and of play that takes them into account, in the example of Kobayashi,
//! Yamashita and Uehara, "コンピュータブリッジにおいてディフェンダーを惑わすプレイ".

use crate::support::{self, AFTER_THE_ACE, AFTER_THE_QUEEN, REAL, card, example, west};
use hattari_bots_bridge::bots::virtual_worlds::{Config, VirtualWorlds, choice_of_winners};
use hattari_bots_bridge::deceive::{Deceiver, DeceptionScope, Source, line_card, read_line};
use hattari_bots_bridge::play::OpenDeal;
use hattari_bots_bridge::reason::{Reasoning, Tools, best, judge};
use hattari_bots_bridge::rules::{Conclusions, Rules, is_fourth_best};
use hattari_bots_bridge::worlds::Worlds;
use hattari_double_dummy::{DoubleDummy, Engine};
use hattari_games::Game;
use hattari_games::bridge::{Bridge, Card, CardSet, Deal, HandConstraints, Options, Seat, View};
use hattari_plugin::Rng;
use hattari_plugin::bridge::{Block, Bot, Turn, card_of};

const ALL: Rules = Rules {
    hcp: true,
    third: true,
    lead: true,
    cheap: true,
};
const NOT_CHEAP: Rules = Rules {
    cheap: false,
    ..ALL
};

fn tools(seed: u64) -> Tools {
    Tools {
        solver: DoubleDummy::new(Engine::Own, 16).unwrap(),
        rng: Rng::new(seed),
        deadline: None,
    }
}

/// Returns the deal after West has won with this card and followed the paper's line: North is on
/// lead.
fn to_north(wests: &str) -> OpenDeal {
    let (_, board, view) = west();
    let mut play = OpenDeal::of(&view, *board.hands());
    for text in format!("{wests} D5 D7 DA D2 CQ C2 C4 CK").split(' ') {
        assert!(play.legal().contains(&card(text)), "{text}");
        play.play(card(text));
    }
    assert!(play.is_defenders_lead() && play.turn() == Some(0));
    play
}

fn suited(suit: char, ranks: &str) -> CardSet {
    ranks
        .chars()
        .map(|rank| card(&format!("{suit}{rank}")))
        .collect()
}

#[test]
fn played_cards_deny_holdings_according_to_the_inference_rules() {
    let view = to_north("SA").view();
    let conclusions = Conclusions::of(&view, ALL);
    let (south, west) = (Seat::South as usize, Seat::West as usize);
    assert_eq!(
        conclusions.denied[south],
        suited('S', "AKT"),
        "the jack denies ace, king and ten, not the queen"
    );
    let denied = |conclusions: &Conclusions| {
        CardSet(
            conclusions.denied[west].of_suit(card("SA").suit()).0 & view.unseen().0 & !view.hand,
        )
    };
    assert_eq!(
        denied(&conclusions),
        suited('S', "Q"),
        "the ace denies the queen, which would have won"
    );
    assert_eq!(conclusions.fourth_best, Some((0, card("S7"))));
    let queen = Conclusions::of(&to_north("SQ").view(), ALL);
    assert_eq!(
        denied(&queen),
        CardSet::default(),
        "nothing beats the jack more cheaply"
    );
    let nothing = Conclusions::of(&view, Rules::NONE);
    assert_eq!(
        (nothing.denied, nothing.fourth_best),
        ([CardSet::default(); 4], None)
    );
}

#[test]
fn the_fourth_best_card_is_from_the_longest_suit() {
    let north = REAL.parse::<Deal>().unwrap().hands[0];
    assert!(is_fourth_best(north, card("S7")));
    assert!(
        !is_fourth_best(north, card("S8"))
            && !is_fourth_best(north, card("H7"))
            && !is_fourth_best(north, card("C6"))
    );
}

/// With the rule, North considers West's real hand impossible. The deals that the paper assumes are
/// possible for North after the respective card.
#[test]
fn north_excludes_the_real_hand_of_west_only_because_of_the_rule() {
    let holdings = example().setup().unwrap().holdings;
    let real = REAL.parse::<Deal>().unwrap().hands;
    let possible = |play: &OpenDeal, rules: Rules, seed: u64| {
        let view = play.view();
        let mut worlds = Worlds::of(&view, &holdings, rules);
        let mut rng = Rng::new(seed);
        (0..400)
            .map(|_| worlds.draw(&mut rng).unwrap())
            .collect::<Vec<_>>()
    };
    let queen = card("SQ");
    let (misled, open) = (
        possible(&to_north("SA"), ALL, 1),
        possible(&to_north("SA"), NOT_CHEAP, 1),
    );
    assert!(
        misled.iter().all(|hands| hands[2].contains(queen)),
        "South is taken to hold the queen"
    );
    let with_west = open.iter().filter(|hands| hands[3].contains(queen)).count();
    assert!(
        100 < with_west && real[3].contains(queen),
        "without the rule West may hold it: {with_west} of 400"
    );
}

/// The deals that the paper assumes North to believe in agree with the calls and all rules after
/// the respective card.
#[test]
fn the_assumed_deals_of_the_paper_satisfy_the_rules() {
    let holdings = example().setup().unwrap().holdings;
    for (believed, line) in [
        (AFTER_THE_QUEEN, "SQ D2 D7 DA D3 CQ C3 C2 CK"),
        (AFTER_THE_ACE, "SA D4 D7 DA D2 CQ C3 C2 CK"),
    ] {
        let hands = believed.parse::<Deal>().unwrap().hands;
        let game = Bridge::new(Options {
            deals: vec![believed.into()],
            ..example()
        })
        .unwrap();
        let mut board = game.new_deal();
        game.start(&Deal { hands }, &mut board);
        let mut play = OpenDeal::of(&support::view(&game, &board, 3), *board.hands());
        line.split(' ').for_each(|text| play.play(card(text)));
        let view = play.view();
        let conclusions = Conclusions::of(&view, ALL);
        for seat in 0..4 {
            assert_eq!(
                play.hands()[seat].0 & conclusions.denied[seat].0,
                0,
                "{believed}"
            );
            // Dummy's hand is visible. In the example it is one point short of what the calls
            // describe.
            assert!(
                seat == Seat::East as usize || holdings[seat].fits(hands[seat]),
                "{believed}"
            );
        }
        assert!(conclusions.fits_lead(|seat| hands[seat]));
    }
}

/// The paper's line is that of the rules of thumb: cross to dummy's ace of diamonds, then lead
/// clubs.
#[test]
fn rules_of_thumb_play_the_line_of_the_paper() {
    let (_, board, view) = west();
    for (wests, line) in [("SQ", ""), ("SA", ""), ("SA", "D5 DA CQ C4")] {
        let line = read_line(line).unwrap();
        let mut play = OpenDeal::of(&view, *board.hands());
        play.play(card(wests));
        while let Some(turn) = play.turn().filter(|_| !play.is_defenders_lead()) {
            let next = line_card(&line, &play, turn);
            play.play(next);
        }
        assert_eq!(
            (play.hands(), play.turn()),
            (to_north(wests).hands(), Some(0))
        );
    }
}

/// North's values over sampled deals, by the share of contracts made. With the rule North leads a
/// low spade, and the contract makes. Without it North plays the king, and the contract fails.
#[test]
fn the_lead_of_north_depends_on_the_rule() {
    let holdings = example().setup().unwrap().holdings;
    let choice = |wests: &str, cheap: bool| {
        let reasoning = Reasoning {
            samples: 150,
            cheap,
            ..Reasoning::default()
        };
        let (view, cards) = (to_north(wests).view(), to_north(wests).legal());
        let tallies = judge(&view, &cards, &reasoning, &holdings, &mut tools(3), true).unwrap();
        cards[best(&tallies, &cards, false, true)].to_string()
    };
    assert!(["S5", "S8"].contains(&choice("SA", true).as_str()));
    assert_eq!(choice("SA", false), "SK");
}

fn deceiver(models_all: bool, candidates: u32, samples: u32, cheap: bool) -> Deceiver {
    let own = Reasoning {
        solves_from: 13,
        ..Reasoning::default()
    };
    let opponents = Reasoning {
        samples,
        cheap,
        ..own
    };
    let holdings = example().setup().unwrap().holdings;
    Deceiver {
        candidates,
        models_all,
        own,
        opponents,
        holdings,
        line: Vec::new(),
    }
}

/// West knows the deal and models North. With the rule the ace always makes the contract, without
/// it never.
#[test]
fn the_ace_makes_the_contract_only_if_north_uses_the_rule() {
    let (_, board, view) = west();
    let cards = ["SQ", "SA"].map(card);
    let makes = |cheap: bool| {
        let deceiver = deceiver(false, 5, 40, cheap);
        let results = deceiver.judge(&view, &cards, Source::Known(*board.hands()), &mut tools(5));
        results
            .tallies
            .into_iter()
            .map(|tally| tally.made)
            .collect::<Vec<_>>()
    };
    let [queen, ace] = makes(true)[..] else {
        panic!("two cards")
    };
    assert!(queen < 5 && ace == 5, "{queen} {ace}");
    assert!(makes(false)[1] < 2, "without the rule North leads the king");
}

/// All sampled candidates are accepted by the source, and they are the same for every card.
#[test]
fn sampled_candidates_are_accepted_by_the_source() {
    let (_, _, view) = west();
    let asked = std::cell::Cell::new(0);
    let king = card("CK");
    let is_offside = |hands: &[CardSet; 4]| {
        asked.set(asked.get() + 1);
        hands[0].contains(king)
    };
    let cards = ["SQ", "SA"].map(card);
    let results = deceiver(false, 4, 2, true).judge(
        &view,
        &cards,
        Source::Sampled(&is_offside),
        &mut tools(7),
    );
    assert_eq!((results.tricks.len(), results.tricks[0].len()), (4, 2));
    assert!(asked.get() > 4, "some candidates were refused");
    let total: u32 = results
        .tricks
        .iter()
        .map(|tricks| u32::from(tricks[0]))
        .sum();
    assert_eq!(total, results.tallies[0].tricks);
}

/// With ordinary reasoning to the end, every card is played.
#[test]
fn unlimited_depth_plays_deals_to_the_end() {
    let (_, board, view) = west();
    let results = deceiver(true, 1, 2, true).judge(
        &view,
        &[card("SA")],
        Source::Known(*board.hands()),
        &mut tools(9),
    );
    assert!((2..=13).contains(&results.tallies[0].tricks), "{results:?}");
}

fn choose<const DEEP: bool>(config: Config, seed: u64) -> Card {
    let (game, board, view) = west();
    let legal = game.legal_actions(&board);
    let mut bot =
        VirtualWorlds::<DEEP>::new(config, &Block::new(4, 3, 1, seed, &example())).unwrap();
    card_of(&legal[bot.act(&Turn::new(&view, game.history(&board), &legal))])
}

/// The bots choose between winning cards and make the same choice for the same seed. They play a
/// low card only if all decisions take the defenders' reasoning into account.
#[test]
fn deception_bots_choose_a_winning_card_deterministically() {
    let config = Config {
        candidates: 2,
        own: Reasoning {
            samples: 4,
            ..Reasoning::default()
        },
        opponents: Reasoning {
            samples: 2,
            cheap: true,
            ..Reasoning::default()
        },
        ..Config::default()
    };
    for seed in 0..3 {
        let card = choose::<false>(config.clone(), seed);
        assert!(["SA", "SQ"].contains(&card.to_string().as_str()), "{card}");
        assert_eq!(card, choose::<false>(config.clone(), seed));
    }
    assert_eq!(
        choose::<true>(config.clone(), 1),
        choose::<true>(config.clone(), 1)
    );
    let legal = ["S6", "SQ", "SA"].map(card);
    let (_, _, view) = west();
    assert_eq!(choice_of_winners(&view, &legal), ["SQ", "SA"].map(card));
    let elsewhere = View { turn: 1, ..view };
    assert_eq!(
        choice_of_winners(&elsewhere, &legal),
        [],
        "dummy's cards tell the defenders nothing"
    );
    choose::<false>(
        Config {
            when: DeceptionScope::Always,
            candidates: 1,
            ..config
        },
        1,
    );
}

#[test]
fn invalid_configs_are_rejected() {
    for (change, words) in [
        (
            (|config| config.candidates = 0) as fn(&mut Config),
            "`candidates` is 0",
        ),
        (|config| config.own.samples = 0, "`own.samples` is 0"),
        (
            |config| config.opponents.samples = 0,
            "`opponents.samples` is 0",
        ),
        (
            |config| config.line = "D5 D1".into(),
            "`line`: `D1` is not a card",
        ),
    ] {
        let mut config = Config::default();
        change(&mut config);
        let refused = VirtualWorlds::<false>::check(&config).unwrap_err();
        assert!(refused.contains(words), "{words}");
    }
}

/// If the rules contradict the view, there is no world. A forced decision then drops rules, not
/// visible cards.
#[test]
fn rules_that_contradict_the_view_are_relaxed() {
    let (_, _, view) = west();
    let narrow = [HandConstraints {
        hcp: [37, 37],
        ..HandConstraints::default()
    }; 4];
    let mut worlds = Worlds::of(&view, &narrow, ALL);
    assert!(worlds.draw(&mut Rng::new(1)).is_none());
    let hands = worlds.draw_relaxed(&mut Rng::new(1));
    assert_eq!((hands[3].0, hands[1].0), (view.hand, view.dummy_hand));
    let any = [HandConstraints::default(); 4];
    assert!(
        Worlds::of(&view, &any, ALL)
            .draw(&mut Rng::new(1))
            .is_some()
    );
}
