-- Files that users see without a conversation: those of saved replies. The holder is the row that has the file.
create table media_shares (
  tenant_id text collate "C" not null,
  media_id text collate "C" not null,
  holder_id text collate "C" not null,
  -- the only user who sees the file through this holder; null: see team_ids
  user_id text collate "C",
  -- null, without a user: the whole workspace
  team_ids text[],
  primary key (tenant_id, media_id, holder_id),
  foreign key (tenant_id, media_id) references media on delete cascade
);
create index media_shares_holder on media_shares (tenant_id, holder_id);

-- Texts and files that agents insert into replies.
create table saved_replies (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  scope text collate "C" not null check (scope in ('me', 'team', 'workspace')),
  -- the user or service account of a private reply; empty when it is shared
  owner_id text collate "C" not null,
  team_ids text[] not null,
  shortcut text not null,
  -- normalized: shortcuts must differ by more than case
  shortcut_key text collate "C" not null,
  text text not null,
  -- shortcut and text, normalized
  search_text text not null,
  media_ids text[] not null,
  revision int not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
-- Private replies of one owner, or all shared ones, in the order of the list.
create unique index saved_replies_shortcut on saved_replies (tenant_id, owner_id, shortcut_key);
