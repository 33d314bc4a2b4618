-- The history of a conversation, for its timeline: who opened, assigned and closed it. Triggers write it, so that no path
-- of the code misses a change, and in the transaction of the change. Accepting a message changes none of the columns that
-- they watch. parley.actor is the user, service account or workflow of the transaction, as type:id; empty: the service.
create table conversation_events (
  tenant_id text collate "C" not null,
  id text collate "C" not null default 'cev_' || replace(gen_random_uuid()::text, '-', ''),
  conversation_id text collate "C" not null,
  -- the latest session; its contact is the contact of the event
  session_id text collate "C" not null,
  -- the position of the last message before the event; 0: before all messages
  position int not null,
  n bigint not null default nextval('conversation_entries_n'),
  type text collate "C" not null,
  actor text collate "C",
  details json,
  at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations
);
create index conversation_events_position on conversation_events (tenant_id, conversation_id, position, n);

create function conversation_owner(owner_type text, owner_id text) returns json language sql immutable as
  $$ select case when owner_type is not null then json_build_object('type', owner_type, 'id', owner_id) end $$;

create function record_conversation_events() returns trigger language plpgsql as $$
declare
  v_from json := conversation_owner(old.owner_type, old.owner_id);
  v_to json := conversation_owner(new.owner_type, new.owner_id);
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
    values (new.tenant_id, new.conversation_id, new.session_id, new.message_count, v_type,
      nullif(current_setting('parley.actor', true), ''), v_details, new.updated_at);
  end if;
  return null;
end $$;
create trigger conversation_states_events after update of status, session_id, inbox_id, owner_type, owner_id
  on conversation_states for each row
  when (old.status is distinct from new.status or old.session_id is distinct from new.session_id
    or old.owner_type is distinct from new.owner_type or old.owner_id is distinct from new.owner_id)
  execute function record_conversation_events();

-- Opt-outs that are deleted with their contact are not an opt-in.
create function record_opt_out_events() returns trigger language plpgsql as $$
declare
  v_tenant text := coalesce(new.tenant_id, old.tenant_id);
  v_contact text := coalesce(new.contact_id, old.contact_id);
begin
  insert into conversation_events (tenant_id, conversation_id, session_id, position, type, actor, at)
  select s.tenant_id, s.conversation_id, s.session_id, s.message_count,
    case when tg_op = 'DELETE' then 'opted_in' else 'opted_out' end, nullif(current_setting('parley.actor', true), ''),
    coalesce(new.at, now())
  from conversations c join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
  where c.tenant_id = v_tenant and c.contact_id = v_contact and c.channel = coalesce(new.channel, old.channel)
    and (tg_op = 'INSERT' or exists (
      select from contacts k where k.tenant_id = v_tenant and k.id = v_contact and k.deleted_at is null));
  return null;
end $$;
create trigger contact_opt_outs_events after insert or delete on contact_opt_outs
  for each row execute function record_opt_out_events();
