-- Which send counted a payment last: what another one has counted since is not taken back.
alter table spent add column by bigint;
