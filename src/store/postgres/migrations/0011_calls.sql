-- A call of these may be all there is of a transaction, in one message: what a transaction otherwise begins with, they
-- bring along themselves.
alter function reserve(bigint, bytea, bigint, bytea[], bytea[], smallint[])
    set search_path from current set lock_timeout = '15s';
alter function record_push(bigint, bytea, bigint, bytea, bytea, bytea, bigint, bytea, bigint, bigint)
    set search_path from current set lock_timeout = '15s';
alter function settle(bigint, bytea, boolean)
    set search_path from current set lock_timeout = '15s';
