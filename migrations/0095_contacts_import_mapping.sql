-- The caller's choice for each column of an imported file, in the order of the file; null: by the header.
alter table contact_imports add column mapping json;
