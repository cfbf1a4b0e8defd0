//! The groups in which the document lists the operations.

/// A group of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Wallets,
    Reading,
    Sending,
    Tasks,
    Approvals,
    SigningElsewhere,
    Multisig,
    Swaps,
    Templates,
    Contracts,
    Transactions,
    Messages,
    Webhooks,
    Service,
    Access,
}

impl Group {
    /// All groups, in the order of the document.
    pub const ALL: [Self; 15] = [
        Self::Wallets,
        Self::Reading,
        Self::Sending,
        Self::Tasks,
        Self::Approvals,
        Self::SigningElsewhere,
        Self::Multisig,
        Self::Swaps,
        Self::Templates,
        Self::Contracts,
        Self::Transactions,
        Self::Messages,
        Self::Webhooks,
        Self::Service,
        Self::Access,
    ];
    /// Its name, and what is in it.
    pub const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Wallets => ("Wallets", "Starting and stopping wallets."),
            Self::Reading => ("Reading", "What a wallet has, and what became of it."),
            Self::Sending => (
                "Sending",
                "Everything that sends a transaction; with `dry_run`, in the query or in the body, it only says what it would send, and at what cost.",
            ),
            Self::Tasks => (
                "Tasks",
                "A request of a wallet that sends is answered at once, with status 202 and the id of a task, where it comes with the header \
                 `Prefer: respond-async`. Tasks are carried out in the order of their coming; `Priority: u=0` (RFC 9218; 0 to 7, 3 if not \
                 given) lets one go first. `Prefer: respond-async, wait=10` answers as usual if it has ended in 10 seconds.",
            ),
            Self::Approvals => (
                "Approvals",
                "What goes beyond a limit that says `unless approved by …` is answered with status 202 and the id of an approval: it waits, as \
                 it is, for so many of the API keys that the limit names, and is sent then. Nobody approves their own. See docs/custody.md.",
            ),
            Self::SigningElsewhere => (
                "Signing elsewhere",
                "Transactions that are built here, signed where the keys are, and then sent with `/push-tx`.",
            ),
            Self::Multisig => (
                "Multisig",
                "Transactions of wallets of several participants: proposed by one, signed by enough of them, and sent.",
            ),
            Self::Swaps => (
                "Atomic swaps",
                "Transactions that several wallets make together: each adds what it gives and gets to a proposal, a text that they pass \
                 on; once it is balanced, each signs its inputs, and whoever has all signatures sends it. Read a proposal with \
                 `/wallet/decode` before it is signed.",
            ),
            Self::Templates => (
                "Templates",
                "Transactions that are built by a list of instructions, the body of the request. An API key that runs one needs `send` and the rights to \
                 what it does: see docs/custody.md.",
            ),
            Self::Contracts => (
                "Contracts",
                "Nano contracts: what they hold, calls of their methods, and blueprints that they are made of.",
            ),
            Self::Transactions => ("Transactions", "Transactions given as hexadecimal text."),
            Self::Messages => (
                "Messages",
                "Messages signed with the key of an address, which prove that the signer has it. Signatures are those of the reference \
                 library: of the message after `Hathor Signed Message:\\n`, so that none is a transaction's.",
            ),
            Self::Webhooks => (
                "Webhooks",
                "Events are posted to the webhooks of the configuration: payments from outside, sends, and what became of them. See \
                 docs/events.md.",
            ),
            Self::Service => ("Service", "The service itself."),
            Self::Access => (
                "Keys",
                "API keys with names, each with the wallets that it may touch and what it may do with them; `docs/custody.md` tells all of \
                 it. Whoever asks for these has the `api_key` of the settings, or a key that may administer all wallets; the latter gives \
                 out no more than it has itself.",
            ),
        }
    }
}
