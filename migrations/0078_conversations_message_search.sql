-- The words of messages and notes for full text search, written in the background. Each lexeme begins with the month and a
-- hash of the workspace, so that a search reads only index entries of its workspace and of a range of months.
create table message_search (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz(3) not null,
  words tsvector not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references messages on delete cascade
);
create index message_search_at on message_search (tenant_id, at, id);
create index message_search_words on message_search using gin (words) with (gin_pending_list_limit = 1024);

-- Without a key to conversation_notes, which a later migration creates: the statement that deletes a note also deletes its words.
create table note_search (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz(3) not null,
  words tsvector not null,
  primary key (tenant_id, id)
);
create index note_search_at on note_search (tenant_id, at, id);
create index note_search_words on note_search using gin (words) with (gin_pending_list_limit = 1024);

-- Workspaces whose earlier messages and notes are still to be indexed, and the last message and note that are.
create table search_backfills (
  tenant_id text collate "C" not null primary key references tenants,
  message_id text collate "C" not null default '',
  note_id text collate "C" not null default ''
);
insert into search_backfills (tenant_id) select distinct tenant_id from conversations;
