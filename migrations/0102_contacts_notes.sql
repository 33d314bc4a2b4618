-- Internal notes about a contact. Nothing that sends, personalises or exports reads this table.
create table contact_notes (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  author_type text collate "C" not null check (author_type in ('user', 'service')),
  author_id text collate "C" not null,
  text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts
);
create index contact_notes_contact on contact_notes (tenant_id, contact_id, created_at, id);
