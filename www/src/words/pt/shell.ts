import { counter } from "../counter";

const count = counter("pt-BR");

export const shell = {
  brand: "Sistrum",
  networkIs: (name: string) => `Rede: ${name}`,
  tools: "Mais",
  getTestCoins: "Obter moedas de teste",
  theWalletHasLostIts: "A conexão com o nó completo foi perdida",
  whatYouSeeHereMay: "O que aparece aqui pode estar desatualizado, e nada pode ser enviado até que ela volte.",
  theNetworkWillChange: (feature: string) => `A rede está prestes a mudar (${feature})`,
  theNetworkHasChanged: (feature: string) => `A rede mudou (${feature})`,
  wholeCentsOnly: "Esta versão da carteira mostra valores com 18 casas decimais, mas envia somente centavos inteiros.",
  theNetworkRefusesFeeTokens: "A rede recusa tokens com taxa enviados por esta versão da carteira.",
  confirmationsMeanSomethingElse: "O que esta versão da carteira diz sobre confirmações deixa de valer, e o que você envia pode aparecer mais tarde.",
  shieldedPaymentsAre: "Esta versão da carteira não vê pagamentos blindados, e eles faltam nos saldos.",
  paymentsMayBeMissing: "Esta versão da carteira não conhece a mudança: podem faltar pagamentos, e o que você envia pode ser recusado.",
  useANewerVersion: "Use uma versão mais nova.",
  tryNow: "Tentar agora",
  trying: "Tentando…",
  dismiss: "Fechar",
  skipToThePage: "Ir para o conteúdo",
  lockTheWallet: "Bloquear a carteira",
  pages: "Páginas",
  thisWalletIsWatchedOnly: "Esta carteira é somente para observação",
  itWasOpenedByIts:
    "Ela foi aberta pela xpub, que não pode assinar. Restaure-a com a frase de recuperação para gastar ou criar tokens.",
  lockedWhileTheComputerSlept: "Bloqueada enquanto o computador estava suspenso.",
  theLocalNetworkDoesNot: "A rede local não responde. Confira se ela está em execução e tente de novo.",
  itAnsweredWithStatus: (status: number) => `ela respondeu com o status ${status}`,
  overview: "Resumo",
  theWalletIsCatchingUp: "A carteira está sincronizando com o nó.",
  thisBrowserDoesNotLet:
    "Este navegador não permite que a página guarde nada. Abra-a fora da navegação privada ou continue sem guardar.",
  wallet: (number: number) => `Carteira ${number}`,
  nextTryIn: (seconds: number) => `Próxima tentativa em ${count(seconds, { one: "segundo", other: "segundos" })}.`,
  lockedAfter: (minutes: number) => `Bloqueada após ${count(minutes, { one: "minuto", other: "minutos" })} sem uso.`,
  gaveNoCoins: (why: string) => `A rede local não forneceu moedas: ${why}.`,
};
