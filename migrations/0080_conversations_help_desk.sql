-- State of a conversation for a help desk. All changes happen under the lock of the row.
alter table conversation_states
  -- of the latest session
  add column opened_at timestamptz(3) not null default now(),
  add column closed_at timestamptz(3),
  -- the first message of the customer that no person has replied to; null when closed
  add column waiting_since timestamptz(3),
  -- 1 low, 2 medium, 3 high, 4 urgent
  add column priority smallint check (priority between 1 and 4),
  add column snoozed boolean not null default false,
  -- null while snoozed: until the customer writes
  add column snoozed_until timestamptz(3),
  add column label_ids text[] not null default '{}',
  -- rises with every change that is not a message
  add column revision int not null default 0;

update conversation_states s set opened_at = n.opened_at, closed_at = case when s.status = 'closed' then n.closed_at end
from conversation_sessions n where n.tenant_id = s.tenant_id and n.id = s.session_id;

update conversation_states s set waiting_since = w.since
from conversation_states o cross join lateral (
  select min(m.created_at) as since from messages m
  where m.tenant_id = o.tenant_id and m.conversation_id = o.conversation_id and m.direction = 'in'
    and m.position > coalesce((
      select max(r.position) from messages r
      where r.tenant_id = o.tenant_id and r.conversation_id = o.conversation_id and r.direction = 'out'
        and r.sender_type not in ('journey', 'bot', 'campaign')), 0)) w
where o.status = 'open' and o.customer_count > 0 and s.tenant_id = o.tenant_id and s.conversation_id = o.conversation_id
  and w.since is not null;
