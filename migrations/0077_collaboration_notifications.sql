-- What a user should look at. Has ids only: texts stay where erasure finds them.
create table notifications (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  id text collate "C" not null,
  type text collate "C" not null check (type in ('mention', 'assignment', 'message')),
  conversation_id text collate "C" not null,
  -- the note of a mention, the latest message; null for an assignment
  source_id text collate "C",
  -- the user or service account who caused it; null: a customer or an automation
  actor_id text collate "C",
  -- messages that one unread notification stands for
  count int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (tenant_id, user_id, id),
  foreign key (tenant_id, user_id) references users
);
create index notifications_list on notifications (tenant_id, user_id, updated_at, id);
create index notifications_unread on notifications (tenant_id, user_id) where read_at is null;
-- New messages of a conversation count up one unread notification.
create unique index notifications_message on notifications (tenant_id, user_id, conversation_id)
  where type = 'message' and read_at is null;
create index notifications_conversation on notifications (tenant_id, conversation_id);
create index notifications_age on notifications (updated_at);

-- Kinds of notifications that a user does not want; without a row, all are wanted.
create table notification_preferences (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  muted text[] not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);
