"""Arguments of contracts' methods as full nodes serialize them, from hathorlib, which those nodes run.

Writes tests/vectors/nano_args.json:

    .venv/bin/python tests/python/nano_vectors.py
"""

import json
import random
from pathlib import Path
from typing import Optional

from hathorlib.nanocontracts.method import ArgsOnly
from hathorlib.nanocontracts.types import (
    Address, Amount, BlueprintId, CallerId, ContractId, SignedData, Timestamp, TokenUid, TxOutputScript, VertexId,
)

FILE = Path(__file__).resolve().parents[1] / 'vectors' / 'nano_args.json'
P2PKH = 'WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o'
P2SH = 'wKdT8gpXBhbkjUtFNKgT4MPd4nWrtAFrRX'
IDS = [bytes([number]) * 32 for number in (0x11, 0xaa, 0xff)]


def integers() -> list[int]:
    """Around each place where one byte more is needed, both ends of the range, and some at random."""
    chosen = {0, 1, -1, 2**223 - 1, -2**223, 2**63, -2**63, 2**64}
    numbers = random.Random('nano')
    for bits in [6, 7, 13, 14, 20, 27, 34, 48, 62, 64, 100, 128, 200]:
        chosen.update(sign * 2**bits + step for sign in (1, -1) for step in (-1, 0, 1))
        chosen.add(numbers.randint(-2**bits, 2**bits))
    return sorted(chosen)


def cases() -> list[tuple[str, type, object, object]]:
    """Name of the type as a node has it, the type, the value, and the value as JSON of hathor-wallet-headless's users."""
    address = Address.from_str(P2PKH)
    multisig = Address.from_str(P2SH)
    contract = ContractId(VertexId(IDS[0]))
    found = [('int', int, value, value if abs(value) < 2**53 else str(value)) for value in integers()]
    found += [('Amount', Amount, value, value if value < 2**53 else str(value))
              for value in [*filter(lambda value: value >= 0, integers()), 2**224 - 1]]
    for text in ['', 'a', 'Grüße 😎', 'x' * 127, 'x' * 128, 'x' * 900]:
        found.append(('str', str, text, text))
        found.append(('bytes', bytes, text.encode(), text.encode().hex()))
        found.append(('TxOutputScript', TxOutputScript, TxOutputScript(text.encode()), text.encode().hex()))
    found += [('bool', bool, flag, flag) for flag in (True, False)]
    found += [('Timestamp', Timestamp, time, time) for time in (0, 1, 1_750_000_000, 2**31 - 1, 2**31, 2**32 - 1)]
    found += [('Address', Address, address, P2PKH), ('Address', Address, multisig, P2SH)]
    found += [('CallerId', CallerId, address, P2PKH), ('CallerId', CallerId, contract, contract.hex())]
    found += [('union[Address, ContractId]', CallerId, contract, contract.hex())]
    found += [('TokenUid', TokenUid, TokenUid(b'\0'), '00')]
    for value in IDS:
        found.append(('TokenUid', TokenUid, TokenUid(value), value.hex()))
        found.append(('VertexId', VertexId, VertexId(value), value.hex()))
        found.append(('ContractId', ContractId, ContractId(VertexId(value)), value.hex()))
        found.append(('BlueprintId', BlueprintId, BlueprintId(VertexId(value)), value.hex()))
    found += [('int?', Optional[int], None, None), ('int?', Optional[int], -5, -5)]
    found += [('tuple[str, int]', tuple[str, int], ('a', 1), ['a', 1])]
    found += [('tuple[tuple[bool, bytes?], TokenUid]', tuple[tuple[bool, Optional[bytes]], TokenUid],
               ((True, None), TokenUid(b'\0')), [[True, None], '00'])]
    found += [('list[int]', list[int], [], []), ('list[int]', list[int], [1, -1, 300], [1, -1, 300])]
    found += [('list[list[str]]', list[list[str]], [['a'], [], ['b', 'c']], [['a'], [], ['b', 'c']])]
    found += [('list[int?]', list[Optional[int]], [None, 7], [None, 7])]
    found += [('list[int]', list[int], [0] * 200, [0] * 200)]
    found += [('set[str]', set[str], {'a'}, ['a']), ('frozenset[int]', frozenset[int], frozenset([9]), [9])]
    found += [('dict[str, int]', dict[str, int], {'a': 1, 'b': -2}, {'a': 1, 'b': -2})]
    found += [('dict[int, bool]', dict[int, bool], {1: True, 2: False}, {'1': True, '2': False})]
    found += [('dict[Address, list[Amount]]', dict[Address, list[Amount]], {address: [Amount(5)]}, {P2PKH: [5]})]
    found += [('dict[str, dict[str, TokenUid]]', dict[str, dict[str, TokenUid]],
               {'a': {'b': TokenUid(IDS[1])}}, {'a': {'b': IDS[1].hex()}})]
    signed = [('str', str, '1x0', '1x0'), ('int', int, -300, -300), ('bytes', bytes, b'\1\2', '0102'),
              ('tuple[str, int]', tuple[str, int], ('a', 1), ['a', 1]), ('bool', bool, True, True)]
    for name, of, value, user in signed:
        found.append((f'SignedData[{name}]', SignedData[of], SignedData[of](value, b'\3' * 71),
                      {'type': name, 'signature': '03' * 71, 'value': user}))
    return found


def text() -> str:
    each = [{'type': name, 'json': user, 'args': ArgsOnly.from_arg_types((of,)).serialize_args_bytes((value,)).hex()}
            for name, of, value, user in cases()]
    together = ArgsOnly.from_arg_types((str, Amount, Optional[bytes]))
    several = {'types': ['str', 'Amount', 'bytes?'], 'json': ['a', 300, None],
               'args': together.serialize_args_bytes(('a', 300, None)).hex()}
    none = {'types': [], 'json': [], 'args': ArgsOnly.from_arg_types(()).serialize_args_bytes(()).hex()}
    lines = ',\n'.join(f'  {json.dumps(vector, ensure_ascii=False)}' for vector in each)
    return (f'{{\n "source": "hathorlib 0.15.0, by tests/python/nano_vectors.py",\n "one": [\n{lines}\n ],\n'
            f' "several": [\n  {json.dumps(several)},\n  {json.dumps(none)}\n ]\n}}\n')


if __name__ == '__main__':
    FILE.write_text(text())
