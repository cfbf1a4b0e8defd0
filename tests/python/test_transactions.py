"""hathorlib, which shares no line with this wallet, reads the transactions that the wallet made and agrees."""

import hashlib
import os
import unittest
from pathlib import Path

os.environ['HATHOR_CONFIG_YAML'] = str(Path(__file__).with_name('mainnet_weights.yml'))

from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from hathorlib import BaseTransaction, TokenCreationTransaction, Transaction  # noqa: E402
from hathorlib.base_transaction import tx_or_block_from_bytes  # noqa: E402
from hathorlib.daa import minimum_tx_weight  # noqa: E402
from hathorlib.scripts import DataScript, P2PKH  # noqa: E402
from hathorlib.utils import get_address_b58_from_public_key_bytes  # noqa: E402
from local_network import LocalNetwork  # noqa: E402

# What the wallet adds to the least weight, against the last bit of logarithms (ledger/weight.rs).
AGAINST_ROUNDING = 1e-6
# What full nodes tolerate when they compare weights.
WEIGHT_TOLERANCE = 1e-10


class TransactionsOfThisWallet(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.network = cls.enterClassContext(LocalNetwork())
        cls.address = cls.network.get('/wallet/address?index=3')['address']

    def test_value_and_data_outputs(self) -> None:
        answer = self.send('/wallet/send-tx', {'outputs': [
            {'address': self.address, 'value': 1234},
            {'type': 'data', 'data': 'grüße'},
            {'type': 'data', 'data': '.' * 150},
        ]})
        tx = self.agree(answer, Transaction)
        self.assertEqual(tx.tokens, [])
        self.assertEqual(data_of(tx), ['.' * 150, 'grüße'])
        self.assertEqual([(o.value, P2PKH.parse_script(o.script).address) for o in tx.outputs if o.value == 1234],
                         [(1234, self.address)])

    def test_as_many_data_outputs_as_are_allowed_and_nothing_else(self) -> None:
        texts = [f'{number:02}' for number in range(25)]
        tx = self.agree(self.send('/wallet/send-tx', {
            'outputs': [{'type': 'data', 'data': text} for text in texts],
        }), Transaction)
        self.assertEqual(data_of(tx), texts)

    def test_outputs_of_four_and_of_eight_bytes(self) -> None:
        values = [2**31 - 1, 2**31]
        tx = self.agree(self.send('/wallet/send-tx', {
            'outputs': [{'address': self.address, 'value': value} for value in values],
        }), Transaction)
        self.assertEqual(sorted(output.value for output in tx.outputs if output.value in values), values)

    def test_a_chosen_input(self) -> None:
        funding = self.send('/wallet/send-tx', {'outputs': [{'address': self.address, 'value': 777}]})
        index = [output['value'] for output in funding['outputs']].index(777)
        tx = self.agree(self.send('/wallet/send-tx', {
            'inputs': [{'hash': funding['hash'], 'index': index}],
            'outputs': [{'address': self.address, 'value': 700}],
        }), Transaction)
        self.assertEqual([(each.tx_id.hex(), each.index) for each in tx.inputs], [(funding['hash'], index)])
        self.assertEqual(sorted(output.value for output in tx.outputs), [77, 700])

    def test_token_creation_then_send_then_melt(self) -> None:
        created = self.send('/wallet/create-token', {'name': 'Café token', 'symbol': 'CAFÉ', 'amount': 1000})
        creation = self.agree(created, TokenCreationTransaction)
        self.assertEqual((creation.token_name, creation.token_symbol), ('Café token', 'CAFÉ'))
        creation.verify_token_info()
        token_outputs = [output for output in creation.outputs if output.get_token_index() == 1]
        self.assertEqual([o.value for o in token_outputs if not o.is_token_authority()], [1000])
        self.assertEqual([o.can_mint_token() for o in token_outputs if o.is_token_authority()], [True, False])
        self.assertEqual([o.can_melt_token() for o in token_outputs if o.is_token_authority()], [False, True])

        token = created['hash']
        sent = self.agree(self.send('/wallet/send-tx', {
            'outputs': [{'address': self.address, 'value': 300, 'token': token}],
        }), Transaction)
        self.assertEqual([uid.hex() for uid in sent.tokens], [token])
        self.assertEqual(sorted(o.value for o in sent.outputs if o.get_token_index() == 1), [300, 700])

        melted = self.agree(self.send('/wallet/melt-tokens', {'token': token, 'amount': 500}), Transaction)
        self.assertEqual([uid.hex() for uid in melted.tokens], [token])
        # 1 % of what is melted comes back.
        self.assertEqual([o.value for o in melted.outputs if o.get_token_index() == 0], [5])

    def test_nft_creation(self) -> None:
        answer = self.send('/wallet/create-nft', {
            'name': 'A picture', 'symbol': 'PIC', 'amount': 1, 'data': 'ipfs://a-picture',
            'create_mint': True, 'create_melt': True,
        })
        nft = self.agree(answer, TokenCreationTransaction)
        self.assertTrue(nft.is_nft_creation_standard())
        self.assertEqual(DataScript.parse_script(nft.outputs[0].script).data, 'ipfs://a-picture')
        self.assertEqual([(o.can_mint_token(), o.can_melt_token()) for o in nft.outputs if o.is_token_authority()],
                         [(True, False), (False, True)])

    def send(self, path: str, body: dict) -> dict:
        answer = self.network.post(path, body)
        self.assertTrue(answer['success'], answer)
        return answer

    def agree(self, answer: dict, kind: type[Transaction]) -> Transaction:
        """Reads the transaction's bytes from the full node; hathorlib must find in them what the wallet answered."""
        raw = bytes.fromhex(self.network.transaction(answer['hash'])['raw'])
        tx = tx_or_block_from_bytes(raw)
        self.assertIs(type(tx), kind)
        self.assertEqual(bytes(tx), raw)
        self.assertEqual(fields_of(tx), fields_of_answer(answer))
        tx.verify_outputs()
        self.assertTrue(tx.is_standard())
        self.assert_weight_and_work(tx)
        for each in tx.inputs:
            self.assert_signed_by_owner(tx, each)
        return tx

    def assert_weight_and_work(self, tx: Transaction) -> None:
        least = minimum_tx_weight(tx)
        self.assertGreaterEqual(tx.weight, least)
        self.assertAlmostEqual(tx.weight, least + AGAINST_ROUNDING, delta=WEIGHT_TOLERANCE)
        self.assertTrue(tx.verify_pow())

    def assert_signed_by_owner(self, tx: Transaction, spending) -> None:
        """The signature holds for the bytes that hathorlib says are signed, by the key that owns the output spent."""
        length = spending.data[0]
        signature, public_key = spending.data[1:1 + length], spending.data[2 + length:]
        spent = tx_or_block_from_bytes(bytes.fromhex(self.network.transaction(spending.tx_id.hex())['raw']))
        self.assertEqual(get_address_b58_from_public_key_bytes(public_key),
                         P2PKH.parse_script(spent.outputs[spending.index].script).address)
        # Raises when it does not hold.
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256K1(), public_key).verify(
            signature, hashlib.sha256(tx.get_sighash_all()).digest(), ec.ECDSA(hashes.SHA256()))


