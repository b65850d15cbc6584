//! Auctions, scores and deals by the Laws of Duplicate Bridge.

use crate::play::{dealt, pick, play_out, seeded};
use hattari_games::Game;
use hattari_games::bridge::{
    Auction, Board, Bridge, Call, Card, CardSet, Contract, Deal, Doubling, Options, Scoring, Seat,
    Strain, Suit, Vulnerable, duplicate_score, event, imps, is_balanced,
};

fn auction(dealer: Seat, calls: &str) -> Result<Option<String>, String> {
    let calls: Vec<Call> = calls.split(' ').map(|call| call.parse().unwrap()).collect();
    let auction = Auction::of(dealer, &calls).map_err(|error| error.to_string())?;
    Ok(auction
        .contract()
        .map(|contract| format!("{contract} {}", contract.declarer.letter())))
}

fn check_contract(dealer: Seat, calls: &str, contract: &str) {
    assert_eq!(auction(dealer, calls), Ok(Some(contract.into())), "{calls}");
}

#[test]
fn the_first_seat_of_the_side_to_name_the_strain_is_declarer() {
    check_contract(Seat::South, "1NT P 3NT P P P", "3NT S");
    check_contract(Seat::North, "1H P 2C P 2H P 4H P P P", "4H N");
    check_contract(Seat::North, "1C 1H 2H P 4H P P P", "4H S");
    check_contract(Seat::East, "P P 1S 2D 2S 3D 3S P P P", "3S W");
    check_contract(Seat::West, "P P P 1C P P P", "1C S");
}

#[test]
fn doubles_stand_until_the_next_bid() {
    check_contract(Seat::South, "1S X P P P", "1SX S");
    check_contract(Seat::South, "1S X XX P P P", "1SXX S");
    check_contract(Seat::South, "1S X XX 2C P P P", "2C E");
    check_contract(Seat::South, "1S P P X P P XX P P P", "1SXX S");
}

#[test]
fn calls_out_of_order_are_refused() {
    for (calls, words) in [
        ("1S 1H", "call 2: 1H is not higher than 1S"),
        ("1S 1S", "not higher"),
        ("7NT 7S", "not higher"),
        ("X", "call 1: X is not allowed"),
        ("1S P X", "call 3: X is not allowed"),
        ("1S X X", "call 3: X is not allowed"),
        ("1S XX", "call 2: XX is not allowed"),
        ("1S X P XX", "call 4: XX is not allowed"),
        ("P P P P 1C", "call 5 comes after"),
        ("1C P P P 1D", "call 5 comes after"),
    ] {
        let error = auction(Seat::North, calls).unwrap_err();
        assert!(error.contains(words), "{calls}: {error}");
    }
    assert_eq!(auction(Seat::North, "P P P P"), Ok(None));
    assert_eq!(auction(Seat::North, "1C P P"), Ok(None));
}

#[test]
fn calls_have_numbers_and_names() {
    for number in 0..38 {
        let call = Call::from_number(number).unwrap();
        assert_eq!(
            (call.number(), call.to_string().parse()),
            (number, Ok(call))
        );
    }
    assert_eq!(Call::from_number(38), None);
    assert_eq!(Call::from_number(7).unwrap().to_string(), "1NT");
    assert!(
        "8NT".parse::<Call>().is_err()
            && "".parse::<Call>().is_err()
            && "é".parse::<Call>().is_err()
    );
}

fn score(contract: &str, vulnerable: bool, tricks: u8) -> i64 {
    let bid = contract.trim_end_matches('X');
    let Call::Bid { level, strain } = bid.parse().unwrap() else {
        panic!("{contract} is no bid")
    };
    let doubling =
        [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled][contract.len() - bid.len()];
    duplicate_score(
        &Contract {
            level,
            strain,
            doubling,
            declarer: Seat::South,
        },
        vulnerable,
        tricks,
    )
}

