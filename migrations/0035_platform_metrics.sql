-- For gauges of /metrics, whose cost must not grow with the tables.
create index inboxes_with_issues on inboxes (channel) where deleted_at is null and health_issues <> '{}';
create index campaigns_active on campaigns (status) where deleted_at is null and status in ('scheduled', 'sending', 'paused');
