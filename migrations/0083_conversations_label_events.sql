-- Labels in the history of a conversation. The details keep the name, because a label can be renamed and deleted.
create function record_label_events() returns trigger language plpgsql as $$
begin
  insert into conversation_events (tenant_id, conversation_id, session_id, position, type, actor, details, at)
  select new.tenant_id, new.conversation_id, new.session_id, new.message_count, changed.type,
    nullif(current_setting('parley.actor', true), ''), json_build_object('labelId', l.id, 'name', l.name), new.updated_at
  from (
    select 'unlabelled' as type, id from unnest(old.label_ids) as id where id <> all (new.label_ids)
    union all
    select 'labelled', id from unnest(new.label_ids) as id where id <> all (old.label_ids)
  ) changed
  join labels l on l.tenant_id = new.tenant_id and l.id = changed.id collate "C"
  order by l.name_key;
  return null;
end $$;
-- A merge adds up the messages of both conversations and their labels; the events of both move to the survivor.
create trigger conversation_states_label_events after update of label_ids on conversation_states for each row
  when (old.label_ids is distinct from new.label_ids and old.message_count = new.message_count)
  execute function record_label_events();
