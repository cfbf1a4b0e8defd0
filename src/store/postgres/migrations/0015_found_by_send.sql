-- The rows of a send are found by its id alone, which is no other send's: with the wallet's as well, a plan that was made
-- while the tables were small went through all that the wallet had sent.

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
        where push_record.send = excluded.send or push_record.mark = instead_of or push_record.time < too_old;
    if not found then
        return 'outrun';
    end if;
    update reservation set state = 1, at = now() where send = of_send and state <> 2;
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

-- What sends have now, of all that a wallet had in the last day.
create index reservation_held on reservation (wallet) where state < 2;
