// The history for books and taxes: times in UTC, exact amounts, what it did to the wallet token by token.
import type { Activity, Token } from "./engine/api";
import { plainAmount } from "./money";
import { clean } from "./text";

interface Known {
  tokenOf(uid: string): Token;
  labelOf(id: string): string;
}

const timeOf = ({ time }: Activity): string => new Date(time * 1_000).toISOString();

function changesOf({ changes }: Activity, { tokenOf }: Known) {
  return changes.map(({ token, amount, exact }) => {
    const { name, symbol, nft } = tokenOf(token);
    return { token, symbol: clean(symbol), name: clean(name), amount: plainAmount(amount, nft === undefined ? 2 : 0, exact) };
  });
}

export function toJson(activities: Activity[], known: Known): string {
  const rows = activities.map((activity) => ({
    time: timeOf(activity),
    transaction: activity.id,
    kind: activity.kind,
    voided: activity.voided,
    changes: changesOf(activity, known),
    costHtr: activity.cost && {
      deposit: plainAmount(activity.cost.deposit),
      fee: plainAmount(activity.cost.fee),
      data: plainAmount(activity.cost.data),
    },
    addresses: activity.to,
    data: activity.data,
    label: known.labelOf(activity.id),
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

const COLUMNS = ["time_utc", "transaction", "kind", "voided", "token", "symbol", "name", "amount", "deposit_htr", "fee_htr", "data_htr", "addresses", "data", "label"];

/** A line for each token that a transaction changes; what it costs stands in the first of them. */
export function toCsv(activities: Activity[], known: Known): string {
  const lines = activities.flatMap((activity) => {
    const changes = changesOf(activity, known);
    const none = { token: "", symbol: "", name: "", amount: "" };
    return (changes.length > 0 ? changes : [none]).map(({ token, symbol, name, amount }, at) => {
      const { cost } = activity;
      const costs = at === 0 && cost ? [cost.deposit, cost.fee, cost.data].map((cents) => plainAmount(cents)) : ["", "", ""];
      const texts = [activity.to.join(" "), activity.data.join(" "), known.labelOf(activity.id)].map(asText);
      return [timeOf(activity), activity.id, activity.kind, String(activity.voided), token, asText(symbol), asText(name), amount, ...costs, ...texts];
    });
  });
  return [COLUMNS, ...lines].map((cells) => cells.map(quote).join(",")).join("\r\n") + "\r\n";
}

/** Spreadsheets compute what begins so: strangers have chosen it. */
const asText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Gives the user a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has it once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