def data_of(tx: BaseTransaction) -> list[str]:
    """The texts of its data outputs, sorted: the wallet mixes outputs, so that nobody can tell which is the change."""
    scripts = [DataScript.parse_script(output.script) for output in tx.outputs]
    return sorted(script.data for script in scripts if script)


def fields_of(tx: BaseTransaction) -> dict:
    fields = {
        'hash': tx.hash_hex,
        'version': int(tx.version),
        'weight': tx.weight,
        'nonce': tx.nonce,
        'timestamp': tx.timestamp,
        'parents': [parent.hex() for parent in tx.parents],
        'inputs': [(each.tx_id.hex(), each.index, bytes(each.data)) for each in tx.inputs],
        'outputs': [(each.value, each.token_data, bytes(each.script)) for each in tx.outputs],
    }
    if isinstance(tx, TokenCreationTransaction):
        return fields | {'name': tx.token_name, 'symbol': tx.token_symbol}
    return fields | {'tokens': [uid.hex() for uid in tx.tokens]}


def fields_of_answer(answer: dict) -> dict:
    fields = {key: answer[key] for key in ['hash', 'version', 'weight', 'nonce', 'timestamp', 'parents']}
    fields['inputs'] = [(each['tx_id'], each['index'], bytes(each['data']['data'])) for each in answer['inputs']]
    fields['outputs'] = [
        (each['value'], each['token_data'], bytes(each['script']['data'])) for each in answer['outputs']
    ]
    return fields | {key: answer[key] for key in ['name', 'symbol', 'tokens'] if key in answer}


if __name__ == '__main__':
    unittest.main()
