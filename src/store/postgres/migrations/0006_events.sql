-- A number that tells a wallet's events from those of all other stores, once its facts count as news; and the number of its
-- last event. Under the lock of its row each event gets its number.
alter table wallet
    add events_begun bigint,
    add last_event bigint not null default 0;

-- Events, until they are told or too old. Times are Unix milliseconds.
create table event (
    wallet bigint not null references wallet,
    seq bigint not null,
    time bigint not null,
    record bytea not null,
    primary key (wallet, seq)
);

-- What was told of a transaction last (0: nothing, as the first load brought it; 1: seen, 2: confirmed, 3: reverted), and how often.
create table told (
    wallet bigint not null references wallet,
    tx bytea not null,
    stage smallint not null,
    times bigint not null,
    primary key (wallet, tx)
);
create index told_unconfirmed on told (wallet) where stage = 1;

-- Listeners: the last event that each has had, and the server that tells it, while its lease lasts and it is at it.
create table sink (
    wallet bigint not null references wallet,
    key bytea not null,
    after_seq bigint not null,
    state bytea not null,
    server bigint,
    claimed_at timestamptz not null default now(),
    primary key (wallet, key)
);

-- What became of telling an event to a listener.
create table delivery (
    wallet bigint not null references wallet,
    sink bytea not null,
    seq bigint not null,
    record bytea not null,
    primary key (wallet, sink, seq)
);
