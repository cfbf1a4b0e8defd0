// Uses the client for TypeScript as a program would; what it must refuse, it must refuse while it is compiled.
import assert from "node:assert/strict";
import { walletServer, type components } from "headless-wallet-client";

const server = walletServer({ baseUrl: process.env.WALLET_SERVER!, walletId: "typed" });

const started = await server.POST("/start", { body: { "wallet-id": "typed", seedKey: "genesis" } });
assert.deepEqual(started.data, { success: true });
for (;;) {
  const { data } = await server.GET("/wallet/status");
  if (data && "statusCode" in data && data.statusCode === 3) break;
  await new Promise((looked) => setTimeout(looked, 20));
}

const { data: balance } = await server.GET("/wallet/balance", { params: { query: { token: "00" } } });
assert.ok(balance && "available" in balance);
const has: components["schemas"]["Balance"] = balance;
assert.deepEqual(has, { available: 100_000_000_000, locked: 0 });

const address = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
const { data: tried } = await server.POST("/wallet/simple-send-tx", {
  params: { query: { dry_run: true } },
  body: { address, value: 100 },
});
assert.ok(tried && "cost" in tried);
assert.deepEqual(tried.cost, { deposit: 0, fee: 0, data: 0, total: 0 });

// @ts-expect-error: there is no such path.
const { response } = await server.GET("/wallet/nothing");
assert.equal(response.status, 404);
// @ts-expect-error: an address is no number.
const refused = await server.POST("/wallet/simple-send-tx", { body: { address: 5, value: 100 } });
assert.equal(refused.response.status, 400);
console.log("used");
