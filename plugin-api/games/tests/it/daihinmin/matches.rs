//! Matches: seats, titles, dealing, the exchange, points, and options that are refused.

use crate::play::{pick, play_out, seeded};
use hattari_games::Game;
use hattari_games::daihinmin::card::{self, CardSet, describe, parse_set};
use hattari_games::daihinmin::{Block, Daihinmin, Deal, NONE, Options, Setup, give, phase};

fn rules(options: Options) -> Daihinmin {
    Daihinmin::new(options).unwrap()
}

/// Plays `deals` random deals. `look` is called at the start and at the end of each deal.
fn play(
    game: &Daihinmin,
    seed: u64,
    deals: u32,
    mut look: impl FnMut(u32, &Block, &Deal),
) -> Block {
    let mut chance = seeded(seed);
    let (mut block, mut deal) = (game.new_block(5, deals), game.new_deal());
    for number in 1..=deals {
        game.deal(&mut block, &mut chance, &mut deal);
        look(number, &block, &deal);
        play_out(game, &mut deal, |legal| pick(&mut chance, legal.len()));
        look(number, &block, &deal);
        game.finish(&mut block, &deal, &mut [0; 5]);
    }
    block
}

fn by_player(players: [u8; 5], by_seat: [u8; 5]) -> [u8; 5] {
    let mut values = [NONE; 5];
    for (&player, value) in players.iter().zip(by_seat) {
        values[usize::from(player)] = value;
    }
    values
}

#[test]
fn seats_are_redrawn_at_the_configured_interval() {
    // The option, and the numbers of deals up to 12 before which seats are redrawn.
    for (seat_redraw, drawn) in [
        (3, vec![1, 4, 7, 10]),
        (2, vec![1, 3, 5, 7, 9, 11]),
        (10, vec![1, 11]),
        // On the server, n modulo 1 is never 1, so the first draw stays.
        (1, vec![1]),
        (0, vec![]),
    ] {
        let game = rules(Options {
            seat_redraw,
            ..Options::default()
        });
        let mut seated = [0, 1, 2, 3, 4];
        let mut changed = Vec::new();
        // A redraw can give the same seats, so several blocks are tried.
        for seed in 0..5 {
            seated = [0, 1, 2, 3, 4];
            play(&game, seed, 12, |number, block, deal| {
                if deal.public(block).players != seated {
                    changed.push(number);
                    seated = deal.public(block).players;
                }
            });
        }
        changed.sort_unstable();
        changed.dedup();
        assert_eq!(changed, drawn, "{seat_redraw}");
        assert_eq!(seat_redraw == 0, seated == [0, 1, 2, 3, 4]);
    }
}

#[test]
fn titles_are_the_previous_places_until_the_rank_reset() {
    let game = rules(Options {
        rank_reset: 4,
        ..Options::default()
    });
    let mut places = [NONE; 5];
    play(&game, 1, 12, |number, block, deal| {
        let public = deal.public(block);
        let fresh = number % 4 == 1;
        if public.phase == phase::OVER {
            places = by_player(public.players, public.places);
            return;
        }
        assert_eq!(public.fresh == 1, fresh, "deal {number}");
        assert_eq!(public.phase == phase::PLAY, fresh, "deal {number}");
        assert_eq!(
            by_player(public.players, public.titles),
            if fresh { [NONE; 5] } else { places },
            "deal {number}"
        );
    });
    assert_eq!(rules(Options::preset("uecda").unwrap()).block_deals(), 100);
    assert_eq!(
        rules(Options::preset("uecda-2007").unwrap()).block_deals(),
        1000
    );
}

