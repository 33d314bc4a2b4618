-- Unsent replies and notes, one of each kind per user and conversation.
create table conversation_drafts (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  conversation_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('reply', 'note')),
  content json not null,
  -- from the sequence, so that a draft never has a revision of an earlier one that was deleted
  revision bigint not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, user_id, conversation_id, kind),
  foreign key (tenant_id, user_id) references users,
  foreign key (tenant_id, conversation_id) references conversations
);
create index conversation_drafts_conversation on conversation_drafts (tenant_id, conversation_id);
create sequence conversation_draft_revisions;

-- Deletes the reply drafts of messages that the transaction has inserted, each by its key: the plan must not depend on the
-- size that the table had when it was made. Drafts above max_revision stay.
create function delete_sent_drafts(tenant_ids text[], user_ids text[], conversation_ids text[], message_ids text[],
  max_revisions bigint[]) returns table ("tenantId" text, "userId" text, "conversationId" text, kind text)
language sql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  delete from conversation_drafts d
  using unnest(tenant_ids, user_ids, conversation_ids, message_ids, max_revisions)
    as i(tenant_id, user_id, conversation_id, message_id, max_revision)
  where d.tenant_id = i.tenant_id and d.user_id = i.user_id and d.conversation_id = i.conversation_id and d.kind = 'reply'
    and (i.max_revision is null or d.revision <= i.max_revision)
    and exists (select from messages m where m.tenant_id = i.tenant_id and m.id = i.message_id)
  returning d.tenant_id, d.user_id, d.conversation_id, d.kind
$$;
