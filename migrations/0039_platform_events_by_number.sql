-- Polling clients read the public events of a workspace by their number.
create index event_log_public on event_log (tenant_id, public_seq) where public_seq is not null;
