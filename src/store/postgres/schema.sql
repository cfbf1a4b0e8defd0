-- Version 1. Once a version is released its tables never change: a later one brings them up to date.
create table version (number int4 not null);
insert into version (number) values (1);

-- Server processes. An id is never used again.
create table server (
    id bigint generated always as identity primary key,
    url text,
    lease_until timestamptz not null,
    -- Whether it releases its accounts soon: requests wait for that.
    is_ending boolean not null default false
);

-- Accounts by the names of their owners, each run by one server at a time. A server that takes one adds 1 to its epoch.
-- Rows are never deleted, and every write to a table of an account has locked its row (`fence`): foreign keys would
-- look it up again for each row.
create table account (
    id bigint generated always as identity primary key,
    name text not null unique,
    server bigint,
    epoch bigint not null default 0,
    -- The server that is to run it next: `server` hands it over, and other servers leave it to that one.
    wanted_by bigint
);
create index account_by_server on account (server) where server is not null;
create index account_by_wanted on account (wanted_by) where wanted_by is not null;

-- Every transaction that writes to an account begins with this. A server that has lost the account writes nothing; one
-- that takes the account waits until transactions which began in time have ended, and so sees what they wrote.
create function fence(of_account bigint, of_server bigint, of_epoch bigint) returns void language plpgsql as $$
begin
    perform from account where id = of_account and server = of_server and epoch = of_epoch for share;
    if not found then
        raise exception 'another server runs this account' using errcode = 'HW001';
    end if;
end
$$;

-- One row per account, separate because it is locked while a history is written.
create table history (
    account bigint primary key,
    -- All that is in none of the tables below, as an encoded change set.
    others bytea not null default '',
    -- A number of this event log alone, once facts make events.
    events_begun bigint,
    last_event bigint not null default 0
);

create table vertex (
    account bigint not null,
    id bytea not null,
    record bytea not null,
    primary key (account, id)
);

-- Outputs that a user locked. Times are Unix seconds.
create table locked_output (
    account bigint not null,
    tx bytea not null,
    index smallint not null,
    until bigint not null,
    primary key (account, tx, index)
);

-- Transactions about to be pushed, and answers, by the keys of requests.
create table push_record (
    account bigint not null,
    key bytea not null,
    -- When the request came (Unix seconds).
    time bigint not null,
    -- None if it was withdrawn before it was written.
    record bytea,
    -- Whether the outcome of the push is unknown.
    is_open boolean not null,
    -- Orders the writes of a key: a write that its server has given up may come late, and then changes nothing.
    attempt bigint not null,
    primary key (account, key)
);
create index push_record_open on push_record (account) where is_open;

-- Requests that are carried out after they were answered.
create table task (
    account bigint not null,
    id bytea not null,
    record bytea not null,
    is_open boolean not null,
    primary key (account, id)
);
create index task_open on task (account) where is_open;

-- Events, until they are delivered or too old. Times are Unix milliseconds.
create table event (
    account bigint not null,
    seq bigint not null,
    time bigint not null,
    record bytea not null,
    primary key (account, seq)
);

-- The last event of each transaction (0: none, because the first load brought it; 1: seen, 2: confirmed, 3: reverted),
-- and the number of its events.
create table told (
    account bigint not null,
    tx bytea not null,
    stage smallint not null,
    times bigint not null,
    primary key (account, tx)
);
create index told_unconfirmed on told (account) where stage = 1;

-- Listeners, with the last event delivered to each.
create table sink (
    account bigint not null,
    key bytea not null,
    after_seq bigint not null,
    state bytea not null,
    primary key (account, key)
);

-- Deliveries of events to listeners.
create table delivery (
    account bigint not null,
    sink bytea not null,
    seq bigint not null,
    record bytea not null,
    primary key (account, sink, seq)
);

-- Started wallets, by the ids that users gave them.
create table started (
    network text not null,
    name text not null,
    -- Another one each time that it is started.
    number bigint not null generated always as identity unique,
    account bigint not null,
    -- The start request without secrets, for any server. Without it, only the server that had the account in `epoch`
    -- could start the wallet, and the row counts until that server has lost the account.
    request text,
    epoch bigint,
    primary key (network, name)
);
create index started_by_account on started (account);

-- Small texts of all servers, such as the list of API keys' hashes, each written as a whole.
create table document (
    name text primary key,
    -- Another one at each change.
    version bytea not null,
    text text not null
);

-- The audit log: lines are never changed.
create table audit (
    n bigint primary key,
    line text not null
);

-- The head of the audit log: one row.
create table audit_head (
    is_one boolean primary key default true check (is_one),
    count bigint not null,
    hash bytea not null
);
insert into audit_head (count, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Payments under limits within the last day: one row for each transaction and limited sum.
create table spent (
    -- The key or wallet that has the limits.
    scope text not null,
    mint boolean not null,
    token text not null,
    -- The hash that the transaction's signatures are of.
    id bytea not null,
    at timestamptz not null,
    amount numeric not null,
    -- The send that counted the payment.
    by bigint,
    primary key (scope, mint, token, id)
);

-- Sums of all time. The row of a sum serializes those who count it.
create table spent_total (
    scope text not null,
    mint boolean not null,
    token text not null,
    total numeric not null,
    primary key (scope, mint, token)
);
