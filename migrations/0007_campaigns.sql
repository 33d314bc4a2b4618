-- Campaigns: one message to every contact of a segment.
create table campaigns (
  tenant_id text collate "C" not null references tenants,
  id text collate "C" not null,
  name text not null,
  status text collate "C" not null
    check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'failed', 'cancelled')),
  segment_id text collate "C",
  inbox_id text collate "C",
  -- of the inbox
  channel text collate "C",
  -- json, not jsonb: returned as it was written
  content json,
  -- messages per second; null: limited by the inbox only
  send_rate double precision,
  revision int not null default 1,
  scheduled_at timestamptz(3),
  started_at timestamptz(3),
  -- when the recipients were inserted, and their number
  evaluated_at timestamptz(3),
  audience_count int,
  sent_at timestamptz(3),
  -- sent, failed or cancelled
  finished_at timestamptz(3),
  dispatch_error text,
  -- incremented by each scheduling: start jobs of an earlier schedule do nothing
  schedule_no int not null default 0,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, segment_id) references segments,
  foreign key (tenant_id, inbox_id) references inboxes
);
create index campaigns_live on campaigns (tenant_id, id) where deleted_at is null;
create index campaigns_by_status on campaigns (tenant_id, status, id) where deleted_at is null;
create index campaigns_segment on campaigns (tenant_id, segment_id) where status in ('draft', 'scheduled');

-- One row for each contact of the audience, inserted once. The message id is set in the transaction that accepts the
-- message; the status follows the message. Dispatched in the order of contact ids.
create table campaign_recipients (
  tenant_id text collate "C" not null,
  campaign_id text collate "C" not null,
  contact_id text collate "C" not null,
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'sent', 'delivered', 'read', 'failed', 'skipped')),
  -- why it was skipped or failed
  reason text collate "C",
  message_id text collate "C",
  updated_at timestamptz(3) not null,
  replied_at timestamptz(3),
  -- no foreign keys: they would be checked for each row of the statement that inserts an audience
  primary key (tenant_id, campaign_id, contact_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
-- for lists by status: these are few among many
create index campaign_recipients_missed on campaign_recipients (tenant_id, campaign_id, status, contact_id)
  where status in ('failed', 'skipped');

-- Progress of a campaign, updated in the transactions that change its recipients: the counts by status add up to the
-- audience.
create table campaign_progress (
  tenant_id text collate "C" not null,
  campaign_id text collate "C" not null,
  pending int not null,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  -- overlaps the others
  replied int not null default 0,
  -- last contact id that was dispatched, and whether it was the last recipient
  cursor text collate "C" not null default '',
  dispatch_complete boolean not null default false,
  -- until when the campaign's own rate is reserved: Unix time in milliseconds, with fractions
  reserved_until double precision not null default 0,
  primary key (tenant_id, campaign_id),
  foreign key (tenant_id, campaign_id) references campaigns,
  check (pending >= 0 and sent >= 0 and delivered >= 0 and read >= 0 and failed >= 0 and skipped >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Number of recipients that reached a status, per minute on the first day and per hour afterwards.
create table campaign_timeline (
  tenant_id text collate "C" not null,
  campaign_id text collate "C" not null,
  at timestamptz(3) not null,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  primary key (tenant_id, campaign_id, at),
  foreign key (tenant_id, campaign_id) references campaigns
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Until when the campaign share of an inbox's rate is reserved.
create table campaign_rate_limits (
  tenant_id text collate "C" not null,
  inbox_id text collate "C" not null,
  reserved_until double precision not null,
  primary key (tenant_id, inbox_id),
  foreign key (tenant_id, inbox_id) references inboxes
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
