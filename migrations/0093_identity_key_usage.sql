-- The last use of each API key, written at most once a minute and beside the requests.
alter table api_keys
  add column last_used_at timestamptz(3),
  add column last_used_from text;
