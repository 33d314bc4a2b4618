-- Silence of people: the time of the last message that no journey, bot or campaign sent.
alter table conversation_states add column last_person_at timestamptz(3);
update conversation_states set last_person_at = greatest(last_customer_at,
  case when last_message_sender not in ('journey', 'bot', 'campaign') then last_message_at end);
create index conversation_states_idle on conversation_states (tenant_id, last_person_at, conversation_id)
  where status = 'open' and last_person_at is not null;

-- Entry mode cooldown: a contact enters again only after a time since the start of the last run.
alter table workflow_versions drop constraint workflow_versions_entry_mode_check,
  add check (entry_mode in ('once', 'once_active', 'every_time', 'cooldown'));
alter table workflow_runs drop constraint workflow_runs_entry_mode_check,
  add check (entry_mode in ('once', 'once_active', 'every_time', 'cooldown')) not valid;
alter table workflow_runs add column reenter_at timestamptz(3);