/// Contract, tricks, and the score if declarer's side is not vulnerable and if it is, computed by
/// hand from the table of law 77.
const LAW_77: &str = "
1C      7     70     70
1NT     7     90     90
1NT     9    150    150
2S      8    110    110
3NT     9    400    600
3NT    11    460    660
4H     10    420    620
5D     11    400    600
6S     12    980   1430
6NT    13   1020   1470
7C     13   1440   2140
7NT    13   1520   2220
1CX     7    140    140
1CX     9    340    540
2SX     8    470    670
1NTXX   7    560    760
1NTXX   8    760   1160
7NTXX  13   2280   2980
3NT     8    -50   -100
3NT     0   -450   -900
3NTX    8   -100   -200
3NTX    7   -300   -500
3NTX    6   -500   -800
3NTX    5   -800  -1100
3NTXX   5  -1600  -2200
7NTXX   0  -7000  -7600";

#[test]
fn contracts_are_scored_by_law_77() {
    for line in LAW_77.trim().lines() {
        let (contract, numbers) = line.split_once(' ').unwrap();
        let numbers: Vec<i64> = numbers
            .split_whitespace()
            .map(|number| number.parse().unwrap())
            .collect();
        let tricks = u8::try_from(numbers[0]).unwrap();
        let scores = [false, true].map(|vulnerable| score(contract, vulnerable, tricks));
        assert_eq!(scores, numbers[1..], "{line}");
    }
}

#[test]
fn imps_follow_the_table_of_law_78() {
    // The smallest and the largest difference that are worth so many points.
    let table = "0: 0, 10: 0, 20: 1, 40: 1, 50: 2, 160: 4, 170: 5, 420: 9, 430: 10, 590: 11, 600: 12, 740: 12, 750: 13, 3990: 23, 4000: 24, 15000: 24";
    for entry in table.split(", ") {
        let (difference, points) = entry.split_once(": ").unwrap();
        let [difference, points]: [i64; 2] = [difference, points].map(|text| text.parse().unwrap());
        assert_eq!(
            (imps(difference), imps(-difference)),
            (points, -points),
            "{difference}"
        );
    }
}

fn board(options: Options) -> (Bridge, Board) {
    let game = Bridge::new(options).unwrap();
    let (_, board) = dealt(&game, 4, &mut seeded(1));
    (game, board)
}

fn legal(game: &Bridge, board: &Board) -> String {
    let actions = game.legal_actions(board);
    let names: Vec<_> = actions
        .iter()
        .map(|action| Card::from_index(action.card).unwrap().to_string())
        .collect();
    names.join(" ")
}

fn play(game: &Bridge, board: &mut Board, cards: &str) {
    for card in cards.split(' ') {
        let card: Card = card.parse().unwrap();
        let actions = game.legal_actions(board);
        let action = *actions
            .iter()
            .find(|action| action.card == card.index())
            .expect(cards);
        game.apply(board, action.into());
    }
}

const EXAMPLE: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";

fn example(played: &str) -> (Bridge, Board) {
    board(Options {
        dealer: Seat::West,
        deals: vec![EXAMPLE.into()],
        played: played.into(),
        ..Options::preset("3nt").unwrap()
    })
}

#[test]
fn declarer_plays_dummys_cards_and_sees_them_after_the_lead() {
    let (game, mut board) = example("");
    let view = |board: &Board, seat: u8| game.view_of(&game.new_block(4, 1), board, seat);
    assert_eq!(
        (game.to_act(&board), view(&board, 3).dummy_hand),
        (Some(0), 0)
    );
    play(&game, &mut board, "S7");
    assert_eq!(
        (
            board.seat_to_play(),
            game.to_act(&board),
            game.player_at(&board, 3)
        ),
        (Some(Seat::East), Some(3), 3)
    );
    assert_eq!(legal(&game, &board), "S2 S3");
    for seat in 0..4 {
        assert_eq!(view(&board, seat).dummy_hand, board.hands()[1].0);
    }
    assert_ne!(
        view(&board, 1).hand,
        view(&board, 3).hand,
        "dummy does not see declarer's cards"
    );
    play(&game, &mut board, "S2 SJ");
    assert_eq!(legal(&game, &board), "S6 SQ SA");
    play(&game, &mut board, "SQ");
    assert_eq!(
        (
            board.tricks_won(),
            board.seat_to_play(),
            game.to_act(&board)
        ),
        ([0, 1], Some(Seat::West), Some(3))
    );
    play(&game, &mut board, "D5 D7 DA D2");
    assert_eq!(
        (board.seat_to_play(), game.to_act(&board)),
        (Some(Seat::East), Some(3)),
        "dummy is on lead"
    );
    let shown: Vec<u8> = game
        .history(&board)
        .iter()
        .map(|event| event.kind)
        .collect();
    let (call, card) = (event::CALL, event::CARD);
    assert_eq!(
        shown[..9],
        [call, call, call, call, call, call, card, event::DUMMY, card]
    );
}

