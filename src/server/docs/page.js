const byId = (id) => document.getElementById(id);
/** Where the server is, also behind a proxy that serves it below a path. */
const base = new URL("..", location.href.replace(/#.*$/, "").replace(/\/+$/, ""));
/** Headers with a field of their own at the top of the page. */
const SHARED = ["X-Wallet-Id", "X-API-KEY"];
/** Headers that few need: they stand last, folded. */
const RARE = ["X-First-Address", "Idempotency-Key", "Prefer", "Priority", "X-Request-Id", "Last-Event-ID"];
/** What newcomers need comes first among its like. */
const FIRST = ["start", "status", "stop", "balance", "address", "tx-history", "simple-send-tx", "send-tx", "create-token", "create-nft", "propose", "propose-swap", "decode", "push-tx"];
/** Rights to what moves or makes something of value. */
const MOVES = ["send", "create-tokens", "mint", "melt", "contracts"];

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Texts of the document, in which backticks stand around code. */
function prose(text = "") {
  return text.split("`").map((part, place) => (place % 2 ? element("code", { textContent: part }) : part));
}

const methodOf = (method) => element("span", { className: `method ${method}`, textContent: method });

function headers() {
  const given = { "X-Wallet-Id": byId("wallet").value, "X-API-KEY": byId("key").value };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

/** JSON with line breaks. Numbers stay as they are written, as they may be larger than JavaScript's; lists of them stay on one line. */
function indented(json) {
  let depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  return json.replace(/"(?:[^"\\]|\\.)*"|\[[\d\s,.-]*\]|[{[]\s*[}\]]|[{}[\],:]/g, (token) => {
    if (token === "{" || token === "[") { depth += 1; return token + line(); }
    if (token === "}" || token === "]") { depth -= 1; return line() + token; }
    return token === "," ? token + line() : token === ":" ? ": " : token;
  });
}

const resolve = (schema, schemas) => (schema?.$ref ? { ...schemas[schema.$ref.split("/").pop()], ...schema, $ref: undefined } : schema ?? {});

/** A schema in one line. */
function inWords(given, schemas) {
  const schema = resolve(given, schemas);
  if (schema.anyOf && !schema.type) return schema.anyOf.map((each) => inWords(each, schemas)).join(" or ");
  const words = [schema.enum ? schema.enum.map((each) => JSON.stringify(each)).join(" or ") : [schema.type ?? "anything"].flat().join(" or ")];
  if (schema.type === "array") words.push(`of ${inWords(schema.items, schemas)}`);
  for (const [key, told] of [["minimum", "at least"], ["maximum", "at most"], ["maxLength", "at most"], ["maxItems", "at most"]]) {
    if (schema[key] !== undefined) words.push(`${told} ${schema[key]}${key === "maxLength" ? " characters" : ""}`);
  }
  if (schema.default !== undefined) words.push(`default ${JSON.stringify(schema.default)}`);
  return words.join(", ");
}

/** What such a value may look like; its parts are no deeper than a reader follows. */
function sample(given, schemas, depth = 0) {
  const schema = resolve(given, schemas);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf && !schema.properties) return sample(schema.anyOf[0], schemas, depth);
  const type = [schema.type].flat().find((each) => each !== "null");
  if (type === "object" || schema.properties) {
    if (depth > 3) return {};
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(field, schemas, depth + 1)]));
  }
  if (type === "array") return depth > 3 ? [] : [sample(schema.items, schemas, depth + 1)];
  return { string: "…", integer: schema.minimum ?? 0, number: 0, boolean: true }[type] ?? null;
}

function parameterField(parameter, schemas) {
  const input = element("input", { name: parameter.name, autocomplete: "off", spellcheck: false });
  input.dataset.in = parameter.in;
  if (parameter.required && parameter.example !== undefined) input.value = parameter.example;
  const told = `${parameter.description} (${inWords(parameter.schema, schemas)}${parameter.required ? ", required" : ""})`;
  return element("label", {}, element("code", { textContent: parameter.name }), input, element("small", {}, ...prose(told)));
}

/** What a body or an answer may hold: first what must be there, and nested fields below their own. */
function fieldRows(given, schemas, prefix = "") {
  const schema = resolve(given, schemas);
  const isRequired = ([name]) => Boolean(schema.required?.includes(name));
  const entries = Object.entries(schema.properties ?? {}).sort((a, b) => isRequired(b) - isRequired(a));
  return entries.flatMap(([name, field]) => {
    const must = isRequired([name]) ? ", required" : "";
    const row = element("tr", {},
      element("td", {}, element("code", { textContent: prefix + name })),
      element("td", { textContent: inWords(field, schemas) + must }),
      element("td", {}, ...prose(resolve(field, schemas).description)));
    const items = resolve(field, schemas).items;
    return [row, ...(items && prefix.length < 40 ? fieldRows(items, schemas, `${prefix}${name}[].`) : [])];
  });
}

