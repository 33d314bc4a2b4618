-- No version reads the time of the last sweep. Processes of the previous version still write it, so the column stays until
-- the next version.
alter table tracked_segments alter column swept_at drop not null;
