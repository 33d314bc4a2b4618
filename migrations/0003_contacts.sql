-- A contact has one row in contacts (its profile, written by edits) and one in contact_activity (written by messages and
-- tags), so that frequent writes never touch the large text index. Contact ids encode created_at in their first 48 bits:
-- every index that ends in the contact id is sorted by creation time.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table contacts (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text,
  -- normalized name, '' without one: the sort key of lists
  sort_name text collate "C" not null,
  -- values by field id; values of deleted fields stay until a job removes them
  fields jsonb not null default '{}',
  -- the same values in their comparable form
  search_values jsonb not null default '{}',
  -- search text of name, cf_email, cf_phone and the phones of identities, one per line
  search text collate "C" not null,
  -- comparable values of all other fields, one per line
  field_text text collate "C" not null default '',
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  deleted_at timestamptz(3),
  -- the contact this id resolves to
  merged_into text collate "C",
  primary key (tenant_id, id),
  foreign key (tenant_id, merged_into) references contacts,
  check (merged_into is null or deleted_at is not null)
);
create index contacts_active on contacts (tenant_id, id) where archived_at is null and deleted_at is null;
create index contacts_archived on contacts (tenant_id, id) where archived_at is not null and deleted_at is null;
create index contacts_name on contacts (tenant_id, sort_name, id) where deleted_at is null;
create index contacts_merged on contacts (tenant_id, merged_into) where merged_into is not null;
create index contacts_text on contacts using gin (tenant_id, search gin_trgm_ops, field_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024) where deleted_at is null;

