-- At which news it last changed what a wallet has put into proposals of swaps, all of which its own row has.
alter table news add swaps bigint not null default 0;
