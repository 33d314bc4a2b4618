-- A bulk action whose job was given up has failed: the items that were left have failed, too, and what was done can be undone.
alter table contact_bulk_actions drop constraint contact_bulk_actions_status_check;
alter table contact_bulk_actions add constraint contact_bulk_actions_status_check
  check (status in ('running', 'completed', 'failed', 'undoing', 'undone'));
-- the code of the reason
alter table contact_bulk_actions add column error text collate "C";
