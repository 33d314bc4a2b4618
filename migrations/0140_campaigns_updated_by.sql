-- Who last changed the draft; null: unknown, because it was changed before this was stored.
alter table campaigns add column updated_by text collate "C";
update campaigns set updated_by = created_by where revision = 1;
