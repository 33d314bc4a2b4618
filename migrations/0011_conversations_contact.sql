-- The contact of a conversation is the contact that owns its address. Three triggers keep the copies of conversations
-- exact whatever changes a contact: contacts are below conversations and cannot call them
-- (docs/decisions/0010-conversations-follow-contacts.md).

-- The contact that owns the address of the conversation; null after that contact released it, until the next message or
-- session resolves the address. conversations.contact_id stays: the contact of the latest session.
alter table conversation_states add column contact_id text collate "C";

-- The contact of the session, and thereby of its messages. A session has one contact; merges change it.
alter table conversation_sessions add column contact_id text collate "C";
update conversation_sessions s set contact_id = c.contact_id
from conversations c where c.tenant_id = s.tenant_id and c.id = s.conversation_id;
create index conversation_sessions_contact on conversation_sessions (tenant_id, contact_id);

-- The name that the customer has chosen at the provider.
alter table contact_identities add column username text;

-- The provider's user id is not an identity beside the phone number of the same conversation.
delete from contact_identities i using conversation_addresses a, conversations c
where i.phone is null and a.tenant_id = i.tenant_id and a.channel = i.channel and a.address = i.external_id
  and c.tenant_id = a.tenant_id and c.id = a.conversation_id and c.external_id <> i.external_id;

update conversation_states s set contact_id = c.contact_id
from conversations c join contact_identities i
  on i.tenant_id = c.tenant_id and i.channel = c.channel and i.external_id = c.external_id and i.contact_id = c.contact_id
where c.tenant_id = s.tenant_id and c.id = s.conversation_id;

-- Name and search text of a conversation are those of its contact, and its address.
create function set_conversation_name() returns trigger language plpgsql as $$
begin
  select coalesce(k.name, new.external_id), k.sort_name || E'\n' || lower(new.external_id) into new.name, new.search
  from contacts k where k.tenant_id = new.tenant_id and k.id = new.contact_id;
  return new;
end $$;
create trigger conversations_name before insert or update of contact_id, external_id on conversations
  for each row execute function set_conversation_name();

create function rename_conversations() returns trigger language plpgsql as $$
begin
  update conversations set contact_id = contact_id where tenant_id = new.tenant_id and contact_id = new.id;
  return null;
end $$;
create trigger contacts_renamed after update of name on contacts
  for each row when (old.name is distinct from new.name) execute function rename_conversations();

-- Waits for transactions that accept a message in the conversation; messages accepted later resolve the address again.
create function release_conversation() returns trigger language plpgsql as $$
begin
  update conversation_states s set contact_id = null
  from conversation_addresses a join conversations c on c.tenant_id = a.tenant_id and c.id = a.conversation_id
  where a.tenant_id = old.tenant_id and a.channel = old.channel and a.address = old.external_id
    and c.external_id = old.external_id and s.tenant_id = c.tenant_id and s.conversation_id = c.id;
  return null;
end $$;
create trigger contact_identities_released after delete on contact_identities
  for each row execute function release_conversation();

update conversations set contact_id = contact_id;
