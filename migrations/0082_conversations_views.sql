-- Indexes of conversation lists. Each serves the lists of one filter in the order of the last message: a list reads the
-- range of its filter and its status from the newest message on. A conversation is in one of the two owner indexes.
-- An expression, so that only lists of a status use it: without statistics, the planner would take it for as selective as
-- the indexes that begin with an owner, team or inbox.
create index conversation_states_status on conversation_states (tenant_id, (status || ''), last_message_at, conversation_id);
create index conversation_states_owner on conversation_states (tenant_id, owner_id, status, last_message_at, conversation_id)
  where owner_id is not null;
create index conversation_states_unassigned on conversation_states (tenant_id, status, last_message_at, conversation_id)
  where owner_id is null;
create index conversation_states_team on conversation_states (tenant_id, team_id, status, last_message_at, conversation_id)
  where team_id is not null;
create index conversation_states_inbox_status on conversation_states (tenant_id, inbox_id, status, last_message_at, conversation_id);
drop index conversation_states_inbox;

-- Few conversations are in these at a time.
create index conversation_states_snoozed on conversation_states (tenant_id, last_message_at, conversation_id) where snoozed;
create index conversation_states_waiting on conversation_states (tenant_id, waiting_since, conversation_id)
  where waiting_since is not null;
create index conversation_states_waiting_last on conversation_states (tenant_id, last_message_at, conversation_id)
  where waiting_since is not null;
create index conversation_states_priority on conversation_states (tenant_id, priority, status, last_message_at, conversation_id)
  where priority is not null;

-- For unread counts as before, and for the list of unread conversations.
create index conversation_states_unread_last on conversation_states (tenant_id, last_message_at, conversation_id)
  where status = 'open' and customer_count > 0;
drop index conversation_states_unread;

-- Copies of the columns by which the conversations of a label are listed. Triggers keep them equal.
alter table conversation_labels
  add column status text collate "C",
  add column last_message_at timestamptz(3);
update conversation_labels l set status = s.status, last_message_at = s.last_message_at
from conversation_states s where s.tenant_id = l.tenant_id and s.conversation_id = l.conversation_id;
create index conversation_labels_last on conversation_labels (tenant_id, label_id, status, last_message_at, conversation_id);

create function fill_conversation_label() returns trigger language plpgsql as $$
begin
  select s.status, s.last_message_at into new.status, new.last_message_at from conversation_states s
  where s.tenant_id = new.tenant_id and s.conversation_id = new.conversation_id;
  return new;
end $$;
create trigger conversation_labels_fill before insert on conversation_labels
  for each row execute function fill_conversation_label();

create function update_conversation_labels() returns trigger language plpgsql as $$
begin
  update conversation_labels set status = new.status, last_message_at = new.last_message_at
  where tenant_id = new.tenant_id and conversation_id = new.conversation_id;
  return null;
end $$;
create trigger conversation_states_labels after update of status, last_message_at on conversation_states for each row
  when (new.label_ids <> '{}'
    and (old.status is distinct from new.status or old.last_message_at is distinct from new.last_message_at))
  execute function update_conversation_labels();
