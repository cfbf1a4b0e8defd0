// The page: it shows what the worker tells, and never waits for it.
const worker = new Worker(new URL("./wallet.js", import.meta.url), { type: "module" });

worker.addEventListener("message", ({ data: { balance, address } }) => {
  document.querySelector("#balance").textContent = `${balance} HTR`;
  document.querySelector("#address").textContent = address;
});

const query = new URLSearchParams(location.search);
worker.postMessage({
  nodeUrl: query.get("node") ?? "http://localhost:8083/v1a/",
  miningUrl: query.get("mining") ?? "http://localhost:8035/",
});
