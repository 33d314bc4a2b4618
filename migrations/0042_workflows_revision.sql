-- Counts the changes of a workflow; its ETag.
alter table workflows add column revision int not null default 1;
