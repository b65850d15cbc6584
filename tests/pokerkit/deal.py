"""Deals random hands with PokerKit and writes them to a .phhs file.

usage: deal.py SEED HANDS FILE

The games are no-limit, pot-limit and fixed-limit hold'em, and seven-card stud. Tables have two to
nine players (stud: two to seven). Stacks begin at one chip. There are antes of all players, of the
big blind only, or none, and sometimes straddles. Players choose random legal actions, including
all-ins.

- The format has no code for pot-limit hold'em. Such hands are written as no-limit hold'em, with the
  limit in `_options`.
- Heads-up, the two blinds are always different: if they are equal, PokerKit lets the big blind act
  first.
- A player who has no more chips than the bring-in posts the bring-in. PokerKit also lets such a
  player complete the bet, and then measures raises from that amount.
"""

import json
import random
import sys
import warnings

from pokerkit import (
    Automation,
    BettingStructure,
    FixedLimitSevenCardStud,
    FixedLimitTexasHoldem,
    HandHistory,
    NoLimitTexasHoldem,
    State,
)

warnings.simplefilter('ignore')

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def stacks(players: int, bet: int) -> list[int]:
    """Returns random stacks, in chips: short and deep stacks at the same table."""
    return [random.randint(1, random.choice((bet, 4 * bet, 30 * bet, 200 * bet))) for _ in range(players)]


def antes(players: int, bet: int) -> tuple[bool, int | list[int]]:
    """Returns random antes: whether they are trimmed to the shortest one, and the antes themselves.

    The antes are none, the same for all players, or one ante that the big blind pays for all.
    """
    ante = random.choice((0, 0, random.randint(1, bet), [0, random.randint(1, bet)] + [0] * (players - 2)))

    return isinstance(ante, int) and random.random() < 0.5, ante


def begin() -> tuple[object, State, dict]:
    """Returns a random game, a hand before its first action, and rules that the format lacks."""
    kind = random.choice(('no-limit', 'pot-limit', 'fixed-limit', 'stud'))
    bet = random.choice((2, 10, 100))

    if kind == 'stud':
        players = random.randint(2, 7)
        trimmed = random.random() < 0.5
        ante, bring_in = random.randint(0, bet), random.randint(1, bet - 1)
        game = FixedLimitSevenCardStud(AUTOMATIONS, trimmed, ante, bring_in, bet, 2 * bet)
        rules = {'half_bet_counts': False}
    else:
        players = random.randint(2, 9)
        blinds = [random.randint(1, bet - (players == 2)), bet] + [0] * (players - 2)

        if players > 3 and random.random() < 0.2:
            blinds[random.choice((2, players - 1))] = 2 * bet

        if kind == 'fixed-limit':
            game = FixedLimitTexasHoldem(AUTOMATIONS, *antes(players, bet), blinds, bet, 2 * bet)
            rules = {'half_bet_counts': False}
        else:
            game = NoLimitTexasHoldem(AUTOMATIONS, *antes(players, bet), blinds, bet)
            rules = {'limit': kind}

            if kind == 'pot-limit':
                game.betting_structure = BettingStructure.POT_LIMIT

    return game, game(stacks(players, bet), players), rules


def play(state: State) -> None:
    """Plays a hand to its end with random legal actions."""
    while state.status:
        if state.can_burn_card():
            state.burn_card('??')
        elif state.can_deal_hole():
            state.deal_hole()
        elif state.can_deal_board():
            state.deal_board()
        elif state.can_post_bring_in() and (random.random() < 0.7 or state.stacks[state.actor_index] <= state.bring_in):
            state.post_bring_in()
        elif state.can_complete_bet_or_raise_to() and random.random() < 0.35:
            lowest = state.min_completion_betting_or_raising_to_amount
            highest = state.max_completion_betting_or_raising_to_amount
            total = random.choice((lowest, lowest, random.randint(lowest, highest), highest))
            state.complete_bet_or_raise_to(total)
        elif state.can_post_bring_in():
            state.post_bring_in()
        elif state.can_fold() and random.random() < (0.15 if state.checking_or_calling_amount else 0.01):
            state.fold()
        else:
            state.check_or_call()


def main() -> None:
    seed, hands, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    random.seed(seed)

    with open(path, 'w') as file:
        for number in range(1, hands + 1):
            game, state, rules = begin()
            starting = list(state.starting_stacks)
            play(state)
            hand = HandHistory.from_game_state(
                game,
                state,
                ante_trimming_status=game.ante_trimming_status,
                starting_stacks=starting,
                finishing_stacks=list(state.stacks),
                user_defined_fields={'_options': json.dumps(rules)},
            )
            file.write(f'[{number}]\n{hand.dumps()}\n\n')


main()