const fieldTable = (schema, schemas) => element("table", {}, element("tbody", {}, ...fieldRows(schema, schemas)));

/** What may be answered, by status: an example, and the fields of each kind of answer. */
function answers(operation, schemas) {
  const parts = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const schema = content?.["application/json"]?.schema;
    const part = element("details", {}, element("summary", {}, element("code", { textContent: status }), " ", ...prose(description)));
    if (schema) {
      const kinds = schema.anyOf ?? [schema];
      part.append(element("div", { className: "sample", tabIndex: 0, textContent: indented(JSON.stringify(sample(kinds[0], schemas))) }));
      part.append(...kinds.map((kind) => element("div", {},
        element("h3", { textContent: kind.$ref?.split("/").pop() ?? "" }), fieldTable(kind, schemas))));
    }
    return part;
  });
  return element("details", { className: "answers" }, element("summary", { textContent: "What it answers" }), ...parts);
}

/** The request as others write it. */
const LANGUAGES = {
  curl({ method, url, sent, body }) {
    const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
    const parts = [`curl -X ${method} ${quoted(url)}`, ...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)];
    if (body !== undefined) parts.push(`-d ${quoted(body)}`);
    return parts.join(" \\\n  ");
  },
  JavaScript({ method, url, sent, body }) {
    const text = body === undefined ? "" : `,\n  body: ${JSON.stringify(body)}`;
    return `const response = await fetch(${JSON.stringify(url)}, {\n  method: ${JSON.stringify(method)},\n  headers: ${JSON.stringify(sent)}${text},\n});\nconsole.log(await response.json());`;
  },
  Python({ method, url, sent, body }) {
    const text = body === undefined ? "" : `    data=${JSON.stringify(body)}.encode(),\n`;
    return `import json, urllib.request\n\nrequest = urllib.request.Request(\n    ${JSON.stringify(url)},\n    method=${JSON.stringify(method)},\n    headers=${JSON.stringify(sent)},\n${text})\nprint(json.load(urllib.request.urlopen(request)))`;
  },
};

/** Asks for the wallet that was started from now on, unless another one is named already. */
function useWallet(request, answer) {
  const field = byId("wallet");
  if (field.value === "" && JSON.parse(answer).success) {
    field.value = JSON.parse(request)["wallet-id"];
    field.dispatchEvent(new Event("change"));
  }
}

function operationForm(method, path, operation, { components }) {
  const { schemas } = components;
  const parameters = operation.parameters.map((each) => (each.$ref ? components.parameters[each.$ref.split("/").pop()] : each));
  const form = element("form", { autocomplete: "off" });
  const shown = parameters.filter(({ name }) => !SHARED.includes(name) && name !== "dry_run");
  const fields = (rare) => shown.filter(({ name }) => RARE.includes(name) === rare).map((each) => parameterField(each, schemas));
  form.append(element("p", {}, ...prose(operation.description)), ...fields(false));
  const content = operation.requestBody?.content["application/json"];
  let body;
  if (content) {
    body = element("textarea", { spellcheck: false, ariaLabel: "body" });
    const examples = Object.entries(content.examples).sort(([one], [other]) => (other === "example") - (one === "example"));
    const choose = (name) => { body.value = JSON.stringify(content.examples[name].value, null, 2); };
    choose(examples[0][0]);
    if (examples.length > 1) {
      const select = element("select", { ariaLabel: "example" }, ...examples.map(([name]) => element("option", { textContent: name })));
      select.onchange = () => choose(select.value);
      form.append(select);
    }
    form.append(body, fieldTable(content.schema, schemas));
  }
  const rare = fields(true);
  if (rare.length) form.append(element("details", {}, element("summary", { textContent: "Other headers" }), ...rare));

  const moves = (operation["x-rights"] ?? []).some((right) => MOVES.includes(right));
  const tries = parameters.some(({ name }) => name === "dry_run");
  const dry = element("input", { type: "checkbox", checked: true, name: "dry_run" });
  const send = element("button", { textContent: "Send" });
  const mark = () => send.classList.toggle("real", moves && !(tries && dry.checked));
  dry.onchange = mark;
  mark();

  const request = () => {
    let filled = path;
    const query = new URLSearchParams();
    const sent = headers();
    for (const { name, value, dataset, type } of form.querySelectorAll("input")) {
      if (value === "" || type === "checkbox") continue;
      if (dataset.in === "query") query.set(name, value);
      else if (dataset.in === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
      else sent[name] = value;
    }
    if (tries && dry.checked) query.set("dry_run", "true");
    if (body) sent["Content-Type"] = "application/json";
    const url = new URL(filled.slice(1), base);
    url.search = query;
    return { method: method.toUpperCase(), url: url.href, sent, body: body?.value };
  };
  const copied = element("span", { role: "status" });
  const copies = Object.entries(LANGUAGES).map(([name, write]) => {
    const button = element("button", { type: "button", textContent: `Copy as ${name}` });
    button.onclick = async () => {
      await navigator.clipboard.writeText(write(request()));
      copied.textContent = byId("key").value ? "Copied, with your key in it." : "Copied.";
    };
    return button;
  });
  const tried = tries ? [element("label", {}, dry, "Dry run: say what would be sent")] : [];
  // Can be scrolled by keyboard.
  const answer = element("pre", { hidden: true, tabIndex: 0 });
  form.append(element("p", { className: "row" }, send, ...tried, ...copies, copied), answer, answers(operation, schemas));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { url, sent, body: text, method: way } = request();
    answer.hidden = false;
    answer.textContent = "…";
    try {
      const response = await fetch(url, { method: way, headers: sent, body: text });
      const said = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      const id = response.headers.get("x-request-id");
      answer.textContent = `${response.status}   X-Request-Id: ${id}\n\n${isJson ? indented(said) : said}`;
      if (isJson && operation.operationId === "start") useWallet(text, said);
    } catch (error) {
      answer.textContent = `No answer: ${error.message}`;
    }
  };
  const badge = moves ? [" ", element("span", { className: "money", textContent: "moves money" })] : [];
  return element("details", { id: operation.operationId, className: "operation" },
    element("summary", {}, methodOf(method), " ", element("code", { textContent: path }), " ", ...prose(operation.summary), ...badge),
    form);
}

