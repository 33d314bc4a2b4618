-- The view of the conversations whose notes mention a user. Such notes are few, so the index is kept without a pending list,
-- which each search would read.
create index conversation_notes_mentions on conversation_notes using gin (tenant_id, mentions)
  with (fastupdate = off) where mentions <> '{}';
