-- A workspace can have several webhook endpoints: rows of webhook_settings, each with a state, deliveries and attempts of its
-- own. The first endpoint is the settings object of the contract (GET /webhooks).
alter table webhook_settings add column is_first boolean not null default true;
alter table webhook_settings add column description text;
alter table webhook_settings drop constraint webhook_settings_pkey;
alter table webhook_settings add primary key (tenant_id, id);
create unique index webhook_settings_first on webhook_settings (tenant_id) where is_first;

-- Deliveries and states of deleted settings belong to no endpoint.
delete from webhook_deliveries where tenant_id not in (select tenant_id from webhook_settings);
delete from webhook_backlog where tenant_id not in (select tenant_id from webhook_settings);
delete from webhook_endpoint_state where tenant_id not in (select tenant_id from webhook_settings);

alter table webhook_endpoint_state add column endpoint_id text collate "C";
update webhook_endpoint_state state set endpoint_id = settings.id
from webhook_settings settings where settings.tenant_id = state.tenant_id;
alter table webhook_endpoint_state drop constraint webhook_endpoint_state_pkey;
alter table webhook_endpoint_state add primary key (tenant_id, endpoint_id);

alter table webhook_deliveries add column endpoint_id text collate "C";
update webhook_deliveries delivery set endpoint_id = settings.id
from webhook_settings settings where settings.tenant_id = delivery.tenant_id;
alter table webhook_deliveries alter column endpoint_id set not null;
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_at) where due_at > '-infinity';

alter table webhook_backlog add column endpoint_id text collate "C";
update webhook_backlog delivery set endpoint_id = settings.id
from webhook_settings settings where settings.tenant_id = delivery.tenant_id;
alter table webhook_backlog alter column endpoint_id set not null;
drop index webhook_backlog_tenant_id_due_at_idx;
create index webhook_backlog_due on webhook_backlog (tenant_id, endpoint_id, due_at) where due_at > '-infinity';

-- Null for attempts of settings that were deleted before this change.
alter table webhook_attempts add column endpoint_id text collate "C";
update webhook_attempts attempt set endpoint_id = settings.id
from webhook_settings settings where settings.tenant_id = attempt.tenant_id;
create index webhook_attempts_endpoint on webhook_attempts (tenant_id, endpoint_id, event_type, status, id);
