-- Of a wallet that is started: its row, once it has run anywhere, and the server that sees to it that it runs.
alter table started add wallet bigint references wallet;
alter table started add server bigint;
create index started_by_wallet on started (wallet) where wallet is not null;
