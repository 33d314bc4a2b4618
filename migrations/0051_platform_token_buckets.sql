-- One table for the token buckets that processes share: login attempts and the send rates of inboxes and recipients. The
-- state of a bucket is the time until which its rate is reserved; no row: full. Unlogged: after a crash all are full.
-- Without an index on the time, so that updates stay within their page.
create unlogged table token_buckets (
  key text collate "C" primary key,
  reserved_until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

drop table login_attempts;
drop table send_rate_limits;
