import { counter } from "../counter";

const count = counter("en");

export const counts = {
  outputs: (n: number) => count(n, { one: "output", other: "outputs" }),
  transactions: (n: number) => count(n, { one: "transaction", other: "transactions" }),
  years: (n: number) => count(n, { one: "year", other: "years" }),
  minutes: (n: number) => count(n, { one: "minute", other: "minutes" }),
  rightsToMint: (n: number) => count(n, { one: "right to mint", other: "rights to mint" }),
  rightsToMelt: (n: number) => count(n, { one: "right to melt", other: "rights to melt" }),
  addresses: (n: number) => count(n, { one: "address", other: "addresses" }),
};
