-- Orders notes and events that follow the same message of a conversation.
create sequence conversation_entries_n;

-- Internal notes of users. Customers never see them: nothing that sends reads this table.
create table conversation_notes (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- the latest session when the note was written; its contact is the contact of the note
  session_id text collate "C" not null,
  -- the position of the last message before the note; 0: before all messages
  position int not null,
  n bigint not null default nextval('conversation_entries_n'),
  author_type text collate "C" not null check (author_type in ('user', 'service')),
  author_id text collate "C" not null,
  text text not null,
  mentions text[] not null,
  media_ids text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations
);
create index conversation_notes_position on conversation_notes (tenant_id, conversation_id, position, n);
