-- Ids of wallets that one server alone can start, as they are started by words or the like, which are not kept: none of
-- another wallet is started at any server meanwhile. `owner` is the name of the wallet's row.
create table held_id (
    network text not null,
    name text not null,
    server bigint not null,
    owner text not null,
    primary key (network, name, server)
);

-- Tells all servers what became of a push that was found open, if it is still the one with this mark, and gives the
-- number of that news: who has recorded it may have solved and recorded it anew since. 0 if it is another one.
create function settle_open(of_wallet bigint, of_send bytea, pushed boolean, of_mark bytea)
    returns bigint language plpgsql
    set search_path from current set lock_timeout = '15s'
as $$
begin
    perform from push_record where send = of_send and mark = of_mark and state = 1 for update;
    if not found then
        return 0;
    end if;
    return settle(of_wallet, of_send, pushed);
end
$$;
