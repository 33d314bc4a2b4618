-- Visitors of websites who opened the web chat. A visitor has one token, of which only the hash is stored.
create table webchat_visitors (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  inbox_id text collate "C" not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  -- the id that the site signed for the visitor; null: anonymous
  subject text collate "C",
  -- signed by the site if there is a subject, else what the visitor said
  name text,
  email text,
  phone text,
  locale text,
  -- where the visitor was when the session began, and where it came from
  page text,
  referrer text,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, inbox_id) references inboxes
);
create unique index webchat_visitors_token on webchat_visitors (token_hash);
create index webchat_visitors_expires_at on webchat_visitors (expires_at);
create index webchat_visitors_subject on webchat_visitors (tenant_id, inbox_id, subject) where subject is not null;
