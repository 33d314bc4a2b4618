-- Satisfaction surveys: settings of inboxes, and one survey per session that was closed.
alter table inboxes
  -- {question, delayMinutes, commentQuestion}; null: no surveys
  add column csat jsonb;

create table conversation_surveys (
  tenant_id text collate "C" not null,
  session_id text collate "C" not null,
  conversation_id text collate "C" not null,
  inbox_id text collate "C" not null,
  team_id text collate "C",
  -- whom the rating is about: the owner of the session, else who closed it
  user_id text collate "C",
  status text collate "C" not null check (status in ('scheduled', 'sent', 'cancelled', 'refused')),
  -- why it was cancelled or refused
  reason text collate "C",
  send_at timestamptz(3) not null,
  message_id text collate "C",
  sent_at timestamptz(3),
  -- answers that the customer gave before this time are recorded
  answerable_until timestamptz(3),
  rating smallint check (rating between 1 and 5),
  -- by the clock of the provider: the latest answer counts, in whatever order the answers arrive
  rated_at timestamptz(3),
  -- until then the next message is the comment; null: no comment was asked for
  comment_until timestamptz(3),
  comment text,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, conversation_id) references conversations
);
create index conversation_surveys_conversation on conversation_surveys (tenant_id, conversation_id);

-- Surveys are facts too: surveyed, rated_<n>, and unrated_<n> when the customer replaces the rating. Their time is that of
-- the survey, so that the ratings of a period never exceed its surveys.
alter table conversation_facts drop constraint conversation_facts_type_check;
alter table conversation_facts add constraint conversation_facts_type_check check (type in (
  'opened', 'reopened', 'closed', 'first_reply', 'reply', 'surveyed',
  'rated_1', 'rated_2', 'rated_3', 'rated_4', 'rated_5', 'unrated_1', 'unrated_2', 'unrated_3', 'unrated_4', 'unrated_5'));
