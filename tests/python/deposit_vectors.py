"""Deposits and withdrawals as full nodes up to 0.70 compute them, from hathorlib, which those nodes run.

Writes tests/vectors/deposits_double.txt:

    .venv/bin/python tests/python/deposit_vectors.py
"""

import random
from pathlib import Path
from types import SimpleNamespace

from hathorlib.utils import get_deposit_token_deposit_amount, get_deposit_token_withdraw_amount

FILE = Path(__file__).resolve().parents[1] / 'vectors' / 'deposits_double.txt'
MOST = 2**63
# The setting of every network.
SETTINGS = SimpleNamespace(TOKEN_DEPOSIT_PERCENTAGE=0.01)


def deposit(amount: int) -> int:
    return get_deposit_token_deposit_amount(SETTINGS, amount)


def withdrawal(amount: int) -> int:
    return get_deposit_token_withdraw_amount(SETTINGS, amount)


def amounts() -> list[int]:
    """The same each time: for each bit length its ends, multiples of a hundred and their neighbours, and some at random."""
    chosen = {1, MOST - 2, MOST - 1, MOST}
    numbers = random.Random('deposits')
    for bits in range(1, 64):
        low, high = 2**(bits - 1), 2**bits - 1
        chosen.update([low, low + 1, high - 1, high])
        chosen.update(numbers.randint(low, high) for _ in range(12))
        for _ in range(3):
            hundreds = numbers.randint(low, high) // 100 * 100
            chosen.update([hundreds - 1, hundreds, hundreds + 1])
    for exponent in (52, 53, 54, 56, 59):
        chosen.update(range(2**exponent - 8, 2**exponent + 9))
        chosen.update(hundreds + n for hundreds in [2**exponent // 100 * 100 + 100] for n in (-1, 0, 1))
    return sorted(amount for amount in chosen if 0 < amount <= MOST)


def text() -> str:
    lines = ['# amount, deposit, withdrawal; by hathorlib 0.15.0 (tests/python/deposit_vectors.py)']
    lines += [f'{amount} {deposit(amount)} {withdrawal(amount)}' for amount in amounts()]
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    FILE.write_text(text())
