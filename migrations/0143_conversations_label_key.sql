-- The labels of a conversation are found by the primary key, so each message to a labelled conversation writes one index less.
-- The index of lists starts with the label and serves deletion.
alter table conversation_labels drop constraint conversation_labels_pkey,
  add primary key (tenant_id, conversation_id, label_id);
drop index conversation_labels_conversation;
