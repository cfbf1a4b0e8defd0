"""Uses the client for Python as a program would."""

import os
import time

from headless_wallet_client import Client
from headless_wallet_client.api.reading import balance
from headless_wallet_client.api.sending import simple_send_tx
from headless_wallet_client.api.wallets import start, status
from headless_wallet_client.models import Balance, DryRun, SimpleSendTxBody, StartBody

ADDRESS = 'WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f'

server = Client(base_url=os.environ['WALLET_SERVER'], headers={'X-Wallet-Id': 'pythonic'})
assert start.sync(client=server, body=StartBody.from_dict({'wallet-id': 'pythonic', 'seedKey': 'genesis'})).success is True
give_up = time.monotonic() + 30
while getattr(status.sync(client=server), 'status_code', None) != 3:
    assert time.monotonic() < give_up
    time.sleep(0.02)

has = balance.sync(client=server, token='00')
assert isinstance(has, Balance), has
assert (has.available, has.locked) == (100_000_000_000, 0), has

tried = simple_send_tx.sync(client=server, dry_run=True, body=SimpleSendTxBody(address=ADDRESS, value=100))
assert isinstance(tried, DryRun), tried
assert tried.cost.to_dict() == {'deposit': 0, 'fee': 0, 'data': 0, 'total': 0}, tried.cost
print('used')
