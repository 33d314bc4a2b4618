-- Settings and health of inboxes.
alter table inboxes
  -- null: the hours of the workspace
  add column business_hours jsonb,
  -- sent once per session that a customer opens
  add column greeting text,
  -- sent once per session in which a customer writes outside of the business hours
  add column away text,
  -- last check of the provider
  add column checked_at timestamptz(3),
  -- last callback of the provider, accurate to a minute
  add column last_callback_at timestamptz(3);

alter table conversation_sessions
  add column greeted_at timestamptz(3),
  add column away_sent_at timestamptz(3);

-- Messages that failed, for the health of their inbox. One row per failure and no counters: a campaign that fails must not
-- make its deliveries wait for one another.
create table message_failures (
  tenant_id text collate "C" not null,
  inbox_id text collate "C" not null,
  at timestamptz(3) not null,
  message_id text collate "C" not null,
  code text not null,
  message text not null,
  primary key (tenant_id, inbox_id, at, message_id)
);
create index message_failures_at on message_failures (at);
