import { counter } from "../counter";

const count = counter("pt-BR");

// The rules for plurals have one form for 0 and 1, "0 transação", which nobody writes.

export const counts = {
  outputs: (n: number) => count(n, { zero: "Nenhuma saída", one: "saída", other: "saídas" }),
  transactions: (n: number) => count(n, { zero: "Nenhuma transação", one: "transação", other: "transações" }),
  years: (n: number) => count(n, { one: "ano", other: "anos" }),
  minutes: (n: number) => count(n, { one: "minuto", other: "minutos" }),
  rightsToMint: (n: number) => count(n, { one: "direito de emitir", other: "direitos de emitir" }),
  rightsToMelt: (n: number) => count(n, { one: "direito de derreter", other: "direitos de derreter" }),
  addresses: (n: number) => count(n, { one: "endereço", other: "endereços" }),
};
