-- A conversation is one counterpart on one channel, forever. What never changes with a message is in conversations;
-- what changes with each is in conversation_states, a narrow row with few indexes, whose lock gives the order.
create table conversations (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  channel text collate "C" not null check (channel in ('chatapp', 'socialapp', 'sms')),
  -- E.164 when known, else the provider's id of the person
  external_id text collate "C" not null,
  contact_id text collate "C" not null,
  name text not null,
  -- folded name and external id
  search text collate "C" not null,
  created_at timestamptz(3) not null,
  -- the conversation that this one was merged into; its id answers for this one
  merged_into text collate "C",
  primary key (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts
);
create index conversations_created on conversations (tenant_id, created_at, id);
create index conversations_name on conversations (tenant_id, search, id);
create index conversations_contact on conversations (tenant_id, contact_id);
create index conversations_merged on conversations (tenant_id, merged_into) where merged_into is not null;
create index conversations_search on conversations using gin (tenant_id, search gin_trgm_ops);

-- Every name the provider has for the counterpart. Its key decides who makes the conversation when many write at once.
create table conversation_addresses (
  tenant_id text collate "C" not null,
  channel text collate "C" not null,
  address text collate "C" not null,
  conversation_id text collate "C" not null,
  primary key (tenant_id, channel, address),
  -- the address is claimed first; the transaction that claims it creates the conversation
  foreign key (tenant_id, conversation_id) references conversations deferrable initially deferred
);

-- Work happens in sessions, each on one inbox. No keys to teams: a closed session must not hold a team back.
create table conversation_sessions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  inbox_id text collate "C" not null,
  team_id text collate "C",
  owner_type text collate "C" check (owner_type in ('user', 'team', 'bot')),
  owner_id text collate "C",
  -- a person has taken it: no bot answers until it ends
  taken_by_person boolean not null default false,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations
);
create index conversation_sessions_conversation on conversation_sessions (tenant_id, conversation_id, id);
create index conversation_sessions_open_owner on conversation_sessions (tenant_id, owner_id) where closed_at is null and owner_type = 'user';
create index conversation_sessions_open_inbox on conversation_sessions (tenant_id, inbox_id) where closed_at is null;

create table conversation_states (
  tenant_id text collate "C" not null,
  conversation_id text collate "C" not null,
  status text collate "C" not null check (status in ('open', 'closed')),
  -- of the latest session
  session_id text collate "C" not null,
  inbox_id text collate "C" not null,
  team_id text collate "C",
  owner_type text collate "C",
  owner_id text collate "C",
  -- messages so far: the position of the last one
  message_count int not null default 0,
  -- messages of the customer so far
  customer_count int not null default 0,
  last_message_at timestamptz(3) not null,
  last_message_preview text,
  last_message_sender text,
  last_customer_at timestamptz(3),
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, conversation_id) references conversations
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index conversation_states_last on conversation_states (tenant_id, last_message_at, conversation_id);
-- Unread messages are counted over the open conversations in which a customer has written, and no others:
-- a workspace with a million conversations has few of these at a time.
create index conversation_states_unread on conversation_states (tenant_id, conversation_id)
  where status = 'open' and customer_count > 0;

-- The bot that answers new sessions of a team, or of all other sessions where team_id is ''. Written through conversations.
create table bot_assignments (
  tenant_id text collate "C" not null,
  team_id text collate "C" not null,
  bot_id text collate "C" not null,
  primary key (tenant_id, team_id)
);

-- A team that open conversations belong to cannot be deleted.
create table open_conversation_teams (
  tenant_id text collate "C" not null,
  conversation_id text collate "C" not null,
  team_id text collate "C" not null,
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, team_id) references teams
);
create index open_conversation_teams_team on open_conversation_teams (tenant_id, team_id);

