-- How many contacts an import has created; the other rows updated contacts.
alter table contact_imports add created_count int not null default 0;
