"""The OpenAPI document is true: schemathesis asks the server what the document allows and what it doesn't, and looks whether
each answer is one that the document has."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from local_network import LocalNetwork

CONFIG = Path(__file__).with_name('schemathesis.toml')
CHECKS = (
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_schema_conformance',
    'response_headers_conformance',
)


class OpenApi(unittest.TestCase):
    def test_every_answer_is_in_the_document(self) -> None:
        # It keeps what it found where it runs.
        with tempfile.TemporaryDirectory() as folder, LocalNetwork(weight='trivial') as network:
            network.start_wallet('to-be-stopped')
            # The seed makes every run ask the same.
            run = subprocess.run(
                [sys.executable, '-m', 'schemathesis.cli', '--config-file', CONFIG, 'run', f'{network.wallet_url}/docs',
                 '--seed', '1', '--max-examples', '20', '--phases', 'examples,coverage,fuzzing',
                 '--checks', ','.join(CHECKS), '--warnings', 'off', '--no-color'],
                cwd=folder, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            # The wallet that was asked is still there, and well.
            self.assertEqual(network.get('/wallet/status')['statusCode'], 3)


if __name__ == '__main__':
    unittest.main()
