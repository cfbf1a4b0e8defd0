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
    found_record bytea;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    perform set_config('synchronous_commit', 'off', true);
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

-- Records what is about to be pushed, if all of its claims stand, the lease, and the lock of its key, without which another
-- server may have begun the same request. Marked as recorded, claims are not freed by time. 'kept', 'outrun' (another record has
-- the key) or 'lost'. A send is recorded anew only by the server that has its record, while it is open: one that others have
-- taken over they may be pushing. The record of another send is not replaced while it is open: what that one spends is held by
-- it.
create function record_push(
    of_wallet bigint, of_key bytea, of_time bigint, of_record bytea, of_mark bytea, of_send bytea, of_server bigint,
    instead_of bytea, too_old bigint, claims bigint, of_lock bigint
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
    perform from reservation where send = of_send and state <> 2 for update;
    get diagnostics mine = row_count;
    perform from server where id = of_server and expires_at > clock_timestamp();
    if not found or mine <> claims then
        return 'lost';
    end if;
    if of_lock is not null then
        perform from key_lock where wallet = of_wallet and key = of_key and number = of_lock and server = of_server for share;
        if not found then
            return 'lost';
        end if;
    end if;
    insert into push_record (wallet, key, time, record, mark, send, server, state)
        values (of_wallet, of_key, of_time, of_record, of_mark, of_send, of_server, 1)
        on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, mark = excluded.mark,
            send = excluded.send, server = excluded.server, state = 1, news = null, at = now()
        where case when push_record.send = excluded.send then push_record.state = 1 and push_record.server = excluded.server
            else push_record.state is distinct from 1
                and (push_record.mark = instead_of or push_record.time < too_old) end;
    if not found then
        perform from push_record where send = of_send;
        return case when found then 'lost' else 'outrun' end;
    end if;
    update reservation set state = 1, at = now() where send = of_send and state <> 2;
    return 'kept';
end
$$;

-- As servers of before call it, which lock no keys.
create or replace function record_push(
    of_wallet bigint, of_key bytea, of_time bigint, of_record bytea, of_mark bytea, of_send bytea, of_server bigint,
    instead_of bytea, too_old bigint, claims bigint
)
    returns text language sql
    set search_path from current
as $$
    select record_push(of_wallet, of_key, of_time, of_record, of_mark, of_send, of_server, instead_of, too_old, claims, null)
$$;
