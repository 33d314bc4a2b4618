-- Labels sort the work on conversations; tags describe contacts.
create table labels (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  -- normalized: names must differ by more than case
  name_key text collate "C" not null,
  color text collate "C" not null,
  created_by text collate "C",
  created_at timestamptz(3) not null,
  -- hidden; a job removes it from conversations
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index labels_name on labels (tenant_id, name_key) where deleted_at is null;

-- Finds the conversations of a label. conversation_states.label_ids has the same labels, for reads of a conversation; both
-- change in one statement.
create table conversation_labels (
  tenant_id text collate "C" not null,
  label_id text collate "C" not null,
  conversation_id text collate "C" not null,
  primary key (tenant_id, label_id, conversation_id),
  foreign key (tenant_id, label_id) references labels,
  foreign key (tenant_id, conversation_id) references conversations
);
create index conversation_labels_conversation on conversation_labels (tenant_id, conversation_id);

alter table tags add column color text collate "C";
