-- Counts the changes of the cases: editors name the one that their change is based on.
alter table workflows add column cases_revision integer not null default 1;
