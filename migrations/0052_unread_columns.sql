-- Nothing reads these columns, and no released version writes them.
alter table inboxes drop column checked_at;
alter table provider_account_grants drop column granted_at;
alter table event_consumer_queue drop column last_error;
alter table migrations drop column if exists applied_at;
