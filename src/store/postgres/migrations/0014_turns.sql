-- The wallets of which sends wait at this server for outputs that other servers have: these take turns then.
alter table server add waits_for bigint[] not null default '{}';
