-- The identities of a contact, whatever their channels are: read for each contact of a page.
create index contact_identities_contact on contact_identities (tenant_id, contact_id);
