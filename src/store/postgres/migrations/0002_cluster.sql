-- Servers that run. An id is never used again: a server whose lease has ended goes on under another one.
create table server (
    id bigint generated always as identity primary key,
    expires_at timestamptz not null
);

-- Counts what happens to a wallet in the tables below, for servers to look whether there is something new. Not a
-- column of `wallet`: long appends lock that row.
create table news (
    wallet bigint primary key references wallet,
    seq bigint not null
);

-- What only one send may have: an output to spend, the number of a contract's call.
create table reservation (
    wallet bigint not null references wallet,
    claim bytea not null,
    send bytea not null,
    server bigint not null,
    -- 0: reserved, for as long as the server has its lease. 1: recorded, not freed by time. 2: pushed.
    state smallint not null default 0,
    at timestamptz not null default now(),
    primary key (wallet, claim)
);
create index reservation_by_send on reservation (send);
create index reservation_unrecorded on reservation (server) where state = 0;
create index reservation_pushed on reservation (wallet, at) where state = 2;

-- Which send it is of, its states as above, and which news of the wallet it was when it was pushed. Texts that
-- were answered, and transactions that are not sent, are of none.
alter table push_record
    add mark bytea,
    add send bytea,
    add server bigint,
    add state smallint,
    add news bigint,
    add at timestamptz not null default now();
create index push_record_by_news on push_record (wallet, news);
create index push_record_by_send on push_record (send);
create index push_record_open on push_record (wallet) where state = 1;