#[test]
fn configured_cards_are_played_before_the_first_decision() {
    let (game, board) = example("S7 S2 SJ");
    assert_eq!(
        (game.to_act(&board), legal(&game, &board)),
        (Some(3), "S6 SQ SA".into())
    );
    assert_eq!(game.history(&board).len(), 6 + 3 + 1);
}

/// Spades are trumps: a ruff beats the ace, a higher trump beats the ruff, and discards never win.
#[test]
fn the_highest_trump_wins_or_else_the_highest_of_the_suit_led() {
    let hands = "N:.AKQJT98765432.. ...AKQJT98765432 AKQJT98765432... ..AKQJT98765432.";
    let contract = |auction: &str| {
        let (game, mut board) = board(Options {
            dealer: Seat::South,
            auction: auction.into(),
            deals: vec![hands.into()],
            ..Options::preset("random").unwrap()
        });
        play_out(&game, &mut board, |_| 0);
        let mut payoffs = [0; 4];
        game.finish(&mut game.new_block(4, 1), &board, &mut payoffs);
        (board.tricks_won(), payoffs)
    };
    assert_eq!(contract("7S P P P"), ([13, 0], [1510, -1510, 1510, -1510]));
    // West leads diamonds, which no other seat has, and wins all tricks.
    assert_eq!(contract("7NT P P P"), ([0, 13], [-650, 650, -650, 650]));
}

fn scored(scoring: Scoring) -> Bridge {
    Bridge::new(Options {
        scoring,
        ..Options::default()
    })
    .unwrap()
}

#[test]
fn joint_payoff_compares_both_tables_of_a_duplicated_deal() {
    let joint = |scoring, payoffs: &[i64]| scored(scoring).joint_payoff(payoffs).unwrap();
    assert_eq!(joint(Scoring::Imps, &[400, 50]), 10);
    assert_eq!(joint(Scoring::Imps, &[-400, -50]), -10);
    assert_eq!(joint(Scoring::BoardAMatch, &[400, -430]), -1);
    assert_eq!(joint(Scoring::Points, &[400, -430]), -30);
    assert_eq!(joint(Scoring::Tricks, &[9, -8]), 1);
    assert_eq!(Bridge::rotations(4), 2);
}

#[test]
fn scoring_can_count_tricks_or_contracts() {
    for (scoring, payoffs) in [
        (Scoring::Tricks, [8, 9, 13]),
        (Scoring::Contracts, [0, 1, 1]),
        (Scoring::Imps, [-50, 400, 520]),
    ] {
        let game = scored(scoring);
        assert_eq!([8, 9, 13].map(|tricks| game.score_of(tricks)), payoffs);
    }
    assert_eq!(scored(Scoring::Tricks).worst_payoff(), -13);
    assert_eq!(scored(Scoring::Contracts).worst_payoff(), -1);
    let imps = scored(Scoring::Imps);
    assert_eq!(
        [true, false].map(|is_duplicate| imps.unit(is_duplicate)),
        ["IMPs", "points"]
    );
}

#[test]
fn given_deals_are_played_in_order() {
    let other = "N:32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54 KT875.AQ87.87.K6";
    let options = Options {
        deals: vec![EXAMPLE.into(), other.into()],
        ..Options::default()
    };
    let game = Bridge::new(options).unwrap();
    let mut chance = seeded(1);
    let mut board = game.new_deal();
    let mut dealt = Vec::new();
    for number in 0..3 {
        let mut block = game.new_block(4, 3);
        block.number = number;
        for _ in 0..3 {
            game.deal(&mut block, &mut chance, &mut board);
            dealt.push(
                Deal {
                    hands: *board.hands(),
                }
                .to_string(),
            );
            play_out(&game, &mut board, |_| 0);
            game.finish(&mut block, &board, &mut [0; 4]);
        }
    }
    let expected: Vec<&str> = [EXAMPLE, other].into_iter().cycle().take(9).collect();
    assert_eq!(dealt, expected);
}

