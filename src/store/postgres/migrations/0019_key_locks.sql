-- Requests with one key wait for each other at all servers: whose lease has ended has none. `number` is random, and tells
-- locks from each other.
create table key_lock (
    wallet bigint not null,
    key bytea not null,
    server bigint not null,
    number bigint not null,
    at timestamptz not null default now(),
    primary key (wallet, key)
);

-- Locks a key for a server, unless another one has it that lives, and says what its record is then: in hexadecimal digits, or
-- 'none'; 'taken' if it is not locked, 'ended' if the lease has. Asked again, it says the same.
create function lock_key(of_wallet bigint, of_key bytea, of_server bigint, of_number bigint)
    returns text language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    ignored text;
    found_record bytea;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    ignored := set_config('synchronous_commit', 'off', true);
    insert into key_lock (wallet, key, server, number)
        select of_wallet, of_key, id, of_number from server where id = of_server and expires_at > clock_timestamp()
        on conflict (wallet, key) do update set server = excluded.server, number = excluded.number, at = now()
        where key_lock.server = excluded.server
            or not exists (select from server where id = key_lock.server and expires_at > clock_timestamp());
    if not found then
        perform from server where id = of_server and expires_at > clock_timestamp();
        return case when found then 'taken' else 'ended' end;
    end if;
    -- A statement of its own: it sees what was recorded until the key was locked.
    select record into found_record from push_record where wallet = of_wallet and key = of_key;
    return coalesce(encode(found_record, 'hex'), 'none');
end
$$;

-- Reserves all claims for a send, or none, and says whether it did. None of the outputs may be locked. Asked again, it
-- says the same.
create or replace function reserve(of_wallet bigint, of_send bytea, of_server bigint, claims bytea[], txs bytea[], indexes smallint[])
    returns boolean language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    ignored text;
    gained bytea[];
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    ignored := set_config('synchronous_commit', 'off', true);
    with made as (
        insert into reservation (wallet, claim, send, server)
            select of_wallet, claim, of_send, id from server, unnest(claims) as wanted (claim)
            where id = of_server and expires_at > clock_timestamp()
            on conflict do nothing returning claim
    ) select array_agg(claim) into gained from made;
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

-- In the place of `record_push`, which servers of before call until they have ended. Records what is about to be pushed, if all of its claims stand, and the lease. Marked as recorded, claims are not
-- freed by time. 'kept'; or an error HW001 that says 'outrun' (another record has the key) or 'lost', by which nothing is done.
-- A send is recorded anew only by the server that has its record, while it is open: one that others have taken over they may
-- be pushing. The record of another send is not replaced while it is open: what that one spends is held by it.
create function record_send(
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
    update reservation set state = 1, at = now() where send = of_send and state <> 2;
    get diagnostics mine = row_count;
    if mine <> claims then
        raise 'lost' using errcode = 'HW001';
    end if;
    -- A statement of its own: since it began, nobody frees what is reserved.
    insert into push_record (wallet, key, time, record, mark, send, server, state)
        select of_wallet, of_key, of_time, of_record, of_mark, of_send, id, 1
        from server where id = of_server and expires_at > clock_timestamp()
        on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, mark = excluded.mark,
            send = excluded.send, server = excluded.server, state = 1, news = null, at = now()
        where case when push_record.send = excluded.send then push_record.state = 1 and push_record.server = excluded.server
            else push_record.state is distinct from 1
                and (push_record.mark = instead_of or push_record.time < too_old) end;
    if found then
        return 'kept';
    end if;
    perform from push_record where wallet = of_wallet and key = of_key and send <> of_send;
    if found and exists (select from server where id = of_server and expires_at > clock_timestamp()) then
        raise 'outrun' using errcode = 'HW001';
    end if;
    raise 'lost' using errcode = 'HW001';
end
$$;

-- Tells all servers what became of a push, and gives the number of that news.
create or replace function settle(of_wallet bigint, of_send bytea, pushed boolean)
    returns bigint language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    ignored text;
    told bigint;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    ignored := set_config('synchronous_commit', 'off', true);
    insert into news (wallet, seq) values (of_wallet, 1)
        on conflict (wallet) do update set seq = news.seq + 1 returning seq into told;
    if pushed then
        update reservation set state = 2, at = now() where send = of_send;
        update push_record set state = 2, news = told where send = of_send;
    else
        delete from reservation where send = of_send;
        -- A repetition of the request looks for it on the ledger all the same.
        update push_record set state = null where send = of_send;
    end if;
    return told;
end
$$;