#[test]
fn the_first_card_goes_to_the_daifugo_or_to_a_random_seat() {
    let without_exchange = rules(Options {
        exchange: false,
        ..Options::default()
    });
    let mut firsts = [0; 5];
    for seed in 0..300 {
        play(&without_exchange, seed, 3, |number, block, deal| {
            let public = deal.public(block);
            if public.gone == 0 {
                let sizes = deal.hands().map(CardSet::count_ones);
                let first = (0..5)
                    .find(|&first| (0..3).all(|step| sizes[(first + step) % 5] == 11))
                    .unwrap();
                assert_eq!(sizes.iter().sum::<u32>(), 53);
                match number {
                    1 => firsts[first] += 1,
                    _ => assert_eq!(public.titles[first], 0, "deal {number}"),
                }
            }
        });
    }
    assert!(
        firsts.iter().all(|&count| (35..90).contains(&count)),
        "{firsts:?}"
    );
}

/// Every seat gets every card equally often: in 2,000 deals 400 times, with a standard deviation of
/// 18; five are allowed.
#[test]
fn cards_are_dealt_evenly() {
    let game = rules(Options {
        rank_reset: 1,
        ..Options::default()
    });
    let mut counts = [[0_i32; 61]; 5];
    let mut chance = seeded(9);
    let (mut block, mut deal) = (game.new_block(5, 1), game.new_deal());
    for _ in 0..2000 {
        game.deal(&mut block, &mut chance, &mut deal);
        for (count, hand) in counts.iter_mut().zip(*deal.hands()) {
            card::cells(hand).for_each(|cell| count[usize::from(cell)] += 1);
        }
    }
    for cell in card::cells(card::PACK) {
        for count in &counts {
            assert!(
                (count[usize::from(cell)] - 400).abs() < 90,
                "{}",
                card::name(cell).unwrap()
            );
        }
    }
}

/// Seats 0 to 4 are heimin, daihinmin, daifugo, hinmin and fugo; seat 2 gets the first card.
fn exchange_setup() -> Setup {
    Setup {
        players: [4, 3, 2, 1, 0],
        titles: [2, 4, 0, 3, 1],
        hands: [
            "S3 S4 S5 S6 S7 S8 S9 ST SJ D4",
            "H3 H4 H5 H6 H7 H8 H9 H2 D2 JK",
            "C3 C4 C5 C6 C7 C8 C9 CT CJ CQ D3",
            "D5 D6 D7 D8 D9 DT DJ DQ SA DA CA",
            "HT HJ HQ HK HA S2 C2 SQ SK DK CK",
        ]
        .map(|hand| parse_set(hand).unwrap()),
        deadlock_order: [0, 1, 2, 3, 4],
    }
}

/// Starts a deal with [`exchange_setup`].
fn exchange(game: &Daihinmin) -> (Block, Deal) {
    let (mut block, mut deal) = (game.new_block(5, 1), game.new_deal());
    game.start(&mut block, &exchange_setup(), &mut deal)
        .unwrap();
    (block, deal)
}

