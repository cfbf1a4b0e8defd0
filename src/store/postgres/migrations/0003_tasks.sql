-- Requests that are carried out after they were answered.
create table task (
    wallet bigint not null references wallet,
    id bytea not null,
    record bytea not null,
    -- Whether it is still to be carried out.
    is_open boolean not null,
    -- The server that does that, while its lease lasts.
    server bigint,
    primary key (wallet, id)
);
create index task_open on task (wallet) where is_open;
