-- Files of messages. The bytes are in the blob store; the row is there before them, so that whatever a process that was
-- killed left behind is found by its row.
create table media (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  status text collate "C" not null check (status in ('arriving', 'ready', 'failed', 'leaving')),
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
create index media_swept on media (created_at) where status in ('arriving', 'leaving') or not used;

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