#[test]
fn vulnerability_counts_for_declarers_side() {
    let worst = |vulnerable| {
        Bridge::new(Options {
            vulnerable,
            ..Options::default()
        })
        .unwrap()
        .worst_payoff()
    };
    assert_eq!(
        (worst(Vulnerable::EastWest), worst(Vulnerable::NorthSouth)),
        (-520, -900)
    );
}

#[test]
fn dealt_hands_satisfy_the_configured_constraints() {
    let game = Bridge::new(Options::default()).unwrap();
    let mut chance = seeded(3);
    for _ in 0..200 {
        let (_, board) = dealt(&game, 4, &mut chance);
        let [dummy, _, declarer, _] = *board.hands();
        assert!(
            is_balanced(declarer.lengths()) && (15..=17).contains(&declarer.high_card_points()),
            "{declarer:?}"
        );
        let lengths = dummy.lengths();
        assert!(lengths[0] < 4 && lengths[1] < 4 && (10..=14).contains(&dummy.high_card_points()));
    }
}

/// The lengths 4-3-3-3, 4-4-3-2 and 5-3-3-2 are 47.6 % of all hands. In 2,000 hands the standard
/// deviation is 1.1 %; five are allowed.
#[test]
fn the_random_preset_deals_unconstrained_hands() {
    let game = Bridge::new(Options::preset("random").unwrap()).unwrap();
    let mut chance = seeded(4);
    let mut balanced = 0;
    for _ in 0..2000 {
        let (_, board) = dealt(&game, 4, &mut chance);
        balanced += u32::from(is_balanced(board.hands()[3].lengths()));
        let points = board.hands().map(CardSet::high_card_points);
        assert_eq!(points.iter().sum::<u8>(), 40);
    }
    assert!((842..=1063).contains(&balanced), "{balanced}");
}

#[test]
fn bots_do_not_receive_the_configured_deals() {
    let (game, _) = example("S7 S2 SJ");
    let told = game.visible_options();
    assert!(told.deals.is_empty() && game.options().deals.len() == 1);
    assert!(
        told.setup().is_ok(),
        "what is told makes sense without the deals"
    );
    let Options { deals, played, .. } = game.options().clone();
    assert_eq!(
        Options {
            deals,
            played,
            ..told
        },
        *game.options()
    );
}

#[test]
fn points_and_suit_lengths_of_hands_are_counted() {
    let deal: Deal = EXAMPLE.parse().unwrap();
    assert_eq!(deal.hands.map(CardSet::high_card_points), [12, 9, 4, 15]);
    assert_eq!(deal.hands[0].lengths(), [5, 4, 2, 2]);
    assert_eq!(deal.to_string(), EXAMPLE);
    assert_eq!(Card::new(Suit::Clubs, 12).index(), 51);
    assert_eq!(Strain::ALL.len(), 5);
}

/// A reader of only the record gets the same tricks, and views contain no card before it is played.
#[test]
fn the_result_can_be_reconstructed_from_the_record() {
    let game = Bridge::new(Options::default()).unwrap();
    let mut chance = seeded(5);
    let (mut block, mut board) = (game.new_block(4, 40), game.new_deal());
    for _ in 0..40 {
        game.deal(&mut block, &mut chance, &mut board);
        let dealt = *board.hands();
        play_out(&game, &mut board, |legal| pick(&mut chance, legal.len()));
        let history = game.history(&board);
        let of = |kind| history.iter().filter(move |event| event.kind == kind);
        let cards: Vec<_> = of(event::CARD).collect();
        assert_eq!((of(event::CALL).count(), cards.len()), (6, 52));
        let mut won = [0; 2];
        for card in &cards {
            assert_eq!(
                dealt[usize::from(card.seat)].0 >> card.card & 1,
                1,
                "the card came from that hand"
            );
            if card.winner < 4 {
                won[usize::from(card.winner % 2)] += 1;
            }
        }
        assert_eq!(won, board.tricks_won());
        let view = game.view_of(&block, &board, 0);
        assert_eq!(view.unseen(), CardSet::default());
        assert!(view.cards.iter().eq(cards.iter().map(|event| &event.card)));
        game.finish(&mut block, &board, &mut [0; 4]);
    }
}
