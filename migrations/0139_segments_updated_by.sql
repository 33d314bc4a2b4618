-- Who last changed the segment; null: unknown, because it was changed before this was stored.
alter table segments add column updated_by text collate "C";
update segments set updated_by = created_by where revision = 1;
