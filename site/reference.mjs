// Pages of the server's operations, made of its OpenAPI document: one for each of its groups, and one of the kinds of answers.

/** What a newcomer looks for first, in this order, as on the server's own page (`src/server/docs/page.js`); what others there are comes after. */
const FIRST = ["start", "status", "stop", "balance", "address", "tx-history", "simple-send-tx", "send-tx", "create-token", "create-nft", "propose", "propose-swap"];

/** Paths and texts. */
export function reference(document) {
  const groups = document.tags.map(({ name, description }) => {
    const sections = operations(document).filter(({ operation }) => operation.tags[0] === name).map((of) => section(document, of));
    return [`http/${slug(name)}.md`, `# ${name}\n\n${description}\n\n${sections.join("\n")}`];
  });
  return [...groups, ["http/kinds.md", kinds(document)]];
}

const slug = (text) => text.toLowerCase().replaceAll(/[^a-z]+/g, "-");

const operations = ({ paths }) =>
  Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => place(a) - place(b));

const place = ({ operation: { operationId: id } }) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);

function section(document, { path, method, operation }) {
  const parameters = operation.parameters.map((parameter) => named(document, parameter));
  const headers = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => `\`${name}\``);
  const given = parameters.filter((parameter) => parameter.in !== "header");
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  let text = `## ${method.toUpperCase()} ${path}\n\n${operation.summary} ${operation.description ?? ""}\n\n`;
  if (headers.length) text += `Headers: ${headers.join(", ")}.\n\n`;
  if (given.length) {
    const rows = given.map(({ name, required, description, schema }) => row(document, name, schema, description, required));
    text += `| in path or query | kind | meaning |\n|---|---|---|\n${rows.join("")}\n`;
  }
  if (body) {
    const schema = named(document, body.schema);
    if (schema.properties) text += `| in the body | kind | meaning |\n|---|---|---|\n${members(document, schema).join("")}\n`;
    else text += `The body is ${kind(document, body.schema)} (\`${type}\`).\n\n`;
    for (const { value } of Object.values(body.examples ?? {})) {
      text += `\`\`\`json\n${typeof value === "string" ? value : JSON.stringify(value, null, 2)}\n\`\`\`\n\n`;
    }
  }
  return `${text}${answers(document, operation)}\n`;
}

function answers(document, { responses }) {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description, content = {} } = named(document, response);
    const [first] = Object.entries(content);
    return `| ${status} | ${first ? cell(kind(document, first[1].schema) || `\`${first[0]}\``) : ""} | ${cell(description)} |\n`;
  });
  return `| status | answer | when |\n|---|---|---|\n${rows.join("")}`;
}

/** What is meant by a reference. */
const named = (document, value) => (value.$ref ? value.$ref.slice(2).split("/").reduce((part, name) => part[name], document) : value);

const cell = (text = "") => text.replaceAll("|", "\\|").replaceAll("\n", " ").replaceAll("<", "&lt;");

const row = (document, name, schema, about, required) =>
  `| \`${name}\`${required ? " (required)" : ""} | ${cell(kind(document, schema))} | ${cell(about ?? schema.description)}${
    schema.default === undefined ? "" : ` \`${JSON.stringify(schema.default)}\` if left out.`} |\n`;

/** The members of an object, and of objects in it, by their paths: first those that must be there. */
function members(document, schema, path = "") {
  const isRequired = ([name]) => Boolean(schema.required?.includes(name));
  const entries = Object.entries(schema.properties ?? {}).sort((a, b) => isRequired(b) - isRequired(a));
  return entries.flatMap(([name, member]) => {
    const inner = member.type === "array" ? member.items : member;
    const at = path + name;
    const rows = [row(document, at, member, member.description, isRequired([name]))];
    return inner.properties ? [...rows, ...members(document, inner, `${at}${member.type === "array" ? "[]" : ""}.`)] : rows;
  });
}

function kind(document, schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return `[${name}](kinds.md#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several && !schema.properties) return several.map((one) => kind(document, one)).filter(Boolean).join(" or ");
  if (schema.type === "array") return `list of ${kind(document, schema.items ?? {}) || "anything"}`;
  return [schema.type ?? []].flat().join(" or ");
}

function kinds(document) {
  const all = Object.entries(document.components.schemas).map(([name, schema]) => {
    const rows = members(document, schema);
    const table = rows.length ? `| member | kind | meaning |\n|---|---|---|\n${rows.join("")}` : `${kind(document, { ...schema, $ref: undefined })}\n`;
    return `## ${name}\n\n${cell(schema.description ?? "")}\n\n${table}`;
  });
  return `# Kinds of values\n\nWhat requests and answers are made of.\n\n${all.join("\n")}`;
}
