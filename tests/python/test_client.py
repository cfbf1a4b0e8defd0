"""hathor-wallet of PyPI, a client of hathor-wallet-headless that sends forms, works with this one."""

import time
import unittest

from hathor_wallet.configs import Configs
from hathor_wallet.hathor_wallet import HathorWallet
from local_network import GENESIS_WORDS, WAIT_SECONDS, LocalNetwork


class ClientOfTheExistingService(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.network = cls.enterClassContext(LocalNetwork('trivial'))

    def test_all_that_it_can_do(self) -> None:
        configs = Configs(wallet_base_url=self.network.wallet_url, x_api_key='', wallet_id='client', seed=GENESIS_WORDS)
        wallet = HathorWallet(**configs.setup())
        self.assertEqual(wallet.start(), {'success': True})
        give_up = time.monotonic() + WAIT_SECONDS
        while wallet.status().get('statusCode') != 3:
            self.assertLess(time.monotonic(), give_up, wallet.status())
            time.sleep(0.02)
        before = wallet.balance()
        self.assertEqual(before['locked'], 0)
        address = wallet.current_address()
        address = address if isinstance(address, str) else address['address']
        self.assertIn(address, str(wallet.all_generated_addres()))
        sent = wallet.simple_send_tx(address, 1234)
        self.assertTrue(sent['success'], sent)
        self.assertIn(1234, [output['value'] for output in sent['outputs']])
        while sent['hash'] not in str(wallet.tx_history(limit=5)):
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.02)
        self.assertEqual(wallet.balance(), before)
        self.assertEqual(wallet.stop(), {'success': True})


if __name__ == '__main__':
    unittest.main()
