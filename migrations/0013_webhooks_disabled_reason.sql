-- Why delivery disabled the endpoint: 'gone' after a 410, 'failing' after days without a success. Null when it is enabled
-- or was disabled by a user.
alter table webhook_settings add column disabled_reason text collate "C" check (disabled_reason in ('gone', 'failing'));
