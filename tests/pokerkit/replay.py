"""Replays hands of a .phhs file with PokerKit and compares the payoffs with the text's own.

usage: replay.py FILE...

Prints one JSON object: how many hands, with how many all-ins, side pots and splits, and every difference. PokerKit hands
all odd chips of a split pot to the first winner; the rules of Hattari deal them out one each, so a pot's rest is dealt out
anew here before the comparison.
"""

import json
import sys
import warnings

from pokerkit import Automation, BringInPosting, ChipsPushing, HandHistory, State

# Cards come from the text; a deck that is short and open folds are nothing to warn of.
warnings.simplefilter('ignore')


def odd_chips_one_each(state: State) -> list[int]:
    """Payoffs with the rest of every split pot dealt out one chip each, from the first position on."""
    payoffs = list(state.payoffs)

    for operation in state.operations:
        if isinstance(operation, ChipsPushing):
            winners = [i for i, amount in enumerate(operation.amounts) if amount]
            each, odd = divmod(sum(operation.amounts), len(winners))

            for number, i in enumerate(winners):
                payoffs[i] += each + (number < odd) - operation.amounts[i]

    return payoffs


def replay(hand: HandHistory) -> tuple[State, list[str]]:
    """The final state, and the actions that were carried out as written."""
    applied = []
    state = None

    for state, action in hand.state_actions:
        if action is not None:
            applied.append(action)

    assert state is not None

    return state, applied


def main() -> None:
    result = {'hands': 0, 'all_ins': 0, 'side_pots': 0, 'splits': 0, 'showdowns': 0, 'differences': []}

    for path in sys.argv[1:]:
        with open(path, 'rb') as file:
            hands = list(HandHistory.load_all(file))

        for number, hand in enumerate(hands, 1):
            result['hands'] += 1
            expected = [after - before for before, after in zip(hand.starting_stacks, hand.finishing_stacks)]

            try:
                state, applied = replay(hand)
            except Exception as error:  # noqa: BLE001: whatever PokerKit has against a hand is a difference
                result['differences'].append(f'{path} hand {number}: {type(error).__name__}: {error}')
                continue

            if applied != list(hand.actions):
                result['differences'].append(f'{path} hand {number}: carried out {applied} of {hand.actions}')
                continue

            payoffs = odd_chips_one_each(state)

            if payoffs != expected:
                result['differences'].append(f'{path} hand {number}: payoffs {payoffs}, expected {expected}')

            pushes = [operation for operation in state.operations if isinstance(operation, ChipsPushing)]
            result['all_ins'] += state.all_in_status
            result['side_pots'] += len({push.pot_index for push in pushes}) > 1
            result['splits'] += any(sum(amount > 0 for amount in push.amounts) > 1 for push in pushes)
            result['showdowns'] += any(' sm ' in action for action in hand.actions)

    print(json.dumps(result))


main()
