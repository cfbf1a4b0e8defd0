// Amounts as people write them, and JSON with integers of any size.

const inputError = (field, must, options) =>
  Object.assign(new Error(`${field} ${must}`, options), { name: "InputError", code: "INVALID_INPUT", field });

function checkDecimals(decimals) {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 100) {
    throw inputError("decimals", "must be an integer from 0 to 100");
  }
}

/** What stands before an integer while it passes as a text; nobody can guess it. */
const newMark = () => `int ${Math.random()} ${Math.random()}:`;

/** "1.23" as 123n. */
export function parseUnits(text, decimals = 2) {
  checkDecimals(decimals);
  const match = typeof text === "string" && /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = (match && match[3]) ?? "";
  if (!match || fraction.length > decimals) {
    throw inputError("amount", `must be digits with at most ${decimals} after the point, such as "1.23"`);
  }
  const units = BigInt(match[2] + fraction.padEnd(decimals, "0"));
  return match[1] ? -units : units;
}

/** 123n as "1.23". */
export function formatUnits(amount, decimals = 2) {
  checkDecimals(decimals);
  if (typeof amount !== "bigint" && !Number.isSafeInteger(amount)) {
    throw inputError("amount", "must be a bigint or a safe integer");
  }
  const units = BigInt(amount);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  return (units < 0n ? "-" : "") + (decimals > 0 ? `${whole}.${digits.slice(-decimals)}` : whole);
}

/** As `JSON.stringify`, with each bigint as an integer, as in the HTTP interface. */
export function stringifyJson(value, indent) {
  const mark = newMark();
  let text;
  try {
    text = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? mark + part : part), indent);
  } catch (cause) {
    throw inputError("value", "can't be written as JSON", { cause });
  }
  return text?.replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

/** As `JSON.parse`, with each integer that a number does not hold exactly as a bigint. */
export function parseJson(text) {
  if (typeof text !== "string") throw inputError("text", "must be a string");
  const mark = newMark();
  const isLarge = (token) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    isLarge(token) ? `"${mark}${token}"` : token,
  );
  const exact = (part) => (typeof part === "string" && part.startsWith(mark) ? BigInt(part.slice(mark.length)) : part);
  try {
    return JSON.parse(marked, (_, part) => exact(part));
  } catch (cause) {
    throw inputError("text", "is not valid JSON", { cause });
  }
}
