//! Given deals of leagues: every game plays them in turn, draws the other cards at random, and
//! hides them from bots. (For bridge, see its rulings.)

use crate::play::seeded;
use hattari_games::poker::card::parse_list;
use hattari_games::{BlockState, Game, daihinmin, holdem, stud, tanhinmin, words};
use serde_json::{Value, json};

/// Creates the game with these options, or returns the error.
fn game<G: Game>(options: &Value) -> Result<G, String> {
    G::new(serde_json::from_value(options.clone()).map_err(|error| error.to_string())?)
}

/// Plays two blocks of two deals with the first legal actions. Returns the results of `look` at the
/// start and at the end of each deal.
fn play<G: Game, T>(
    options: &Value,
    players: usize,
    look: impl Fn(&G, &BlockState<G>, &G::Deal) -> T,
) -> Vec<[T; 2]> {
    let game: G = game(options).expect("options");
    assert_eq!(
        game.given_deals().len(),
        options["deals"].as_array().map_or(0, Vec::len)
    );
    let told = serde_json::to_value(game.visible_options()).expect("options are plain data");
    assert!(
        !told.to_string().contains("deals"),
        "bots are told deals: {told}"
    );
    let (mut chance, mut deal, mut seen) = (seeded(7), game.new_deal(), Vec::new());
    for number in 0..2 {
        let mut block = game.new_block(players, 2);
        block.number = number;
        for _ in 0..2 {
            game.deal(&mut block, &mut chance, &mut deal);
            let begins = look(&game, &block, &deal);
            while game.to_act(&deal).is_some() {
                let legal = game.legal_actions(&deal);
                // Calls if a check is not possible.
                let calls = legal
                    .iter()
                    .find(|&action| words::choice(&game, &(*action).into()).starts_with("call"));
                game.apply(&mut deal, (*calls.unwrap_or(&legal[0])).into());
            }
            seen.push([begins, look(&game, &block, &deal)]);
            game.finish(&mut block, &deal, &mut vec![0; players]);
        }
    }
    seen
}

fn set(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |set, card| set | 1 << card)
}

fn poker_cards(text: &str) -> u64 {
    set(&parse_list(text).expect("cards"))
}

#[test]
fn tanhinmin_deals_hands_from_the_first_seat() {
    let options = json!({"deals": ["1 2 3/4 5 6/7 8 9", "9 / - / 1 2", "3 / 6"]});
    let dealt = play::<tanhinmin::Tanhinmin, _>(&options, 3, |_, _, deal| deal.hands().to_vec());
    let hands: Vec<Vec<u64>> = dealt.into_iter().map(|[begins, _]| begins).collect();
    assert_eq!(
        (&hands[0], &hands[3]),
        (
            &vec![0b111, 0b111_000, 0b111_000_000],
            &vec![0b111, 0b111_000, 0b111_000_000]
        )
    );
    for hands in &hands {
        assert_eq!(hands.iter().fold(0, |all, hand| all | hand), 0x1ff);
        assert!(hands.iter().all(|hand| hand.count_ones() == 3));
    }
    assert_eq!(
        (
            hands[1][0] >> 8,
            hands[1][2] & 3,
            hands[2][0] >> 2 & 1,
            hands[2][1] >> 5 & 1
        ),
        (1, 3, 1, 1)
    );
}

#[test]
fn daihinmin_deals_hands_in_the_order_of_dealing() {
    let named = [
        "S3 H3 D3 C3",
        "JK",
        "S2 H2",
        "D2",
        "SA HA DA CA S4 H4 D4 C4 S5 H5",
    ];
    let options = json!({"exchange": false, "deals": [named.join("/")]});
    let dealt = play::<daihinmin::Daihinmin, _>(&options, 5, |game, block, deal| {
        let view = game.view_of(block, deal, 0);
        let daifugo = (0..5).find(|&seat| view.titles[seat] == 0);
        let hands = *deal.hands();
        let fits = |first: usize| {
            named.iter().enumerate().all(|(number, text)| {
                let cards = daihinmin::card::parse_list(text).expect("cards");
                let (hand, named) = (hands[(first + number) % 5], set(&cards));
                hand & named == named && hand.count_ones() == if number < 3 { 11 } else { 10 }
            })
        };
        (
            daifugo,
            (0..5)
                .filter(|&first| game.to_act(deal).is_some() && fits(first))
                .collect::<Vec<_>>(),
        )
    });
    for [(daifugo, fitting), _] in dealt {
        assert_eq!(
            fitting.len(),
            1,
            "the deal is as it was given, from one seat on"
        );
        assert!(
            daifugo.is_none_or(|daifugo| fitting == [daifugo]),
            "the daifugo is dealt first"
        );
    }
}

#[test]
fn holdem_deals_hands_by_position_and_the_board() {
    let options = json!({"deals": ["AsAh/KsKh/- | 2c3c4c5c", "-/-/QsQd|9h"]});
    let seen = play::<holdem::Holdem, _>(&options, 3, |_, _, deal| {
        (deal.hands, deal.button, deal.community, *deal.deck())
    });
    for (number, [(hands, button, _, deck), (_, _, board, _)]) in seen.into_iter().enumerate() {
        let hand = |position: u8| hands[usize::from((button + 1 + position) % 3)];
        let community = |places: usize| set(&deck[6..6 + places]);
        assert_eq!(board, community(5), "the board is dealt from its places");
        if number % 2 == 0 {
            assert_eq!(
                (hand(0), hand(1)),
                (poker_cards("AsAh"), poker_cards("KsKh"))
            );
            assert_eq!(community(4), poker_cards("2c3c4c5c"));
        } else {
            assert_eq!(
                (hand(2), community(1)),
                (poker_cards("QsQd"), poker_cards("9h"))
            );
        }
        assert_eq!(
            (
                set(&deck).count_ones(),
                hands.iter().map(|hand| hand.count_ones()).sum::<u32>()
            ),
            (52, 6)
        );
    }
}

#[test]
fn stud_deals_hands_card_by_card() {
    let options = json!({"deals": ["As Kd 2c 9h 9s 9d 4c / Qh"]});
    for [(first, before, _), (_, hands, _)] in play::<stud::Stud, _>(&options, 2, |_, _, deal| {
        ((deal.button + 1) % 2, deal.hands, deal.up)
    }) {
        let (one, other) = (usize::from(first), usize::from(1 - first));
        assert_eq!(before[one], poker_cards("As Kd 2c"));
        assert_eq!(hands[one] & !poker_cards("As Kd 2c 9h 9s 9d 4c"), 0);
        assert_eq!(before[other] & poker_cards("Qh"), poker_cards("Qh"));
    }
}

#[test]
fn given_deals_limit_the_number_of_players() {
    fn tables<G: Game>(deal: &str) -> (usize, usize) {
        game::<G>(&json!({"deals": [deal]}))
            .expect("options")
            .tables()
    }
    assert_eq!(tables::<holdem::Holdem>("As/Ks/Qs"), (3, 9));
    assert_eq!(tables::<stud::Stud>("As Ks Qs"), (2, 8));
    assert_eq!(tables::<stud::Stud>("As Ks Qs Js Ts 9s 8s"), (2, 7));
    // Three cards each: strength 10 needs a fourth player.
    assert_eq!(tables::<tanhinmin::Tanhinmin>("10"), (4, 6));
    assert_eq!(tables::<daihinmin::Daihinmin>("S3"), (5, 5));
}
