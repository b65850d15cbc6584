#!/usr/bin/env python3
"""Random card play of bridge in OpenSpiel and Hattari: tests/peers/openspiel.py [PROGRAM].

Prints contracts of 3NT per second of processor time, in five pairs of runs. OpenSpiel plays rollouts
in C++ from given deals; Hattari deals, and keeps records. Needs `pip install open_spiel`.
"""

import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

import pyspiel

DEALS, ROLLOUTS, BLOCKS, BLOCK = 60, 3_000, 100, 4_000
LEAGUE = f"""
game: bridge
preset: 3nt
seed: 1
entrants: [{{name: a, bot: random}}, {{name: b, bot: random}}]
format: {{kind: pairs, a: [a], b: [b]}}
blocks: {BLOCKS}
deals: {BLOCK}
duplicate: false
"""


def dealt(game, chance):
    """Returns the state before the opening lead of 3NT."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    for call in ["3NT", "Pass", "Pass", "Pass"]:
        names = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(next(action for name, action in names.items() if name.endswith(call)))
    return state


def openspiel(game, chance):
    states = [dealt(game, chance) for _ in range(DEALS)]
    start = time.process_time()
    for state in states:
        # One simulation, so almost all time goes into the rollouts.
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 7)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 7, False).step(state)
    return DEALS * ROLLOUTS / (time.process_time() - start)


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def hattari(program):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "league.yaml").write_text(LEAGUE)
        start = processor_time()
        command = [program, "run", "league.yaml", "--jobs", "1", "--quiet", "--no-report"]
        subprocess.run(command, cwd=folder, check=True)
        return BLOCKS * BLOCK / (processor_time() - start)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "target/release/hattari")
    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    chance = random.Random(1)
    for _ in range(5):
        theirs, ours = openspiel(game, chance), hattari(program.resolve())
        print(f"OpenSpiel {theirs:,.0f}, Hattari {ours:,.0f}, ratio {ours / theirs:.2f}", flush=True)


if __name__ == "__main__":
    main()
