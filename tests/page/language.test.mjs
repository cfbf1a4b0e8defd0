// The page in another language: chosen in the settings and kept, or the browser's own; nothing of English is left in view, nor is anything cut.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { Account, Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, openWallet } from "./support/wallet.mjs";
import { saidBy } from "./support/words.mjs";

const TIMEOUT = { timeout: 180_000 };
/** The blueprint that every full node has. */
const BET = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";
const SMALLEST = { width: 320, height: 700 };

let network;
let server;
let browser;
let page;
let pt;
/** English texts whose Portuguese is another, as what matches them whole. */
let english;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  const vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  ({ pt } = await vite.ssrLoadModule("/src/words/pt/index.ts"));
  const { en } = await vite.ssrLoadModule("/src/words/en/index.ts");
  await vite.close();
  const portuguese = new Map(saidBy(pt));
  const other = saidBy(en).filter(([key, said]) => portuguese.get(key) !== said && /\p{L}{2}/u.test(said));
  english = other.map(([, said]) => said.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("‹›", ".+").replace(/\b1\b/g, "[\\d,.]+"));
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page } = browser);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

/** All that is there to be read or heard, in pieces. */
const pieces = () =>
  page.evaluate(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode;
      const isNames = parent.closest("bdi, .mono, [lang][translate=no], option[lang], script, noscript");
      if (!isNames && parent.checkVisibility()) found.push(textContent.trim());
    }
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      for (const element of document.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name).trim());
    }
    return [...new Set([document.title, ...found])].filter((text) => /\p{L}{2}/u.test(text));
  });

/** Buttons, links, headings and labels of which a part is out of sight, but for what can be scrolled to. */
const cut = () =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, a, h1, h2, h3, label, legend, dt, dd, p, summary, .tag")]
      .filter((element) => element.checkVisibility() && !element.closest(".scroll, .visually-hidden, .skip, [hidden]"))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const hides = getComputedStyle(element).overflowX !== "visible";
        return width > 1 && (left < -0.5 || right > innerWidth + 0.5 || (hides && element.scrollWidth > element.clientWidth + 1));
      })
      .map((element) => `${element.tagName} ${element.className}: ${element.textContent.trim().slice(0, 60)}`),
  );

const inEnglish = async () => (await pieces()).filter((text) => english.some((one) => new RegExp(`^${one}$`, "u").test(text)));

/** Looks over what is shown, wide and as narrow as can be. */
async function look(name) {
  assert.deepEqual(await inEnglish(), [], `${name} is in Portuguese`);
  const before = page.viewportSize();
  await page.setViewportSize(SMALLEST);
  // The plot follows the page's width a frame later.
  const fits = page.waitForFunction(() => document.documentElement.scrollWidth === innerWidth, undefined, { timeout: 5_000 });
  assert.ok(await fits.catch(() => false), `${name} fits`);
  assert.deepEqual(await cut(), [], `${name} is not cut`);
  await page.setViewportSize(before);
  await browser.shot(`pt-${name}`, { narrow: true });
}

const go = (name) => page.getByRole("navigation", { name: pt.shell.pages }).getByRole("link", { name, exact: true }).click();

async function tool(name) {
  await go(pt.shell.tools);
  await page.locator("main").getByRole("link", { name: new RegExp(`^${name}`) }).click();
}

test("a language is chosen in the settings, loaded then, and kept", TIMEOUT, async () => {
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url()));
  const isPortuguese = (url) => /\/pt-[^/]*\.js$/.test(url);
  const { button } = on(page);
  await page.goto(ORIGIN);
  await on(page).heading("Your wallet, in this page only");
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  assert.deepEqual(loaded.filter(isPortuguese), []);
  // What is looked for below is there now.
  assert.ok((await inEnglish()).length > 5);
  await button("Settings").click();
  await choose(page.getByLabel("Language", { exact: true }), "Português (Brasil)");
  await on(page).heading("Configurações");
  assert.equal(loaded.filter(isPortuguese).length, 1);
  assert.equal(await page.locator("html").getAttribute("lang"), "pt-BR");
  await look("settings");
  await page.reload();
  await on(page).heading("Sua carteira, só nesta página");
  assert.equal(await page.title(), "Sua carteira, só nesta página · Sistrum");
  await look("welcome");
});

