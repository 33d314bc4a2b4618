-- A request says every few seconds that it is still running: the key of one whose process died is soon free again.
alter table idempotency_keys add column alive_at timestamptz(3);
