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
  primary key (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts
);
create index conversations_created on conversations (tenant_id, created_at, id);
create index conversations_name on conversations (tenant_id, search, id);
create index conversations_contact on conversations (tenant_id, contact_id);
create index conversations_search on conversations using gin (tenant_id, search gin_trgm_ops);

-- Every name the provider has for the counterpart. Its key decides who makes the conversation when many write at once.
create table conversation_addresses (
  tenant_id text collate "C" not null,
  channel text collate "C" not null,
  address text collate "C" not null,
  conversation_id text collate "C" not null,
  primary key (tenant_id, channel, address),
  -- the address is claimed first: whoever gets it makes the conversation
  foreign key (tenant_id, conversation_id) references conversations deferrable initially deferred
);

-- Work happens in sessions, each on one inbox. No keys to teams: a closed session must not hold a team back.
create table sessions (
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
create index sessions_conversation on sessions (tenant_id, conversation_id, id);
create index sessions_open_inbox on sessions (tenant_id, inbox_id) where closed_at is null;

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

-- Which bot answers new sessions: of a team, or of everybody where team_id is ''. Kept by whoever runs bots.
create table bot_routes (
  tenant_id text collate "C" not null,
  team_id text collate "C" not null,
  bot_id text collate "C" not null,
  primary key (tenant_id, team_id)
);

-- A team that open conversations belong to cannot be deleted.
create table open_teams (
  tenant_id text collate "C" not null,
  conversation_id text collate "C" not null,
  team_id text collate "C" not null,
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, team_id) references teams
);
create index open_teams_team on open_teams (tenant_id, team_id);

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
  send_tries int not null default 0,
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

create table read_marks (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- position of the last message read, and how many of the customer's are up to it
  position int not null,
  customer_position int not null,
  primary key (tenant_id, user_id, conversation_id),
  foreign key (tenant_id, user_id) references users
);

-- What providers told us, stored before it is acknowledged; the same thing told twice is one row.
create table happenings (
  channel text collate "C" not null,
  account_id text collate "C" not null,
  dedupe_key text collate "C" not null,
  tenant_id text collate "C" not null,
  inbox_id text collate "C" not null,
  id bigint generated always as identity,
  told json not null,
  received_at timestamptz(3) not null,
  primary key (channel, account_id, dedupe_key)
);
create unique index happenings_id on happenings (id);
create index happenings_received on happenings (received_at);
