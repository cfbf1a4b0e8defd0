-- The `Idempotency-Key` of its request, hashed; without one, a key of its own. Null once it has failed: then the request
-- may be asked for anew. Null, too, where it was made before this column.
alter table task add key bytea;
create unique index task_by_key on task (wallet, key) where key is not null;
