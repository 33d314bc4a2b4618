-- The channel of the web chat. Existing rows satisfied the narrower checks, so the wider ones need no scan to hold; they
-- are validated in a migration of their own, which does not block writes.
alter table contact_identities drop constraint contact_identities_channel_check,
  add constraint contact_identities_channel_check check (channel in ('chatapp', 'socialapp', 'sms', 'webchat')) not valid;
alter table contact_opt_outs drop constraint contact_opt_outs_channel_check,
  add constraint contact_opt_outs_channel_check check (channel in ('chatapp', 'socialapp', 'sms', 'webchat')) not valid;
alter table conversations drop constraint conversations_channel_check,
  add constraint conversations_channel_check check (channel in ('chatapp', 'socialapp', 'sms', 'webchat')) not valid;
alter table inboxes drop constraint inboxes_channel_check,
  add constraint inboxes_channel_check check (channel in ('chatapp', 'socialapp', 'sms', 'webchat')),
  -- settings of a web chat; null on other channels
  add column webchat jsonb;