create table messages (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- given under the lock of the conversation's state: the order of acceptance
  position int not null,
  session_id text collate "C" not null,
  inbox_id text collate "C" not null,
  direction text collate "C" not null check (direction in ('in', 'out')),
  sender_type text collate "C" not null,
  sender_id text collate "C" not null,
  content json not null,
  context json,
  status text collate "C" not null check (status in ('pending', 'sent', 'failed', 'delivered', 'read', 'received')),
  error json,
  channel_message_id text collate "C",
  -- a send that began and has no recorded answer is uncertain
  send_started_at timestamptz(3),
  send_attempts int not null default 0,
  client_message_id text collate "C",
  client_fingerprint text collate "C",
  -- of the customer's messages, how many up to this one
  customer_position int,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations
) with (fillfactor = 85);
create unique index messages_position on messages (tenant_id, conversation_id, position);
create unique index messages_channel on messages (tenant_id, inbox_id, channel_message_id) where channel_message_id is not null;
create unique index messages_client on messages (tenant_id, sender_id, client_message_id) where client_message_id is not null;

create table message_timeline (
  tenant_id text collate "C" not null,
  message_id text collate "C" not null,
  n bigint generated always as identity,
  at timestamptz(3) not null,
  type text not null,
  details json,
  primary key (tenant_id, message_id, n)
);

create table reactions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  message_id text collate "C" not null,
  sender_type text collate "C" not null,
  sender_id text collate "C" not null,
  emoji text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, message_id, sender_id),
  foreign key (tenant_id, message_id) references messages
);

create table read_cursors (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- position of the last message read, and how many of the customer's are up to it
  position int not null,
  customer_position int not null,
  primary key (tenant_id, user_id, conversation_id),
  foreign key (tenant_id, user_id) references users
);

-- Events that providers reported, stored before they are acknowledged. A repeated report is the same row.
create table provider_events (
  channel text collate "C" not null,
  account_id text collate "C" not null,
  dedupe_key text collate "C" not null,
  tenant_id text collate "C" not null,
  inbox_id text collate "C" not null,
  id bigint generated always as identity,
  payload json not null,
  received_at timestamptz(3) not null,
  primary key (channel, account_id, dedupe_key)
);
create unique index provider_events_id on provider_events (id);
create index provider_events_received on provider_events (received_at);

-- Unread messages and conversations of a user, updated with every change; no row means zero.
create table unread_counters (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  count int not null,
  conversations int not null,
  version bigint not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);

-- Files of messages. The bytes are in the blob store; the row is there before them, so that whatever a process that was
-- killed left behind is found by its row.
create table media (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  status text collate "C" not null check (status in ('pending', 'ready', 'failed', 'deleting')),
  media_type text collate "C" check (media_type in ('image', 'document', 'video', 'audio')),
  mime_type text,
  filename text,
  size bigint,
  sha256 text collate "C",
  -- who uploaded it; null: a customer sent it
  uploaded_by text collate "C",
  -- where a customer's file is fetched from
  inbox_id text collate "C",
  reference text,
  -- why it could not be fetched: {"code", "message"}
  failure json,
  has_thumbnail boolean not null default false,
  -- a message carries it, or did
  used boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
-- what a sweep looks at: never finished, on its way out, or uploaded and never sent
create index media_swept on media (created_at) where status in ('pending', 'deleting') or not used;

-- Who sees one of these conversations sees the file.
create table media_uses (
  tenant_id text collate "C" not null,
  media_id text collate "C" not null,
  conversation_id text collate "C" not null,
  primary key (tenant_id, media_id, conversation_id),
  foreign key (tenant_id, media_id) references media,
  foreign key (tenant_id, conversation_id) references conversations
);
create index media_uses_conversation on media_uses (tenant_id, conversation_id);

-- How far the sends of an inbox, or of an inbox to one person, are booked ahead. No row: not at all. Losing the table
-- would only mean that a provider tells us to slow down.
create table send_rate_limits (
  tenant_id text collate "C" not null,
  -- an inbox, or an inbox and a conversation
  inbox_id text collate "C" not null,
  conversation_id text collate "C" not null default '',
  reserved_until timestamptz not null,
  primary key (tenant_id, inbox_id, conversation_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index send_rate_limits_reserved on send_rate_limits (reserved_until);
