-- The timeline of a contact reads the newest of these events of each conversation.
create index conversation_events_contact_timeline on conversation_events (tenant_id, conversation_id, at, id)
  where type in ('opened', 'reopened', 'closed', 'opted_out', 'opted_in');

-- Filters on opt-outs read the contacts of a channel, sorted like the list.
create index contact_opt_outs_channel on contact_opt_outs (tenant_id, channel, contact_id);
