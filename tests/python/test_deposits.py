"""The wallet pays the deposits that full nodes demand: up to release 0.70 hathorlib's, in double precision."""

import random
import unittest

from deposit_vectors import FILE, MOST, amounts, deposit, text
from local_network import LocalNetwork

SEED = random.randrange(2**32)
AMOUNTS = 40


class Deposits(unittest.TestCase):
    def test_the_vectors_are_what_hathorlib_says(self) -> None:
        self.assertEqual(FILE.read_text(), text())

    def test_of_a_node_that_computes_in_double_precision(self) -> None:
        self.agree('0.70', deposit)

    def test_of_a_node_that_computes_in_integers(self) -> None:
        self.agree('0.71', lambda amount: -(-amount // 100))

    def agree(self, release: str, expected) -> None:
        numbers = random.Random(SEED)
        # More than the wallet owns, so that it says how much it wants.
        least = 100 * 10**11 + 1
        random_ones = [min(MOST, max(least, numbers.getrandbits(numbers.randint(45, 63)))) for _ in range(AMOUNTS)]
        chosen = [amount for amount in amounts() if amount >= least][::20] + random_ones
        with LocalNetwork('trivial', '--node-release', release) as network:
            for amount in chosen:
                answer = network.post('/wallet/create-token', {'name': 'Much', 'symbol': 'MUCH', 'amount': amount})
                wanted = f'{expected(amount)} required, 100000000000 available'
                self.assertEqual(answer, {
                    'success': False,
                    'error': f'Not enough HTR tokens for deposit or fee: {wanted}',
                    'token': '00', 'required': expected(amount), 'available': 100000000000,
                }, f'amount {amount}, seed {SEED}')


if __name__ == '__main__':
    unittest.main()
