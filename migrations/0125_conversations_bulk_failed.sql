-- A bulk action whose job was given up has failed: the items that were left have failed, too, and what was done can be undone.
alter table conversation_bulk_actions drop constraint conversation_bulk_actions_status_check;
alter table conversation_bulk_actions add constraint conversation_bulk_actions_status_check
  check (status in ('running', 'completed', 'failed', 'undoing', 'undone'));
-- the code of the reason
alter table conversation_bulk_actions add column error text collate "C";
