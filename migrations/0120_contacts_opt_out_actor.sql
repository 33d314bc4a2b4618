-- Who opted the contact out: `user:…`, `service:…`, `bot:…` or `journey:…`; null: the contact itself, or not recorded.
alter table contact_opt_outs add set_by text collate "C";
