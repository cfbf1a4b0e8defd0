-- Of a wallet that is started: its row, once it has run anywhere, the server that sees to it that it runs, and whether
-- it runs there by now.
alter table started add wallet bigint references wallet;
alter table started add server bigint;
alter table started add runs boolean not null default false;
create index started_by_wallet on started (wallet) where wallet is not null;
