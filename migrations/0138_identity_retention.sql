-- How long a workspace keeps messages and notes, in days; null: as long as the installation allows.
alter table tenants add column message_retention_days integer check (message_retention_days between 14 and 3650);
