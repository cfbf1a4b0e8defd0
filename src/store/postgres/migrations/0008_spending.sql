-- What was spent under limits on spending, in the last day: one row for each transaction and account.
create table spent (
    -- Whose limits: of a key or a wallet.
    scope text not null,
    mint boolean not null,
    token text not null,
    -- The hash that the transaction's signatures are of.
    id bytea not null,
    at timestamptz not null,
    amount numeric not null,
    primary key (scope, mint, token, id)
);

-- Of all time. The row of an account makes servers wait for each other.
create table spent_total (
    scope text not null,
    mint boolean not null,
    token text not null,
    total numeric not null,
    primary key (scope, mint, token)
);