test("a wallet is made in Portuguese", TIMEOUT, async () => {
  const { button, heading, field } = on(page);
  await page.getByRole("button", { name: /^Criar uma carteira/ }).click();
  await heading("Anote a frase de recuperação");
  await look("create");
  await button("Mostrar a frase de recuperação").click();
  await page.getByText("Adicionar uma frase-senha à frase de recuperação").click();
  await look("words");
  await button("Já anotei").click();
  await heading("A frase está anotada?");
  await look("confirm");
  await page.reload();
  await page.getByRole("button", { name: /^Restaurar uma carteira/ }).click();
  await field("Palavra 1").fill("abandon zebra");
  await look("restore");
});

test("a wallet of several participants is opened in Portuguese", TIMEOUT, async () => {
  const { button, field, heading } = on(page);
  await page.reload();
  await page.getByText(pt.before.otherWays).click();
  await page.getByRole("button", { name: /^Abrir uma carteira compartilhada/ }).click();
  await heading("Abrir uma carteira compartilhada");
  await look("shared");
  await page.getByRole("button", { name: /^Participar com uma frase de recuperação já existente/ }).click();
  const seed = generateMnemonic();
  await field("Palavra 1").fill(seed);
  await button("Continuar").click();
  await heading("Quem participa?");
  await button("Mostrar como código QR").click();
  await button("Adicionar um participante").click();
  await look("participants");
  await field("Participante 2: xpub").fill(Account.multisigXpub(generateMnemonic()));
  await button("Remover o participante 3").click();
  await button("Continuar").click();
  await button("Abrir a carteira").click();
  await heading("Saldo");
  await look("shared-overview");
  await go("Enviar");
  await look("propose");
  await page.getByRole("link", { name: "Assinar e enviar", exact: true }).click();
  await heading("Ler uma proposta");
  await look("proposals");
  await go("Tokens");
  await look("shared-tokens");
});

