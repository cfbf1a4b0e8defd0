-- What servers tell each other of a wallet beside its sends: the index of the current address and how many
-- addresses are watched, as far as any server has come, and at which news outputs were last locked or unlocked.
alter table news
    add current_index bigint not null default 0,
    add address_count bigint not null default 0,
    add locks bigint not null default 0;

-- At which news it was locked or unlocked. Unlocked (until 0) it stays for a day, so that all servers hear of it.
alter table locked_output
    add news bigint not null default 0,
    add at timestamptz not null default now();
create index locked_output_by_news on locked_output (wallet, news);
create index locked_output_unlocked on locked_output (at) where until = 0;

-- Wallets that any server starts when it is asked for them, by the ids their users gave them. No key is in it:
-- `request` names one of the seeds that the servers have.
create table started (
    network text not null,
    name text not null,
    -- Another one each time that it is started.
    number bigint not null generated always as identity unique,
    request text not null,
    primary key (network, name)
);
