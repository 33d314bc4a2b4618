-- Every phone number has a row on chatapp, whose unique index makes it unique in the workspace. A number that is known
-- from sms only is reserved there: the row is not an identity of the contact on chatapp.
alter table contact_identities add column reserved boolean not null default false;

update contact_identities i set reserved = true
where i.channel = 'chatapp' and i.phone is not null
  and exists (
    select from contact_identities s
    where s.tenant_id = i.tenant_id and s.channel = 'sms' and s.external_id = i.external_id
      and s.contact_id = i.contact_id and s.created_at = i.created_at)
  and not exists (
    select from conversation_addresses a
    where a.tenant_id = i.tenant_id and a.channel = 'chatapp' and a.address = i.external_id);

-- For conditions on channels.
create index contact_identities_channel on contact_identities (tenant_id, channel, contact_id) where not reserved;
