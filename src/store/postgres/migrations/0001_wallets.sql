-- A wallet on a chain, by the name of its owner.
create table wallet (
    id bigint generated always as identity primary key,
    name text not null unique,
    -- How many change sets were appended.
    seq bigint not null default 0,
    -- The latest format that one of its records is in.
    format smallint not null,
    -- What is neither of the tables below, as an encoded change set.
    others bytea not null
);

-- Each transaction and block as it was last appended, and with which change set that was.
create table vertex (
    wallet bigint not null references wallet,
    id bytea not null,
    seq bigint not null,
    record bytea not null,
    primary key (wallet, id)
);

-- Outputs that a wallet's user has locked, and until when (Unix seconds).
create table locked_output (
    wallet bigint not null references wallet,
    tx bytea not null,
    index smallint not null,
    until bigint not null,
    primary key (wallet, tx, index)
);

-- What was about to be pushed, by the key of its request.
create table push_record (
    wallet bigint not null references wallet,
    key bytea not null,
    -- When the request came (Unix seconds).
    time bigint not null,
    record bytea not null,
    primary key (wallet, key)
);
create index push_record_by_time on push_record (wallet, time);