/** A group's operations: [method, path, operation]. */
function ofGroup(api, name) {
  const all = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => [method, path, operation]));
  const place = ([, , { operationId }]) => (FIRST.includes(operationId) ? FIRST.indexOf(operationId) : FIRST.length);
  return all.filter(([, , operation]) => operation.tags.includes(name)).sort((one, other) => place(one) - place(other));
}

async function show() {
  byId("operations").replaceChildren();
  byId("contents").replaceChildren();
  const response = await fetch(new URL("docs", base), { headers: headers() });
  const api = await response.json();
  byId("steps").hidden = !response.ok;
  if (!response.ok) {
    byId("about").textContent = `${api.message} Enter it below.`;
    return;
  }
  byId("title").textContent = `${api.info.title} ${api.info.version}`;
  byId("about").replaceChildren(...prose(api.info.description));
  for (const { name, description } of api.tags) {
    const operations = ofGroup(api, name);
    byId("operations").append(element("section", {}, element("h2", { textContent: name }), element("p", {}, ...prose(description)),
      ...operations.map(([method, path, operation]) => operationForm(method, path, operation, api))));
    byId("contents").append(element("section", { ariaLabel: name }, element("p", { textContent: name }), element("ul", {},
      ...operations.map(([method, path, operation]) => element("li", {},
        element("a", { href: `#${operation.operationId}`, title: path }, methodOf(method), operation.operationId))))));
  }
  find();
  open();
}

/** Leaves what does not have all words that are looked for. */
function find() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const operation of document.querySelectorAll(".operation")) {
    const text = `${operation.id} ${operation.querySelector("summary").textContent}`.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
    count += !operation.hidden;
    const link = document.querySelector(`nav a[href="#${operation.id}"]`);
    link.parentElement.hidden = operation.hidden;
  }
  for (const section of document.querySelectorAll("section")) section.hidden = !section.querySelector(".operation:not([hidden]), li:not([hidden])");
  byId("found").textContent = words.length ? `${count} found` : "";
}

/** Opens the operation that the address names. */
function open() {
  const named = byId(decodeURIComponent(location.hash.slice(1)));
  if (!named?.classList.contains("operation")) return;
  named.open = true;
  named.scrollIntoView();
  named.querySelector("summary").focus();
}

/** What was entered is there again; a browser may forbid that. */
function remember(id, storage, key) {
  const field = byId(id);
  try {
    field.value = storage().getItem(key) ?? "";
  } catch {
    return;
  }
  field.addEventListener("change", () => storage().setItem(key, field.value));
}
remember("wallet", () => localStorage, "headless-wallet docs: wallet");
remember("key", () => sessionStorage, "headless-wallet docs: key");
byId("shared").onsubmit = (event) => event.preventDefault();
byId("key").addEventListener("change", show);
byId("search").oninput = find;
addEventListener("hashchange", open);
show();