test("all pages of a wallet are in Portuguese, with its numbers", TIMEOUT, async () => {
  const { button, field, heading, text } = on(page);
  const { nodeUrl, miningUrl } = network;
  const seed = generateMnemonic();
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = wallet.once("balance");
  const address = await wallet.address();
  await network.control("fund", { address, amount: 1_234_567 });
  await paid;
  const { hash } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 100_000 });
  await wallet.createNft({ name: "Boat", symbol: "BOAT", amount: 1, data: "ipfs://boat" });
  await wallet.sendTx({ outputs: [{ address, value: 250 }] });
  const script = await wallet.oracleData(address);
  const { hash: contract } = await wallet.createContract({ blueprintId: BET, address, data: { args: [script, "00", 4_000_000_000] } });
  await network.control("blocks", { count: 1 });
  await wallet.stop();

  await button("Bloquear a carteira").click();
  await page.getByRole("button", { name: /^Restaurar uma carteira/ }).click();
  await field("Palavra 1").fill(seed);
  await button("Continuar").click();
  await heading("Guardar a frase de recuperação neste dispositivo?");
  await page.getByLabel("Guardá-la aqui, criptografada com uma senha").check();
  await field("Senha").fill("curta");
  await look("keep");
  await page.getByLabel("Guardá-la aqui, criptografada com uma senha").uncheck();
  await button("Abrir a carteira").click();
  await heading("Saldo");
  await page.locator("[data-testid=balance]").getByText("12.335,65 HTR", { exact: true }).waitFor();
  await look("overview");

  await go("Receber");
  await heading("Seu endereço");
  await page.getByText("Solicitar um valor").click();
  await field("Valor").fill("1.250,5");
  assert.match(await page.getByTestId("request").textContent(), /\?amount=1250\.50$/);
  await look("receive");
  await tool("Mensagens");
  await button("Verificar").click();
  await look("messages");

  await go("Enviar");
  await field("Para o endereço").fill(`hathor:${address}?amount=12.50`);
  assert.equal(await field("Valor").inputValue(), "12,50");
  await button("Revisar").click();
  await heading("Enviar 12,50 HTR?");
  await page.getByRole("dialog").getByText("12,50 HTR").first().waitFor();
  // What the wallet pays to itself stays in it.
  await page.getByRole("dialog").locator(".review .tag", { hasText: /^seu$/ }).waitFor();
  await page.getByRole("dialog").locator('dt:text-is("Saldo depois") + dd', { hasText: "12.335,65" }).waitFor();
  await look("send-review");
  await button("Editar").click();
  await field("Valor").fill("12.50");
  await text("Use uma vírgula antes dos centavos, como em 12,50.");
  await page.getByText("Mais opções").click();
  await button("Dados").click();
  await look("send");
  await go("Troca");
  await heading("Propor uma troca");
  await button("Revisar").click();
  await look("swap");
  await go(pt.shell.tools);
  await look("tools");
  await tool("Contratos");
  await field("Identificador do contrato").fill(contract);
  await heading("Chamar um método");
  await field("Consultar campos e métodos de leitura").fill("total\nnada");
  await text("não existe");
  await button("Depositar").click();
  await button("Revisar").click();
  await look("contract");
  await tool("Agenda");
  await button("Adicionar").click();
  await look("book");

  await go("Tokens");
  await page.getByRole("button", { name: /Coffee/ }).waitFor();
  await look("tokens");
  await page.getByRole("button", { name: /Coffee/ }).click();
  await text("Quantidade total");
  await look("token");
  await button("Fechar").click();
  const units = { "Novo token": "Quantidade", "Novo NFT": "Quantidade", Emitir: "Quantidade a emitir", Derreter: "Quantidade a derreter" };
  for (const [name, label] of Object.entries(units)) {
    await go("Tokens");
    if (label === "Quantidade") await page.getByRole("navigation", { name: pt.tokens.whatToDoWithTokens }).getByRole("link", { name, exact: true }).click();
    else {
      await page.getByRole("button", { name: /Coffee/ }).click();
      await button(name).click();
    }
    await field(label).fill("");
    await button("Revisar").click();
    await text("Informe uma quantidade.");
    await look(name.toLowerCase().replace(" ", "-"));
  }

  await go("Histórico");
  await page.getByText("Criou o token Coffee").waitFor();
  await look("history");
  await page.getByText("Criou o token Coffee").click();
  await text("Confirmações");
  await text(hash);
  await look("transaction");
  await button("Fechar").click();

  await tool("UTXOs");
  await page.locator("[data-testid=totals]").waitFor();
  await page.getByText("Filtros", { exact: true }).click();
  await look("coins");

  await page.getByRole("link", { name: "Configurações" }).click();
  await heading("Esta carteira");
  await look("settings-open");
  await page.getByRole("button", { name: /^Rede: / }).click();
  await heading("Rede");
  await look("network");
  await button("Fechar").click();
});

test("what an error means is told in Portuguese", TIMEOUT, async () => {
  const { text } = on(page);
  await network.control("node", { mode: "down" });
  await text("A conexão com o nó completo foi perdida");
  await look("lost-node");
  await network.control("features", { features: { FEE_POLICY_V2: "LOCKED_IN", NEXT: "ACTIVE" } });
  await network.control("node");
  await text("A rede está prestes a mudar (FEE_POLICY_V2)");
  await text("A rede mudou (NEXT)");
  await look("network-changes");
  await network.control("features");
});

test("a browser that speaks Portuguese is answered so at first, and English can be chosen", TIMEOUT, async () => {
  const own = await startBrowser(server.port, { locale: "pt-PT" });
  try {
    await own.page.goto(ORIGIN);
    await on(own.page).heading("Sua carteira, só nesta página");
    await own.page.getByRole("button", { name: "Configurações" }).click();
    await choose(own.page.getByLabel("Idioma", { exact: true }), "English");
    await on(own.page).heading("Settings");
    assert.equal(await own.page.locator("html").getAttribute("lang"), "en");
    await openWallet(own.page, generateMnemonic());
  } finally {
    await own.stop();
  }
});

test("nothing was complained of", () => {
  // The browser itself has advice, and complains of a node that is down.
  assert.deepEqual(browser.said.filter((line) => !/^verbose: |^error: (Failed to load resource|WebSocket connection)/.test(line)), []);
});
