// Outputs that the user has set aside: nothing spends them until they are freed. The wallet sets aside what a transaction spends, so each has
// one of its own, which is never sent.
import type { HistoryOutput, Wallet } from "headless-wallet";
import type { Ledger } from "./ledger";

const outpointOf = (id: string, index: number): string => `${id}:${index}`;

export class Frozen {
  readonly #wallet: Wallet;
  readonly #outpoints = new Set<string>();

  constructor(wallet: Wallet) {
    this.#wallet = wallet;
  }

  /** Gives the transaction by which it is freed again. */
  async add(id: string, index: number, { token, value }: HistoryOutput): Promise<string> {
    const address = await this.#wallet.address();
    const request = { outputs: [{ address, value, token }], inputs: [{ hash: id, index }] };
    const { txHex } = await this.#wallet.buildTx(request);
    await this.#wallet.lockUtxos(txHex);
    this.#outpoints.add(outpointOf(id, index));
    return txHex;
  }

  async remove(outpoint: string, by: string): Promise<void> {
    await this.#wallet.unlockUtxos(by);
    this.#outpoints.delete(outpoint);
  }

  async addAgain(frozen: Record<string, string>): Promise<void> {
    for (const [outpoint, by] of Object.entries(frozen)) {
      // What was spent meanwhile, elsewhere, can't be set aside; what the wallet has kept aside itself need not be.
      await this.#wallet.lockUtxos(by).catch(() => {});
      this.#outpoints.add(outpoint);
    }
  }

  /** How much of a token is set aside. */
  sum(token: string, ledger: Ledger): bigint {
    let sum = 0n;
    for (const outpoint of this.#outpoints) {
      const [id = "", index] = outpoint.split(":");
      const tx = ledger.find(id);
      const output = tx?.outputs[Number(index)];
      if (output?.token === token && output.spent_by === null && !tx?.is_voided) sum += output.value;
    }
    return sum;
  }
}
