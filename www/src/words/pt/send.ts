import type { ComponentChildren } from "preact";
import { counter } from "../counter";

const count = counter("pt-BR");

export const send = {
  addressBook: "Agenda",
  nobodyYetWhomYouAdd: "Ninguém ainda. Quem você adicionar aqui aparece como opção ao enviar e com o nome no histórico.",
  remove: (name: string) => `Remover ${name}`,
  addAnAddress: "Adicionar um endereço",
  add: "Adicionar",
  thisRequestExpiredOnAsk: (when: string) => `Este pedido expirou em ${when}. Solicite um novo.`,
  thisRequestIsForA: (id: string) => `Este pedido é de um token que esta carteira não tem: ${id}.`,
  sendSomethingElse: "Fazer outro envio",
  theNetworkHasItIt: "A rede aceitou a transação. Ela aguarda um bloco que a confirme.",
  oneTransactionCanPayMany: "Uma única transação pode pagar vários destinatários, em vários tokens, e gravar textos na blockchain.",
  anotherPayment: "Outro pagamento",
  dataOnly: "Apenas dados",
  keptHereForYouAlone: "Fica guardado aqui, só para você.",
  whatItIsFor: "Motivo do envio",
  thatIsMoreThanThere: (amount: string, symbol: string) => `São ${amount} ${symbol} a mais do que o disponível.`,
  costsHTRForData: (amount: string) => `Custa ${amount} HTR pelos dados.`,
  sendThis: "Confirmar o envio?",
  inAll: "No total",
  leftThen: "Saldo depois",
  pay: "Pagar",
  howToSend: "Como enviar",
  enterAText: "Informe um texto.",
  atMostBytesTooMany: (most: number, over: number) =>
    `No máximo ${most} bytes: há ${over} a mais. Emojis ocupam quatro ou mais; letras acentuadas, dois ou três.`,
  removeRow: (title: string) => `Remover ${title}`,
  payment: "Pagamento",
  toAddress: "Para o endereço",
  moreOptions: "Mais opções",
  lockedUntil: "Bloqueado até",
  untilThenNobodyCanSpend: (zone: string) =>
    `Opcional. Até lá, ninguém pode gastar o valor nem desbloqueá-lo. Seu fuso horário: ${zone}.`,
  enterATimeToCome: "Informe uma data e uma hora no futuro, antes de 2106.",
  addressBookFor: (title: string) => `Agenda para ${title}`,
  chooseOfBook: "Agenda…",
  text: "Texto",
  ofCharactersKeptOnThe: (length: number, most: number, amount: string) =>
    `${length} de ${most} caracteres. Fica na blockchain para sempre, à vista de todos. Custa ${amount} HTR.`,
  showTheTransaction: "Mostrar a transação",
  review: "Revisar",
  signingSolvingTheProofOf:
    "Assinando, resolvendo a prova de trabalho, enviando. Isso leva segundos, ou minutos quando o serviço de mineração está ocupado.",
  change: "Alterar",
  sending: "Enviando",
  continueInTheBackground: "Continuar em segundo plano",
  lookAtTheHistory: "Consultar o histórico",
  sentInTheBackgroundThe: "Enviado em segundo plano. O envio está no histórico.",
  theSendInTheBackground: "O envio em segundo plano falhou. ",
  inTheBookAs: (name: string) => `Ele já está na agenda como ${name}. Adicionar de novo muda o nome.`,
  to: (whom: ComponentChildren) => ["para ", whom],
  textsForEver: (n: number) => `${count(n, { one: "texto", other: "textos" })} na blockchain para sempre, à vista de todos.`,
  on: (network: ComponentChildren) => ["Na rede ", network],
};
