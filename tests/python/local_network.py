"""A wallet server on a local network, both freshly started from the binary under test, and a started genesis wallet."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BINARY = os.environ.get('WALLET_BINARY', str(REPOSITORY / 'target' / 'debug' / 'headless-wallet'))
WAIT_SECONDS = 60

# Everybody knows these words: they own the first coins of every private network.
GENESIS_WORDS = (
    'avocado spot town typical traffic vault danger century property shallow divorce festival '
    'spend attack anchor afford rotate green audit adjust fade wagon depart level'
)


class LocalNetwork:
    """Starts with `with`; ends both processes on leaving."""

    def __init__(self, weight: str = 'real', *devnet_flags: str) -> None:
        node_port, mining_port, wallet_port = free_ports(3)
        self.node_url = f'http://127.0.0.1:{node_port}/v1a'
        self.wallet_url = f'http://127.0.0.1:{wallet_port}'
        self._commands = [
            ['devnet', '--node-port', node_port, '--mining-port', mining_port, '--weight', weight,
             *devnet_flags],
            ['serve', '--network', 'privatenet', '--server', f'{self.node_url}/', '--http-port', wallet_port,
             '--tx-mining-url', f'http://127.0.0.1:{mining_port}/'],
        ]
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> 'LocalNetwork':
        # What goes wrong is still said.
        environment = os.environ | {'HEADLESS_CONSOLE_LEVEL': 'warn'}
        try:
            for command, is_up in zip(self._commands, [f'{self.node_url}/version', f'{self.wallet_url}/']):
                self._processes.append(subprocess.Popen(
                    [BINARY, *map(str, command)], stdout=subprocess.DEVNULL, env=environment))
                self._until(lambda: answers(is_up), f'{is_up} to answer')
            self.start_wallet('genesis')
            self._until(lambda: self.get('/wallet/status').get('statusCode') == 3, 'the genesis wallet to be ready')
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait(WAIT_SECONDS)

    def start_wallet(self, wallet_id: str) -> None:
        """Another name for the genesis wallet."""
        started = self.post('/start', {'wallet-id': wallet_id, 'seed': GENESIS_WORDS})
        assert started['success'], started

    def get(self, path: str) -> dict:
        return read_json(urllib.request.Request(self.wallet_url + path, headers={'X-Wallet-Id': 'genesis'}))

    def post(self, path: str, body: dict) -> dict:
        headers = {'X-Wallet-Id': 'genesis', 'Content-Type': 'application/json'}
        return read_json(urllib.request.Request(self.wallet_url + path, json.dumps(body).encode(), headers))

    def transaction(self, tx_id: str) -> dict:
        """What the full node knows of a transaction."""
        answer = read_json(urllib.request.Request(f'{self.node_url}/transaction?id={tx_id}'))
        assert answer['success'], answer
        return answer['tx']

    def _until(self, is_true, what: str) -> None:
        give_up = time.monotonic() + WAIT_SECONDS
        while not is_true():
            for process in self._processes:
                assert process.poll() is None, f'{process.args} ended with exit code {process.returncode}'
            assert time.monotonic() < give_up, f'waited {WAIT_SECONDS} s for {what}'
            time.sleep(0.02)


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at now."""
    sockets = [socket.create_server(('127.0.0.1', 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=WAIT_SECONDS).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def read_json(request: urllib.request.Request) -> dict:
    try:
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        raise AssertionError(f'{request.full_url}: {refusal.code} {refusal.read().decode()}') from refusal
