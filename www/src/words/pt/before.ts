import { counter } from "../counter";

const count = counter("pt-BR");

export const before = {
  areTheyWrittenDown: "A frase está anotada?",
  lookAtYourPaperAnd: "Consulte o papel e digite estas palavras da frase.",
  thatIsNotWordLook: (number: number) => `Esta não é a palavra ${number}. Confira.`,
  right: "✓ Correta",
  showTheWordsAgain: "Mostrar a frase de recuperação de novo",
  continue: "Continuar",
  copiedEveryProgramCanRead:
    "Copiado. Qualquer programa pode ler a área de transferência: cole a frase de recuperação em um lugar seguro dentro de um minuto.",
  theBrowserDidNotLet: "O navegador não permitiu copiar. Anote a frase de recuperação.",
  writeDownThese24Words: "Anote a frase de recuperação",
  inThisOrderOnPaper:
    "São 24 palavras, nesta ordem, em papel. Elas são a carteira: quem as tem fica com o dinheiro, e sem elas ninguém pode recuperá-lo.",
  makeSureThatNobodyLooks: "Certifique-se de que ninguém esteja olhando e de que a tela não esteja sendo compartilhada.",
  addAPassphraseBesidesThe: "Adicionar uma frase-senha à frase de recuperação",
  passphrase: "Frase-senha",
  itIsNeededToRestore:
    "Ela é necessária para restaurar a carteira, assim como a frase de recuperação, e não fica guardada em lugar nenhum: anote-a em outro lugar.",
  passphraseAgain: "Repita a frase-senha",
  iHaveWrittenThemDown: "Já anotei",
  useAtLeastCharactersMore: (most: number, missing: number) => `Use pelo menos ${most} caracteres: faltam ${missing}.`,
  useMoreDifferentCharacters: "Use caracteres mais variados.",
  whoeverHasThisDeviceCan:
    "Pelo menos 10 caracteres. Quem tiver acesso a este dispositivo pode tentar adivinhar a senha: algumas palavras aleatórias formam uma boa senha. Ninguém pode redefini-la.",
  opening: "Abrindo…",
  openTheWallet: "Abrir a carteira",
  ofWordsYouCanPaste: (filled: number, all: number) => `${filled} de ${all} palavras. É possível colar todas de uma vez.`,
  checking: "Verificando…",
  allWordsAreKnownBut:
    "Todas as palavras estão na lista, mas juntas não são válidas. Confira a ordem e procure alguma que tenha sido confundida com outra.",
  restoreAWallet: "Restaurar uma carteira",
  typeIts24WordsIn: "Digite as 24 palavras na ordem correta. Cada uma é verificada durante a digitação.",
  hideTheWords: "Ocultar a frase de recuperação",
  theWalletHasAPassphrase: "A carteira também tem uma frase-senha",
  anotherPassphraseIsAnotherWallet:
    "Uma frase-senha diferente abre uma carteira diferente: com uma errada, aparece uma carteira vazia, sem nenhum aviso.",
  openingYourWallet: "Abrindo a carteira",
  itsHistoryIsBeingRead: "O histórico está sendo lido do nó completo.",
  readingTheHistory: "Lendo o histórico",
  theWalletCouldNotBe: "Não foi possível abrir a carteira",
  welcomeBack: "Boas-vindas de volta",
  thisDeviceKeepsYourWallet: "A carteira está guardada neste dispositivo, criptografada. Digite a senha para abri-la.",
  wallet: "Carteira",
  useAnotherWallet: "Usar outra carteira",
  unlock: "Desbloquear",
  forgotThePassword: "Esqueceu a senha?",
  nobodyCanResetItRestore:
    "Ninguém pode redefini-la. Restaure a carteira com a frase de recuperação e guarde-a com uma nova senha: ela toma o lugar da que está guardada aqui.",
  thisIsNotAnXpub: "Isto não é uma xpub. Confira se ela foi copiada por inteiro, e nada além dela.",
  watchAWallet: "Observar uma carteira",
  itsXpubShowsBalancesAnd:
    "Com a xpub é possível ver saldos e histórico, mas não gastar. Ela está nas configurações de uma carteira aberta com a frase de recuperação.",
  yourWalletInThisPage: "Sua carteira, só nesta página",
  aWalletForTheHathor:
    "Uma carteira para a rede Hathor. As chaves são criadas e usadas aqui, no seu navegador. Ninguém mais as tem e ninguém pode recuperá-las: quem guarda a frase de recuperação, de 24 palavras, é você.",
  openAWalletThatIs: "Abrir uma carteira guardada aqui",
  createAWallet: "Criar uma carteira",
  otherWays: "Outras formas de abrir uma carteira",
  openSource: (version: string, host: string) => `Código aberto, versão ${version}. Conecta-se ao nó em ${host}.`,
  byItsXpubYouSee: "Com a xpub: é possível ver tudo, mas não gastar.",
  keepTheWords: "Guardar a frase de recuperação neste dispositivo?",
  keepTheXpub: "Guardar a xpub neste dispositivo?",
  ifYouDoWords:
    "Se sim, uma senha passa a abrir a carteira, e mais rápido. Se não, a frase de recuperação será necessária toda vez: após bloquear, recarregar ou fechar a página.",
  ifYouDoXpub:
    "Se sim, uma senha passa a abrir a carteira, e mais rápido. Se não, a xpub será necessária toda vez: após bloquear, recarregar ou fechar a página.",
  keepHere: "Guardá-la aqui, criptografada com uma senha",
  betterNot: (host: string) =>
    `Não recomendado para dinheiro de verdade: esta página é servida em ${host}, e qualquer outro programa que sirva páginas ali mais tarde pode ler o que está guardado, tentar adivinhar a senha e pedi-la a você.`,
  historyWithIt: "O histórico é guardado junto com ela, também criptografado.",
  notInList: (place: number) => `A palavra ${place} não está na lista de palavras. Confira a grafia.`,
  severalNotInList: (places: number[]) =>
    `As palavras ${places.slice(0, -1).join(", ")} e ${places.at(-1)} não estão na lista de palavras. Confira a grafia.`,
  theyBelongTogether: (n: number) => `✓ ${count(n, { one: "palavra", other: "palavras" })}, e elas são válidas.`,
  lookedAt: (addresses: number, transactions: number) =>
    [
      count(addresses, { zero: "Nenhum endereço verificado", one: "endereço verificado", other: "endereços verificados" }),
      count(transactions, { zero: "nenhuma transação encontrada", one: "transação encontrada", other: "transações encontradas" }),
    ].join(", "),
  toGo: (seconds: number) => `; tempo restante: cerca de ${count(seconds, { one: "segundo", other: "segundos" })}`,
  watchedOnly: (name: string) => `${name} (somente observação)`,
};
