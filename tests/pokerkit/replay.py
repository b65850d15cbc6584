"""Replays hands of a .phhs file with PokerKit and compares the payoffs with the text's own.

usage: replay.py FILE...

Prints one JSON object: how many hands, with how many all-ins, side pots and splits, and every difference. PokerKit hands
all odd chips of a split pot to the first winner, and makes one pot of those that differ in beaten players alone; the rules
of Hattari deal odd chips out one each and pot by pot. So pots as PokerKit has them before the showdown are split anew here
by its own ranks of hands.
"""

import json
import sys
import warnings

from pokerkit import Automation, BringInPosting, ChipsPushing, HandHistory, State

# Cards come from the text; a deck that is short and open folds are nothing to warn of.
warnings.simplefilter('ignore')


def pots_of(state: State) -> list[tuple[int, tuple[int, ...]]]:
    """Chips and players of every pot while no bet is open; none before and after."""
    if any(state.bets):
        return []

    return [(pot.unraked_amount, pot.player_indices) for pot in state.pots if pot.unraked_amount]


def replay(hand: HandHistory) -> tuple[State, list[str], list[tuple[int, tuple[int, ...]]], list[int]]:
    """The final state, the actions that were carried out as written, and pots and stacks before chips were pushed."""
    applied, pots, stacks = [], [], []
    state = None

    for state, action in hand.state_actions:
        if action is not None:
            applied.append(action)

        if now := pots_of(state):
            pots, stacks = now, list(state.stacks)

    assert state is not None

    return state, applied, pots, stacks


def odd_chips_one_each(hand: HandHistory, state: State, pots: list, stacks: list[int]) -> list[int]:
    """Payoffs of a showdown with the rest of every pot dealt out one chip each, from the first position on."""
    payoffs = [after - before for before, after in zip(hand.starting_stacks, stacks)]

    for chips, players in pots:
        # A hand that can win nothing is dead by now and has no rank.
        ranks = {i: rank for i in players if (rank := state.get_hand(i, 0, 0)) is not None}
        best = max(ranks.values())
        winners = [i for i, rank in ranks.items() if rank == best]
        each, odd = divmod(chips, len(winners))

        for number, i in enumerate(winners):
            payoffs[i] += each + (number < odd)

    return payoffs


def main() -> None:
    result = {'hands': 0, 'all_ins': 0, 'side_pots': 0, 'splits': 0, 'showdowns': 0, 'differences': []}

    for path in sys.argv[1:]:
        with open(path, 'rb') as file:
            hands = list(HandHistory.load_all(file))

        for number, hand in enumerate(hands, 1):
            result['hands'] += 1
            expected = [after - before for before, after in zip(hand.starting_stacks, hand.finishing_stacks)]

            try:
                state, applied, pots, stacks = replay(hand)
            except Exception as error:  # noqa: BLE001: whatever PokerKit has against a hand is a difference
                result['differences'].append(f'{path} hand {number}: {type(error).__name__}: {error}')
                continue

            if applied != list(hand.actions):
                result['differences'].append(f'{path} hand {number}: carried out {applied} of {hand.actions}')
                continue

            is_showdown = any(' sm ' in action for action in hand.actions)
            payoffs = odd_chips_one_each(hand, state, pots, stacks) if is_showdown else list(state.payoffs)
            # What PokerKit itself pushes may differ by odd chips, one a pot and winner at most.
            odd = sum(abs(own - pushed) for own, pushed in zip(payoffs, state.payoffs))

            if odd > len(pots) * len(payoffs) or state.status:
                result['differences'].append(f'{path} hand {number}: PokerKit pushes {state.payoffs}, not {payoffs}')

            if payoffs != expected:
                result['differences'].append(f'{path} hand {number}: payoffs {payoffs}, expected {expected}')

            pushes = [operation for operation in state.operations if isinstance(operation, ChipsPushing)]
            result['all_ins'] += state.all_in_status
            result['side_pots'] += len(pots) > 1
            result['splits'] += any(sum(amount > 0 for amount in push.amounts) > 1 for push in pushes)
            result['showdowns'] += is_showdown

    print(json.dumps(result))


main()