-- One row for each contact that is not deleted, inserted with it.
create table contact_activity (
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  updated_at timestamptz(3) not null,
  -- first and last message from the contact; the last is -infinity without one, so that sorting has no nulls
  first_seen_at timestamptz(3),
  last_interaction_at timestamptz(3) not null default '-infinity',
  chat_count int not null default 0,
  conversation_count int not null default 0,
  primary key (tenant_id, contact_id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index contact_activity_updated on contact_activity (tenant_id, updated_at, contact_id);
create index contact_activity_interaction on contact_activity (tenant_id, last_interaction_at, contact_id);
create index contact_activity_seen on contact_activity (tenant_id, first_seen_at, contact_id)
  where first_seen_at is not null;
create index contact_activity_chats on contact_activity (tenant_id, chat_count, contact_id) where chat_count > 0;
create index contact_activity_untouched on contact_activity (tenant_id, contact_id) where conversation_count = 0;

-- How a contact is reached. Every phone number has a chatapp row, which makes the number unique in its workspace; an sms
-- row of the same number belongs to the same contact.
create table contact_identities (
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  id text collate "C" not null,
  channel text collate "C" not null check (channel in ('chatapp', 'socialapp', 'sms')),
  -- the phone number (E.164, canonical) or the provider's id of the person
  external_id text collate "C" not null,
  phone text collate "C",
  created_at timestamptz(3) not null,
  primary key (tenant_id, channel, contact_id, id),
  foreign key (tenant_id, contact_id) references contacts,
  check (phone is null or phone = external_id)
);
create unique index contact_identities_external on contact_identities (tenant_id, channel, external_id);

create table tags (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  -- normalized: names must differ by more than case
  name_key text collate "C" not null,
  created_at timestamptz(3) not null,
  created_by text collate "C",
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index tags_name on tags (tenant_id, name_key) where deleted_at is null;

create table contact_tags (
  tenant_id text collate "C" not null,
  tag_id text collate "C" not null,
  contact_id text collate "C" not null,
  primary key (tenant_id, tag_id, contact_id),
  foreign key (tenant_id, tag_id) references tags,
  foreign key (tenant_id, contact_id) references contacts
);
create index contact_tags_contact on contact_tags (tenant_id, contact_id, tag_id);

-- Exact counters of contacts: subject is a tag id, 'active' or 'archived'. The value is the count plus the sum of its
-- deltas, read in one statement. Writers only insert deltas, so they never wait for each other.
create table contact_counts (
  tenant_id text collate "C" not null,
  subject text collate "C" not null,
  n bigint not null,
  primary key (tenant_id, subject)
);
create table contact_count_deltas (
  tenant_id text collate "C" not null,
  subject text collate "C" not null,
  n int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index contact_count_deltas_subject on contact_count_deltas (tenant_id, subject);

-- Definitions. cf_email and cf_phone exist in every workspace without a row.
create table custom_fields (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  entity_type text not null check (entity_type in ('contact', 'property')),
  name text not null,
  name_key text collate "C" not null,
  type text not null check (type in ('text', 'date')),
  created_at timestamptz(3) not null,
  created_by text collate "C",
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index custom_fields_name on custom_fields (tenant_id, entity_type, name_key) where deleted_at is null;

-- Index over contacts.fields, written together with that row. The key of a text is its search text (long ones cut and
-- hashed), the key of a date its instant in UTC.
create table contact_field_values (
  tenant_id text collate "C" not null,
  field_id text collate "C" not null,
  key text collate "C" not null,
  contact_id text collate "C" not null,
  -- MM-DD of a date
  month_day text collate "C",
  primary key (tenant_id, field_id, key, contact_id)
);
create index contact_field_values_month_day on contact_field_values (tenant_id, field_id, month_day, contact_id)
  where month_day is not null;

-- Conversations of contacts with their assignment, for visibility and for the links in payloads. Conversations maintain
-- it through functions of this domain. No foreign keys to teams and users: a closed conversation must not block the
-- deletion of a team.
create table contact_conversations (
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  conversation_id text collate "C" not null,
  channel text collate "C" not null,
  phone text collate "C",
  team_id text collate "C",
  owner_id text collate "C",
  primary key (tenant_id, contact_id, conversation_id),
  foreign key (tenant_id, contact_id) references contacts
);
create index contact_conversations_team on contact_conversations (tenant_id, team_id, contact_id);
create index contact_conversations_owner on contact_conversations (tenant_id, owner_id, contact_id)
  where owner_id is not null;

-- One row for each chat (a session of a conversation), for counts within a window.
create table contact_chats (
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  at timestamptz(3) not null,
  session_id text collate "C" not null,
  primary key (tenant_id, contact_id, at, session_id),
  foreign key (tenant_id, contact_id) references contacts
);
create index contact_chats_at on contact_chats (tenant_id, at, contact_id);

create table contact_opt_outs (
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  channel text collate "C" not null check (channel in ('chatapp', 'socialapp', 'sms')),
  at timestamptz(3) not null,
  primary key (tenant_id, contact_id, channel),
  foreign key (tenant_id, contact_id) references contacts
);

-- Imports of contacts from a file. The row holds all a worker needs to resume after a crash; it is updated in the
-- transaction that writes the contacts of each batch.
create table contact_imports (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  -- the caller whose access decides which contacts may change: reloaded for each batch
  created_by text collate "C" not null,
  created_by_kind text not null check (created_by_kind in ('user', 'service')),
  created_by_role text not null,
  created_at timestamptz(3) not null,
  filename text not null,
  blob text collate "C" not null,
  size bigint not null,
  dry_run boolean not null,
  create_fields boolean not null,
  -- encoding, separator and columns: detected once, then fixed
  file_format json,
  -- byte offset of the next record
  position bigint not null default 0,
  total_rows int not null default 0,
  success_count int not null default 0,
  failed_count int not null default 0,
  error_count int not null default 0,
  -- attempts since the last progress
  attempts int not null default 0,
  finished_at timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 50);

create table contact_import_errors (
  tenant_id text collate "C" not null,
  import_id text collate "C" not null,
  n int not null,
  row_number int not null,
  column_name text not null,
  message text not null,
  primary key (tenant_id, import_id, n),
  foreign key (tenant_id, import_id) references contact_imports
);
