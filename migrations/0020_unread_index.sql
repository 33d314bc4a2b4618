-- What somebody has not read is counted over the open conversations in which a customer has written, and no others:
-- a workspace with a million conversations has few of these at a time.
create index conversation_states_unread on conversation_states (tenant_id, conversation_id)
  where status = 'open' and customer_count > 0;
