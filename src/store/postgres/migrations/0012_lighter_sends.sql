-- What a send asks of the database, as before; but how it is committed, and that it sees what others commit meanwhile,
-- is seen to here: said in each call, it would be planned with each.

-- Reserves all claims for a send, or none, and says whether it did. None of the outputs may be locked. Asked again, it
-- says the same.
create or replace function reserve(of_wallet bigint, of_send bytea, of_server bigint, claims bytea[], txs bytea[], indexes smallint[])
    returns boolean language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    gained bytea[];
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    perform set_config('synchronous_commit', 'off', true);
    with made as (
        insert into reservation (wallet, claim, send, server)
            select of_wallet, claim, of_send, id from server, unnest(claims) as wanted (claim)
            where id = of_server and expires_at > clock_timestamp()
            on conflict do nothing returning claim
    ) select coalesce(array_agg(claim), '{}') into gained from made;
    -- Statements of their own: what is locked was reserved until then, and its lock is seen once it is not.
    if (cardinality(gained) = cardinality(claims) or cardinality(claims) = (
        select count(*) from reservation
            where wallet = of_wallet and claim = any(claims) and send = of_send and server = of_server and state = 0
    )) and not exists (
        select from unnest(txs, indexes) as wanted (tx, index)
            join locked_output as locked on locked.tx = wanted.tx and locked.index = wanted.index
            where locked.wallet = of_wallet and until > extract(epoch from now())
    ) then
        return true;
    end if;
    delete from reservation where wallet = of_wallet and claim = any(gained);
    return false;
end
$$;

-- Records what is about to be pushed, if all of its claims stand, and the lease. Marked as recorded, claims are not
-- freed by time. 'kept', 'outrun' (another record has the key) or 'lost'.
create or replace function record_push(
    of_wallet bigint, of_key bytea, of_time bigint, of_record bytea, of_mark bytea, of_send bytea, of_server bigint,
    instead_of bytea, too_old bigint, claims bigint
)
    returns text language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    mine bigint;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
    end if;
    perform from reservation where wallet = of_wallet and send = of_send and state < 2 for update;
    get diagnostics mine = row_count;
    perform from server where id = of_server and expires_at > clock_timestamp();
    if not found or mine <> claims then
        return 'lost';
    end if;
    insert into push_record (wallet, key, time, record, mark, send, server, state)
        values (of_wallet, of_key, of_time, of_record, of_mark, of_send, of_server, 1)
        on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, mark = excluded.mark,
            send = excluded.send, server = excluded.server, state = 1, news = null, at = now()
        where push_record.send = excluded.send or push_record.mark = instead_of or push_record.time < too_old;
    if not found then
        return 'outrun';
    end if;
    update reservation set state = 1, at = now() where wallet = of_wallet and send = of_send and state < 2;
    return 'kept';
end
$$;

-- Tells all servers what became of a push, and gives the number of that news.
create or replace function settle(of_wallet bigint, of_send bytea, pushed boolean)
    returns bigint language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    told bigint;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    perform set_config('synchronous_commit', 'off', true);
    insert into news (wallet, seq) values (of_wallet, 1)
        on conflict (wallet) do update set seq = news.seq + 1 returning seq into told;
    if pushed then
        update reservation set state = 2, at = now() where wallet = of_wallet and send = of_send;
        update push_record set state = 2, news = told where wallet = of_wallet and send = of_send;
    else
        delete from reservation where wallet = of_wallet and send = of_send;
        -- A repetition of the request looks for it on the ledger all the same.
        update push_record set state = null where wallet = of_wallet and send = of_send;
    end if;
    return told;
end
$$;

-- No row of `wallet` is ever deleted, and nobody writes here but for wallets whose rows he has read: to look for them
-- with each row costs a statement, and a lock that appends to a wallet's history meet.
alter table reservation drop constraint reservation_wallet_fkey;
alter table push_record drop constraint push_record_wallet_fkey;
alter table news drop constraint news_wallet_fkey;
