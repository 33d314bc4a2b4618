-- The quota of storage counts the files of imports that have not ended.
create index contact_imports_unfinished on contact_imports (tenant_id) include (size) where finished_at is null;
