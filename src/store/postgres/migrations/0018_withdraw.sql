-- A transaction that was recorded and not sent, its caller may be told so only once nobody can push it any more.

-- Records what is about to be pushed, if all of its claims stand, and the lease. Marked as recorded, claims are not
-- freed by time. 'kept', 'outrun' (another record has the key) or 'lost'. A send is recorded anew only by the server that
-- has its record, while it is open: one that others have taken over they may be pushing.
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
    perform from reservation where send = of_send and state <> 2 for update;
    get diagnostics mine = row_count;
    perform from server where id = of_server and expires_at > clock_timestamp();
    if not found or mine <> claims then
        return 'lost';
    end if;
    insert into push_record (wallet, key, time, record, mark, send, server, state)
        values (of_wallet, of_key, of_time, of_record, of_mark, of_send, of_server, 1)
        on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, mark = excluded.mark,
            send = excluded.send, server = excluded.server, state = 1, news = null, at = now()
        where case when push_record.send = excluded.send then push_record.state = 1 and push_record.server = excluded.server
            else push_record.mark = instead_of or push_record.time < too_old end;
    if not found then
        perform from push_record where send = of_send;
        return case when found then 'lost' else 'outrun' end;
    end if;
    update reservation set state = 1, at = now() where send = of_send and state <> 2;
    return 'kept';
end
$$;

-- Takes a record back, if it is open and this server's still: of one that was found open, another server may be pushing it.
-- On a disk once it is committed, or a crash of the database would have it pushed after all. True as well if it was taken
-- back before.
create function withdraw(of_wallet bigint, of_send bytea, of_server bigint)
    returns boolean language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off
    set search_path from current set lock_timeout = '15s'
as $$
declare
    state_now smallint;
    is_mine boolean;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise invalid_transaction_state;
    end if;
    if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
    end if;
    -- In the order in which `settle` takes them.
    insert into news (wallet, seq) values (of_wallet, 1)
        on conflict (wallet) do update set seq = news.seq + 1;
    perform from reservation where send = of_send for update;
    select state, server = of_server into state_now, is_mine from push_record where send = of_send for update;
    if not found then
        return false;
    end if;
    if state_now = 1 and is_mine then
        delete from reservation where send = of_send;
        -- A repetition of the request looks for it on the ledger all the same.
        update push_record set state = null where send = of_send;
        return true;
    end if;
    return state_now is null;
end
$$;

-- Tells all servers what became of a push that was found open, if it is still the one with this mark, and gives the
-- number of that news: who has recorded it may have solved and recorded it anew since. 0 if it is another one. In the order
-- in which `settle` takes the rows.
create or replace function settle_open(of_wallet bigint, of_send bytea, pushed boolean, of_mark bytea)
    returns bigint language plpgsql
    set search_path from current set lock_timeout = '15s'
as $$
begin
    insert into news (wallet, seq) values (of_wallet, 1) on conflict (wallet) do nothing;
    perform from news where wallet = of_wallet for update;
    perform from reservation where send = of_send for update;
    perform from push_record where send = of_send and mark = of_mark and state = 1 for update;
    if not found then
        return 0;
    end if;
    return settle(of_wallet, of_send, pushed);
end
$$;
