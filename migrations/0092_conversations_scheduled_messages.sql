-- When a user sent a failed message again; the time within which it must be sent begins then.
alter table messages add column retried_at timestamptz(3);

-- Messages that are accepted at a later time. They get their place in the conversation when they are due.
create table scheduled_messages (
  tenant_id text collate "C" not null,
  -- the id that the message will have
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- the latest session when it was scheduled; its contact is the contact of the message
  session_id text collate "C" not null,
  -- null: the inbox of the conversation when it is due
  inbox_id text collate "C",
  sender_type text collate "C" not null,
  sender_id text collate "C" not null,
  content json not null,
  context json not null,
  client_message_id text collate "C",
  client_fingerprint text collate "C",
  send_at timestamptz(3) not null,
  -- why it could not be accepted when it was due
  error json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations
);
create index scheduled_messages_conversation on scheduled_messages (tenant_id, conversation_id, send_at, id);
create unique index scheduled_messages_client on scheduled_messages (tenant_id, sender_id, client_message_id)
  where client_message_id is not null;
