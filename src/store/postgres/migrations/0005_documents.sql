-- Small texts of the servers' own, such as the list of their API keys (hashes of them), each written as a whole.
create table document (
    name text primary key,
    -- Another one at each change.
    version bytea not null,
    text text not null
);
