import type { Advised } from "../en/advice";

const seeWords = "Os detalhes dizem por quê.";
const checkHistory = "Consulte o histórico para ver se a transação está lá.";

export const advice = {
  seeWords,
  otherwise: "Não foi possível",
  byCode: {
    NODE_UNREACHABLE: {
      title: "O nó completo não responde",
      todo: "Confira se ele está em execução e se o endereço nas configurações está certo.",
      more: "Um nó só responde a uma página se permitir a origem dela; um nó próprio permite http://localhost:3000.",
    },
    NODE_TIMEOUT: {
      title: "O nó completo está demorando demais",
      todo: "Ele pode estar ocupado ou iniciando. Espere um momento e tente de novo.",
    },
    NODE_RATE_LIMITED: {
      title: "O nó completo recebeu solicitações demais",
      todo: "Espere um minuto e tente de novo.",
    },
    NODE_BAD_ANSWER: {
      title: "Não foi possível entender a resposta do nó completo",
      todo: "Confira o endereço nas configurações: ele termina em /v1a/. Se estiver certo, o nó tem um problema; tente outro.",
    },
    NODE_REFUSED: { title: "O nó completo recusou", todo: seeWords },
    WRONG_NETWORK: {
      title: "O nó completo é de outra rede",
      todo: "Escolha nas configurações a rede a que o nó pertence.",
    },
    SYNC_FAILED: {
      title: "Não foi possível carregar o histórico",
      todo: "Confira o nó completo nas configurações e tente de novo.",
    },
    MINING_UNREACHABLE: {
      title: "O serviço de mineração não responde",
      todo: "Nada foi enviado. Confira se ele está em execução e se o endereço nas configurações está certo.",
      more: "Um serviço de mineração só responde a uma página se permitir a origem dela.",
    },
    MINING_NO_ANSWER: {
      title: "O serviço de mineração está demorando demais",
      todo: "Nada foi enviado. Espere um momento e envie de novo.",
    },
    MINING_BAD_ANSWER: {
      title: "Não foi possível entender a resposta do serviço de mineração",
      todo: "Nada foi enviado. Confira o endereço nas configurações.",
    },
    MINING_RATE_LIMITED: {
      title: "O serviço de mineração recebeu solicitações demais",
      todo: "Nada foi enviado. Espere um minuto e envie de novo.",
    },
    MINING_TIMEOUT: {
      title: "A prova de trabalho não foi resolvida a tempo",
      todo: "Nada foi enviado. O serviço está ocupado: envie de novo mais tarde.",
    },
    MINING_REFUSED: {
      title: "O serviço de mineração recusou a transação",
      todo: `Nada foi enviado. ${seeWords}`,
    },
    NO_MINERS: {
      title: "O serviço de mineração está sem mineradores",
      todo: "Nada foi enviado. Envie de novo mais tarde ou escolha outro serviço nas configurações.",
    },
    INSUFFICIENT_FUNDS: {
      title: "Não há saldo suficiente",
      todo: "Envie menos ou espere até que os valores bloqueados ou pendentes sejam liberados.",
    },
    INPUT_LOCKED: {
      title: "O que você quer gastar está bloqueado ou em uso",
      todo: "Espere até que seja liberado e envie de novo.",
    },
    NO_AUTHORITY: {
      title: "Esta carteira não tem esse direito",
      todo: "Só uma carteira que tem o direito de emitir ou de derreter o token pode fazer isto.",
    },
    ADDRESS_NOT_MINE: {
      title: "O endereço não é desta carteira",
      todo: "O troco e os direitos só podem ir para endereços desta carteira.",
    },
    TRANSACTION_TOO_LARGE: {
      title: "A transação ficaria grande demais",
      todo: "Envie menos de cada vez ou para menos destinatários.",
    },
    INVALID_SWAP: {
      title: "Não é possível usar esta troca",
      todo: "Solicite-a de novo: ela precisa estar completa, e o que diz sobre as suas entradas precisa ser o que o nó completo diz.",
    },
    INVALID_SIGNATURES: {
      title: "Não é possível usar estas assinaturas",
      todo: "Elas estão erradas ou são de outra proposta. Solicite as desta.",
    },
    SWAP_CHANGED: {
      title: "Isto não é o que a sua carteira incluiu",
      todo: "Outros podem ter alterado a proposta, ou ela foi feita antes de a carteira ser aberta. Compare o que você dá e recebe com o que foi combinado.",
    },
    SWAP_TEXT: { title: "Não é possível aceitar isto" },
    SWAP_UNREADABLE: {
      title: "Não foi possível ler esta proposta",
      todo: "Confira se ela foi copiada por inteiro, e nada além dela.",
    },
    REJECTED: {
      title: "O nó completo não aceitou a transação",
      todo: `Nada foi gasto. ${seeWords}`,
    },
    OUTCOME_UNKNOWN: {
      title: "Não se sabe se a transação foi enviada",
      todo: "Não envie de novo ainda: consulte antes o histórico. Se ela não aparecer em alguns minutos, com a carteira conectada, não foi enviada.",
    },
    CUT_OFF: { title: "A carteira foi fechada durante o envio", todo: checkHistory },
    CLOSED: { title: "A carteira foi fechada durante o envio", todo: checkHistory },
    NOT_READY: {
      title: "A carteira está sincronizando com o nó",
      todo: "Espere até que o aviso no topo desapareça e tente de novo.",
    },
    STOPPED: { title: "A carteira não está aberta", todo: "Abra-a de novo." },
    WRONG_PASSWORD: {
      title: "Senha incorreta",
      todo: "Tente de novo. Se a senha foi esquecida, restaure a carteira com a frase de recuperação.",
    },
    VAULT_UNREADABLE: {
      title: "A frase de recuperação guardada está ilegível",
      todo: "Restaure a carteira com a frase de recuperação.",
    },
  } satisfies Record<string, Advised>,
};
