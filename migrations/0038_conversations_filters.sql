-- When a conversation last changed: a message, its status, owner, team, inbox or contact. Lists filter and sort by it.
alter table conversation_states add column updated_at timestamptz(3) not null default now();
update conversation_states set updated_at = last_message_at;
create index conversation_states_updated on conversation_states (tenant_id, updated_at, conversation_id);
create index conversation_states_inbox on conversation_states (tenant_id, inbox_id, last_message_at, conversation_id);
