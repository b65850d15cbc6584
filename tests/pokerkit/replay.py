"""Plays hands of a .phhs file with PokerKit, action by action as they stand, and tells what PokerKit has at every decision.

usage: replay.py FILE...

Prints one JSON object: how many hands, with how many all-ins, side pots and splits; of each hand every decision (who acts,
what he may do, pot, stacks and bets before it) and the payoffs, or the error. PokerKit's own reader of hands puts in checks
and folds where a hand lacks them; nothing is put in here but what no player decides: burnt cards.

PokerKit hands all odd chips of a split pot to the first winner, and makes one pot of those that differ in beaten players
alone; the rules of Hattari deal odd chips out one each and pot by pot. So pots as PokerKit has them before the showdown are
split anew here by its own ranks of hands.
"""

import json
import sys
import warnings
from dataclasses import replace

from pokerkit import BettingStructure, ChipsPushing, HandHistory, State, parse_action

# Cards come from the text; a deck that is short and open folds are nothing to warn of.
warnings.simplefilter('ignore')


def pots_of(state: State) -> list[tuple[int, tuple[int, ...]]]:
    """Chips and players of every pot while no bet is open; none before and after."""
    if any(state.bets):
        return []

    return [(pot.unraked_amount, pot.player_indices) for pot in state.pots if pot.unraked_amount]


def decision(state: State) -> dict:
    """What the player to act may do, and the chips on the table."""
    lowest = state.min_completion_betting_or_raising_to_amount
    highest = state.max_completion_betting_or_raising_to_amount
    call = state.checking_or_calling_amount
    actor = state.actor_index
    bring_in = state.effective_bring_in_amount
    others = any(status and stack for i, (status, stack) in enumerate(zip(state.statuses, state.stacks)) if i != actor)

    # All chips of one who has no more than the bring-in: posting it and betting them is the same.
    if bring_in is not None and highest is not None and highest <= bring_in:
        lowest = highest = None

    return {
        'player': actor,
        'choices': {
            # PokerKit warns of a fold that there is no reason for, and lets it happen; here it is not offered where
            # nobody else is left to bet.
            'fold': state.can_fold() and (call != 0 or others),
            # Who has to bring in may check in PokerKit's eyes too, as nothing is bet yet.
            'call': None if bring_in is not None else call,
            'bring_in': bring_in,
            'raise': None if lowest is None else [lowest, highest],
        },
        'pot': state.total_pot_amount,
        'stacks': list(state.stacks),
        'bets': list(state.bets),
    }


def is_lax(state: State) -> bool:
    """Whether no bet or raise of the street was a whole one yet, and one was made: PokerKit measures the next ones against
    these, not against the street's bet, and lets who has acted raise again."""
    least = state.street.min_completion_betting_or_raising_amount

    return 0 < state.completion_betting_or_raising_count and state.completion_betting_or_raising_amount < least


def begin(hand: HandHistory) -> State:
    """The hand before its first action, under rules that the format has no field for: pot limit, a cap on raises."""
    game = hand.create_game()
    rules = json.loads(hand.user_defined_fields.get('_options', '{}'))

    if rules.get('limit') == 'pot-limit':
        game.betting_structure = BettingStructure.POT_LIMIT

    if cap := rules.get('raises_max'):
        streets = (replace(street, max_completion_betting_or_raising_count=cap) for street in game.streets)
        game.streets = tuple(streets)

    return game(hand.starting_stacks, len(hand.starting_stacks))


def replay(hand: HandHistory) -> tuple[State, list[dict], list[tuple[int, tuple[int, ...]]], list[int]]:
    """The final state, every decision, and pots and stacks before chips were pushed."""
    decisions, pots, stacks = [], [], []
    state = begin(hand)

    for action in hand.actions:
        while state.can_burn_card():
            state.burn_card('??')

        # Whose turn it is stands in the action; `parse_action` refuses one of another player.
        if action.startswith('p') and ' sm' not in action:
            decisions.append(decision(state) | {'lax': is_lax(state)})

        parse_action(state, action, hand.parse_value)

        if now := pots_of(state):
            pots, stacks = now, list(state.stacks)

    if state.status:
        raise ValueError(f'the hand is not over after its actions, player {state.actor_index} is to act')

    return state, decisions, pots, stacks


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
    result = {'all_ins': 0, 'side_pots': 0, 'splits': 0, 'showdowns': 0, 'hands': []}

    for path in sys.argv[1:]:
        with open(path, 'rb') as file:
            hands = list(HandHistory.load_all(file))

        for hand in hands:
            try:
                state, decisions, pots, stacks = replay(hand)
            except Exception as error:  # noqa: BLE001: whatever PokerKit has against a hand is a difference
                result['hands'].append({'error': f'{type(error).__name__}: {error}'})
                continue

            is_showdown = any(' sm ' in action for action in hand.actions)
            payoffs = odd_chips_one_each(hand, state, pots, stacks) if is_showdown else list(state.payoffs)
            # What PokerKit itself pushes may differ by odd chips, one a pot and winner at most.
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
