-- What was asked of the servers and what came of it, a line each, which is never changed.
create table audit (
    n bigint primary key,
    line text not null
);

-- How far it goes: one row.
create table audit_head (
    is_one boolean primary key default true check (is_one),
    count bigint not null,
    hash bytea not null
);
insert into audit_head (count, hash) values (0, decode(repeat('00', 32), 'hex'));
