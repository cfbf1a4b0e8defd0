"""hathorlib, which full nodes run, agrees with what this wallet makes of contracts: arguments, headers, blueprints."""

import json
import unittest
from pathlib import Path

from hathorlib.base_transaction import tx_or_block_from_bytes
from hathorlib.headers import NanoHeader
from nano_vectors import FILE, text

TRANSACTIONS = Path(__file__).resolve().parents[1] / 'vectors' / 'transactions.json'


class Nano(unittest.TestCase):
    def test_the_vectors_of_arguments_are_what_hathorlib_says(self) -> None:
        self.assertEqual(FILE.read_text(), text())

    def test_the_vectors_of_headers_are_what_hathorlib_reads_and_writes(self) -> None:
        read = 0
        for vector in json.loads(TRANSACTIONS.read_text())['transactions']:
            fields = vector['fields']
            headers = [header for header in fields['headers'] if header['type'] == 'nano']
            if not headers and fields['version'] != 6:
                continue
            tx = tx_or_block_from_bytes(bytes.fromhex(vector['hex']))
            self.assertEqual(tx.hash.hex(), vector['hash'])
            self.assertEqual(bytes(tx).hex(), vector['hex'])
            found = [header for header in tx.headers if isinstance(header, NanoHeader)]
            self.assertEqual(
                [(h.nc_id.hex(), h.nc_seqnum, h.nc_method, h.nc_args_bytes.hex(), h.nc_script.hex()) for h in found],
                [(h['nc_id'], h['seqnum'], h['method'], h['args'], h['script']) for h in headers],
            )
            self.assertEqual(
                [[(a.type.value, a.token_index, a.amount) for a in h.nc_actions] for h in found],
                [[(a['type'], a['token_index'], int(a['amount'])) for a in h['actions']] for h in headers],
            )
            read += 1
        self.assertEqual(read, 4)


if __name__ == '__main__':
    unittest.main()
