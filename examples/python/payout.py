"""Pays a list, each line once, however often it is run within a day and whenever it is interrupted.

    python3 payout.py payouts.csv

The list is CSV in UTF-8 without a heading; each line is `reference,address,cents`, such as `invoice 17,WTjh…,1250`. All of it is read and
checked before the first payment. The reference, which no other payment has, becomes the `Idempotency-Key`: a server that is asked again for
the same reference within a day answers with the payment that it made, and makes none. It remembers that after a restart only if it has a
`data_dir`; after a day, or without one, take the lines out that are paid. The wallet `payouts` has to be started.
"""

import csv
import io
import json
import os
import sys
import time
import urllib.error
import urllib.request

SERVER = os.environ.get('WALLET_SERVER', 'http://127.0.0.1:8000')
WALLET = os.environ.get('WALLET_ID', 'payouts')
# A server that starts again, or whose full node is away for a moment.
TRIES = 5


def request(path: str, body: dict, key: str) -> dict:
    """What the server answers; a failure to reach it is tried again, with the same key."""
    headers = {'content-type': 'application/json', 'x-wallet-id': WALLET, 'idempotency-key': key}
    if 'WALLET_API_KEY' in os.environ:
        headers['x-api-key'] = os.environ['WALLET_API_KEY']
    post = urllib.request.Request(SERVER + path, json.dumps(body).encode(), headers, method='POST')
    for left in reversed(range(TRIES)):
        try:
            with urllib.request.urlopen(post, timeout=330) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503) or left == 0:
                return json.load(refusal)
            time.sleep(int(refusal.headers.get('retry-after', '1')))
        except OSError as failure:
            if left == 0:
                raise SystemExit(f'{SERVER} can not be reached: {failure}')
            time.sleep(1)
    raise AssertionError('unreachable')


def read(path: str) -> list[tuple[str, str, int]]:
    """All lines of the list, if each is right and no reference comes twice."""
    payments, references = [], set()
    try:
        with open(path, newline='', encoding='utf-8') as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as failure:
        raise SystemExit(f'{path} can not be read: {failure}. Nothing was paid.')
    lines = csv.reader(io.StringIO(text, newline=''))
    try:
        for fields in lines:
            place = f'{path}, line {lines.line_num}'
            if len(fields) != 3 or not all(fields):
                raise SystemExit(f'{place}: must be reference,address,cents. Nothing was paid.')
            reference, address, cents = fields
            if not (cents.isascii() and cents.isdigit() and int(cents) > 0):
                raise SystemExit(f'{place}: {cents!r} is no whole number of cents above 0. Nothing was paid.')
            if reference in references:
                raise SystemExit(f'{place}: the reference {reference!r} comes twice. Nothing was paid.')
            references.add(reference)
            payments.append((reference, address, int(cents)))
    except csv.Error as failure:
        raise SystemExit(f'{path}, line {lines.line_num}: {failure}. Nothing was paid.')
    return payments


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    failures = 0
    for reference, address, cents in read(sys.argv[1]):
        answer = request('/wallet/simple-send-tx', {'address': address, 'value': cents}, f'payout {reference}')
        if answer.get('success'):
            print(f'{reference}: {answer["hash"]}')
        else:
            failures += 1
            print(f'{reference}: {answer.get("error") or answer.get("message")}', file=sys.stderr)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
