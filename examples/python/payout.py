"""Pays a list, each line once, however often it is run and whenever it is interrupted.

    python3 payout.py payouts.csv

Each line is `reference,address,cents`. The reference, which no other payment has, becomes the `Idempotency-Key`: a server that is asked
again for the same reference within a day answers with the payment that it made, and makes none. The wallet `payouts` has to be started.
"""

import csv
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


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    failures = 0
    with open(sys.argv[1], newline='') as file:
        for reference, address, cents in csv.reader(file):
            body = {'address': address, 'value': int(cents)}
            answer = request('/wallet/simple-send-tx', body, f'payout {reference}')
            if answer.get('success'):
                print(f'{reference}: {answer["hash"]}')
            else:
                failures += 1
                print(f'{reference}: {answer.get("error") or answer.get("message")}', file=sys.stderr)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
