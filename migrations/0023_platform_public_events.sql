-- Public events, which webhooks deliver, have a number of their own: it counts without gaps although internal events take
-- positions (seq) in the same log. Numbers continue from the position that was published as the number before.
alter table outbox add column is_public boolean not null default false;
alter table event_log add column public_seq bigint;
alter table event_heads add column public_seq bigint not null default 0;
update event_heads set public_seq = seq;
