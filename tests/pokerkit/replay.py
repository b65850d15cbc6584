"""Plays the hands of .phhs files with PokerKit and prints the state of PokerKit at every decision.

usage: replay.py FILE...

Prints one JSON object. It contains the numbers of hands, all-ins, side pots and split pots. For
each hand it contains the payoffs and all decisions (player, legal actions, pot, stacks and bets
before the decision), or an error. PokerKit's own reader adds missing checks and folds to a hand.
This script adds only burnt cards, because no player decides about them.

PokerKit gives all odd chips of a split pot to the first winner, and merges pots that differ only
in players who have lost. In the rules of Hattari, each winner gets at most one odd chip of each
pot. This script therefore splits the pots of PokerKit before the showdown again, with PokerKit's
ranks of the hands.
"""

import json
import sys
import warnings
from dataclasses import replace

from pokerkit import BettingStructure, ChipsPushing, HandHistory, State, parse_action

# PokerKit warns if the deck is too short and if a player folds without a bet. Both are expected:
# the cards come from the file.
warnings.simplefilter('ignore')


def pots_of(state: State) -> list[tuple[int, tuple[int, ...]]]:
    """Returns the chips and the players of every pot; an empty list while bets are on the table."""
    if any(state.bets):
        return []

    return [(pot.unraked_amount, pot.player_indices) for pot in state.pots if pot.unraked_amount]


def decision(state: State) -> dict:
    """Returns the legal actions of the player to act, and the chips on the table."""
    lowest = state.min_completion_betting_or_raising_to_amount
    highest = state.max_completion_betting_or_raising_to_amount
    call = state.checking_or_calling_amount
    actor = state.actor_index
    bring_in = state.effective_bring_in_amount
    others = any(status and stack for i, (status, stack) in enumerate(zip(state.statuses, state.stacks)) if i != actor)

    # For a player who has no more chips than the bring-in, posting it and betting all chips is the
    # same action.
    if bring_in is not None and highest is not None and highest <= bring_in:
        lowest = highest = None

    return {
        'player': actor,
        'choices': {
            # PokerKit allows a fold without a bet, with a warning. Here, such a fold is legal only
            # if another player can still bet.
            'fold': state.can_fold() and (call != 0 or others),
            # PokerKit also lets the player check who must post the bring-in.
            'call': None if bring_in is not None else call,
            'bring_in': bring_in,
            'raise': None if lowest is None else [lowest, highest],
        },
        'pot': state.total_pot_amount,
        'stacks': list(state.stacks),
        'bets': list(state.bets),
    }


def is_lax(state: State) -> bool:
    """Returns True if there were bets or raises on this street, but all of them were too small.

    In this case, PokerKit measures the next raise against these bets instead of the bet of the
    street, and lets players raise again who have already acted.
    """
    least = state.street.min_completion_betting_or_raising_amount

    return 0 < state.completion_betting_or_raising_count and state.completion_betting_or_raising_amount < least


def begin(hand: HandHistory) -> State:
    """Returns a hand before its first action.

    Applies rules that have no field in the format: the pot limit, and the maximum number of raises.
    """
    game = hand.create_game()
    rules = json.loads(hand.user_defined_fields.get('_options', '{}'))

    if rules.get('limit') == 'pot-limit':
        game.betting_structure = BettingStructure.POT_LIMIT

    if cap := rules.get('raises_max'):
        streets = (replace(street, max_completion_betting_or_raising_count=cap) for street in game.streets)
        game.streets = tuple(streets)

    return game(hand.starting_stacks, len(hand.starting_stacks))


def replay(hand: HandHistory) -> tuple[State, list[dict], list[tuple[int, tuple[int, ...]]], list[int]]:
    """Returns the final state, all decisions, and the pots and stacks before chips were paid."""
    decisions, pots, stacks = [], [], []
    state = begin(hand)

    for action in hand.actions:
        while state.can_burn_card():
            state.burn_card('??')

        # The action names its player; `parse_action` refuses an action of another player.
        if action.startswith('p') and ' sm' not in action:
            decisions.append(decision(state) | {'lax': is_lax(state)})

        parse_action(state, action, hand.parse_value)

        if now := pots_of(state):
            pots, stacks = now, list(state.stacks)

    if state.status:
        raise ValueError(f'the hand is not over after its actions, player {state.actor_index} is to act')

    return state, decisions, pots, stacks


def odd_chips_one_each(hand: HandHistory, state: State, pots: list, stacks: list[int]) -> list[int]:
    """Returns the payoffs of a showdown in which each winner gets at most one odd chip of a pot.

    The odd chips are given out from the first position on.
    """
    payoffs = [after - before for before, after in zip(hand.starting_stacks, stacks)]

    for chips, players in pots:
        # A hand that cannot win is already dead and has no rank.
        ranks = {i: rank for i in players if (rank := state.get_hand(i, 0, 0)) is not None}
        best = max(ranks.values())
        winners = [i for i, rank in ranks.items() if rank == best]
        each, odd = divmod(chips, len(winners))

        for number, i in enumerate(winners):
            payoffs[i] += each + (number < odd)

    return payoffs


def main() -> None:
    result = {'all_ins': 0, 'side_pots': 0, 'splits': 0, 'showdowns': 0, 'hands': []}

    for path in sys.argv[1:]:
        with open(path, 'rb') as file:
            hands = list(HandHistory.load_all(file))

        for hand in hands:
            try:
                state, decisions, pots, stacks = replay(hand)
            except Exception as error:  # noqa: BLE001: every error of PokerKit is a difference
                result['hands'].append({'error': f'{type(error).__name__}: {error}'})
                continue

            is_showdown = any(' sm ' in action for action in hand.actions)
            payoffs = odd_chips_one_each(hand, state, pots, stacks) if is_showdown else list(state.payoffs)
            # The payoffs of PokerKit may differ by odd chips: at most one for each pot and winner.
            odd = sum(abs(own - pushed) for own, pushed in zip(payoffs, state.payoffs))

            if odd > len(pots) * len(payoffs):
                result['hands'].append({'error': f'PokerKit pushes {state.payoffs}, not {payoffs}'})
                continue

            result['hands'].append({'payoffs': payoffs, 'decisions': decisions})
            pushes = [operation for operation in state.operations if isinstance(operation, ChipsPushing)]
            result['all_ins'] += state.all_in_status
            result['side_pots'] += len(pots) > 1
            result['splits'] += any(sum(amount > 0 for amount in push.amounts) > 1 for push in pushes)
            result['showdowns'] += is_showdown

    print(json.dumps(result))


main()
