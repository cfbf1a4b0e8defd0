// Stands between a wallet and its full node, and writes down everything that the wallet says to the node.
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocket, WebSocketServer } from "ws";

/**
 * Starts one before the node at `nodeUrl`. `said` is what was said to the node so far, requests and frames in their order; `heard`
 * changes the frames that the node sends.
 */
export async function startTap(nodeUrl, { heard = (frame) => frame } = {}) {
  const said = [];
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  async function pass(request, response) {
    const body = await text(request);
    said.push(`${request.method} ${request.url} ${body}`);
    const { host, connection, ...headers } = request.headers;
    const { method } = request;
    const answer = await fetch(new URL(request.url, nodeUrl), { method, headers, body: body || undefined });
    const kept = [...answer.headers].filter(([name]) => !/^(connection|content-length|transfer-encoding)$/.test(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text());
  }
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (wallet, request) => {
    const node = new WebSocket(new URL(request.url, nodeUrl.replace("http", "ws")));
    const open = once(node, "open");
    wallet.on("message", async (frame) => {
      said.push(`${frame}`);
      await open;
      node.send(`${frame}`);
    });
    node.on("message", (frame) => wallet.send(heard(`${frame}`)));
    wallet.on("close", () => node.close());
    node.on("close", () => wallet.close());
    node.on("error", () => wallet.close());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    said,
    nodeUrl: new URL(new URL(nodeUrl).pathname, `http://127.0.0.1:${server.address().port}`).href,
    async stop() {
      sockets.clients.forEach((client) => client.terminate());
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