#[test]
fn the_exchange_moves_two_cards_and_one_card_between_the_titles() {
    let game = rules(Options::default());
    let (block, mut deal) = exchange(&game);
    let set = |text| parse_set(text).unwrap();

    // The tribute is moved at once: the joker and the first of the twos, and the first of the aces.
    assert_eq!(deal.public(&block).cards_left, [10, 8, 13, 10, 12]);
    let daihinmin = game.view_of(&block, &deal, 1);
    assert_eq!(
        (
            describe(daihinmin.given).as_str(),
            daihinmin.received,
            daihinmin.give
        ),
        ("H2 JK", 0, 0)
    );
    assert_eq!(describe(game.view_of(&block, &deal, 3).given), "SA");

    // The daifugo may give any two cards, including new ones. It does not know which cards are new.
    assert_eq!(game.to_act(&deal), Some(2));
    let daifugo = game.view_of(&block, &deal, 2);
    assert_eq!(
        (daifugo.phase, daifugo.give, daifugo.received),
        (phase::EXCHANGE, 2, 0)
    );
    assert_eq!(
        describe(daifugo.hand),
        "D3 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ H2 JK"
    );
    let legal = game.legal_actions(&deal);
    assert_eq!(legal.len(), 13 * 12 / 2);
    // An invalid choice gives away the strongest cards, as on the server.
    assert_eq!(describe(legal[0].cards), "H2 JK");
    game.apply(&mut deal, give(set("C4 JK")).into());

    // Then the fugo chooses one card. The daihinmin knows what it received; the public record
    // contains nothing about it.
    assert_eq!(game.to_act(&deal), Some(4));
    assert_eq!(game.view_of(&block, &deal, 4).give, 1);
    assert_eq!(game.view_of(&block, &deal, 2).give, 0);
    let legal = game.legal_actions(&deal);
    assert_eq!(legal.len(), 12);
    assert_eq!(describe(legal[0].cards), "S2");
    game.apply(&mut deal, give(set("HT")).into());
    assert_eq!(game.history(&deal), []);

    // The three of diamonds did not move, so the daifugo leads.
    assert_eq!(
        (deal.public(&block).phase, game.to_act(&deal)),
        (phase::PLAY, Some(2))
    );
    for (seat, cards, given, received) in [
        (0, 10, "-", "-"),
        (1, 10, "H2 JK", "C4 JK"),
        (2, 11, "C4 JK", "-"),
        (3, 11, "SA", "HT"),
        (4, 11, "HT", "-"),
    ] {
        let view = game.view_of(&block, &deal, seat);
        assert_eq!(view.hand.count_ones(), cards, "seat {seat}");
        assert_eq!(
            (describe(view.given), describe(view.received)),
            (given.into(), received.into()),
            "seat {seat}"
        );
    }
    assert_eq!(describe(deal.hands()[1]), "H3 H4 C4 H5 H6 H7 H8 H9 D2 JK");
}

#[test]
fn the_three_of_diamonds_leads_after_the_exchange() {
    let game = rules(Options::default());
    let (_, mut deal) = exchange(&game);
    for gift in ["D3 C3", "HK"] {
        game.apply(&mut deal, give(parse_set(gift).unwrap()).into());
    }
    assert_eq!(game.to_act(&deal), Some(1));
}

#[test]
fn no_cards_are_exchanged_without_the_option() {
    let game = rules(Options {
        exchange: false,
        ..Options::default()
    });
    let (block, deal) = exchange(&game);
    assert_eq!(
        (deal.public(&block).phase, *deal.hands()),
        (phase::PLAY, exchange_setup().hands)
    );
}

#[test]
fn points_accumulate_by_player_and_are_shown_by_seat() {
    let game = rules(Options {
        points: [10, 5, 0, -5, -10],
        ..Options::default()
    });
    assert_eq!(game.worst_payoff(), -10);
    let mut points = [0; 5];
    let block = play(&game, 5, 30, |number, block, deal| {
        let view = game.view_of(block, deal, 3);
        assert_eq!((view.deal, view.deals), (number - 1, 30));
        for (seat, &player) in deal.public(block).players.iter().enumerate() {
            assert_eq!(view.points[seat], points[usize::from(player)]);
        }
        if view.phase == phase::OVER {
            for (&player, &place) in view.players.iter().zip(&view.places) {
                points[usize::from(player)] += [10, 5, 0, -5, -10][usize::from(place)];
            }
        }
    });
    assert_eq!(
        (block.totals_of([0, 1, 2, 3, 4]), block.finished),
        (points, 30)
    );
}

#[test]
fn invalid_setups_are_refused() {
    let game = rules(Options::default());
    let start = |change: fn(&mut Setup)| {
        let mut setup = exchange_setup();
        change(&mut setup);
        game.start(&mut game.new_block(5, 1), &setup, &mut game.new_deal())
    };
    assert_eq!(start(|_| ()), Ok(()));
    for change in [
        (|setup| setup.players[0] = 3) as fn(&mut Setup),
        |setup| setup.titles[0] = 4,
        |setup| setup.titles[0] = NONE,
        |setup| setup.deadlock_order[0] = 5,
        |setup| setup.hands[0] |= setup.hands[1],
        |setup| setup.hands[0] = 0,
        |setup| setup.hands[0] = 1,
        |setup| setup.hands[1] = parse_set("H3 H4").unwrap(),
    ] {
        assert!(start(change).is_err());
    }
}
