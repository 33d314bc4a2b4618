-- Counters for reports. What happens is appended as a fact in the transaction of the change; a cron adds the facts to the
-- counters of their hour and deletes them.
alter table conversation_states
  -- the latest message of a person; before opened_at: not yet in this session
  add column last_reply_at timestamptz(3);

create table conversation_facts (
  tenant_id text collate "C" not null,
  at timestamptz(3) not null,
  type text collate "C" not null check (type in ('opened', 'reopened', 'closed', 'first_reply', 'reply')),
  inbox_id text collate "C" not null,
  team_id text collate "C",
  -- who closed or replied
  user_id text collate "C",
  -- from opening to closing, or how long the customer waited for the reply
  seconds int
);
create index conversation_facts_tenant on conversation_facts (tenant_id);

create table conversation_counts (
  tenant_id text collate "C" not null,
  hour timestamptz(0) not null,
  type text collate "C" not null,
  -- empty: none
  inbox_id text collate "C" not null,
  team_id text collate "C" not null,
  user_id text collate "C" not null,
  -- durations from 2^n - 1 to 2^(n + 1) - 2 seconds have the bucket n; facts without a duration have 0
  bucket smallint not null,
  count int not null,
  seconds bigint not null,
  primary key (tenant_id, hour, type, inbox_id, team_id, user_id, bucket)
);

create or replace function record_conversation_events() returns trigger language plpgsql as $$
declare
  v_from json := conversation_owner(old.owner_type, old.owner_id);
  v_to json := conversation_owner(new.owner_type, new.owner_id);
  v_actor text := nullif(current_setting('parley.actor', true), '');
  v_type text;
  v_details json;
begin
  if new.status = 'closed' then
    v_type := case when old.status = 'open' then 'closed' end;
  elsif old.session_id = '' or old.status = 'closed' then
    v_type := case when old.session_id = '' then 'opened' else 'reopened' end;
    v_details := json_build_object('inboxId', new.inbox_id, 'owner', v_to);
  elsif new.inbox_id <> old.inbox_id then
    v_type := 'inbox_changed';
    v_details := json_build_object('from', old.inbox_id, 'to', new.inbox_id, 'owner', v_to);
  elsif new.session_id <> old.session_id then
    v_type := 'contact_changed';
  elsif v_from::text is distinct from v_to::text then
    v_type := case when old.owner_type = 'bot' and new.owner_type is distinct from 'bot' then 'handed_over'
      when v_to is null then 'unassigned' else 'assigned' end;
    v_details := json_build_object('from', v_from, 'to', v_to);
  end if;
  if v_type is not null then
    insert into conversation_events (tenant_id, conversation_id, session_id, position, type, actor, details, at)
    values (new.tenant_id, new.conversation_id, new.session_id, new.message_count, v_type, v_actor, v_details,
      new.updated_at);
  end if;
  if v_type = 'closed' then
    insert into conversation_facts (tenant_id, at, type, inbox_id, team_id, user_id, seconds)
    values (new.tenant_id, new.updated_at, 'closed', new.inbox_id, new.team_id,
      case when v_actor like 'user:%' then substr(v_actor, 6) end,
      greatest(0, extract(epoch from coalesce(new.closed_at, new.updated_at) - new.opened_at)));
  elsif v_type in ('opened', 'reopened') then
    -- A new session of a closed conversation is an opening; the same session again is the undo of a closing.
    insert into conversation_facts (tenant_id, at, type, inbox_id, team_id)
    values (new.tenant_id, new.updated_at, case when new.session_id = old.session_id then 'reopened' else 'opened' end,
      new.inbox_id, new.team_id);
  end if;
  return null;
end $$;
