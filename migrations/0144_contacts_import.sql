-- The import that has created the contact, for the filter condition createdByImport. Contacts of earlier imports have none.
alter table contacts add import_id text collate "C";
create index contacts_import on contacts (tenant_id, import_id, id) where import_id is not null;
