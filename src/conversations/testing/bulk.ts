/** Helpers for tests of bulk actions: many conversations in all kinds of states, and everything that undoing restores. */

import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

interface Seed {
  tenantId: string
  inboxId: string
  teamId: string
  userIds: readonly string[]
  labelId: string
  count: number
}

/** Inserts open conversations with different owners, teams, priorities, labels, snoozes and times of waiting. */
export async function seedConversations(db: Db, seed: Seed): Promise<void> {
  const { tenantId, inboxId, teamId, userIds, labelId, count } = seed
  const id = (prefix: string) => sql`(${prefix}::text || lpad(n::text, 26, '0'))`
  const at = sql`(timestamptz '2026-01-01' + n * interval '1 s')`
  const range = sql`generate_series(1, ${count}::int) as n`
  await db.run(sql`
    insert into contacts (tenant_id, id, name, sort_name, search, created_at)
    select ${tenantId}, ${id('con_')}, 'Customer ' || n, 'customer ' || n, '', ${at} from ${range}`)
  await db.run(sql`
    insert into contact_activity (tenant_id, contact_id, updated_at) select ${tenantId}, ${id('con_')}, ${at} from ${range}`)
  await db.run(sql`
    insert into conversations (tenant_id, id, channel, external_id, contact_id, created_at)
    select ${tenantId}, ${id('cnv_')}, 'chatapp', '+1415' || (5000000 + n), ${id('con_')}, ${at} from ${range}`)
  await db.run(sql`
    insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, contact_id, team_id, owner_type,
      owner_id, message_count, customer_count, last_message_at, updated_at, opened_at, waiting_since, priority, snoozed,
      snoozed_until, label_ids)
    select ${tenantId}, ${id('cnv_')}, 'open', ${id('ses_')}, ${inboxId}, ${id('con_')}, case when n % 3 = 0 then ${teamId} end,
      case n % 4 when 0 then 'user' when 1 then 'user' when 2 then 'team' end,
      case n % 4 when 0 then ${userIds[0]} when 1 then ${userIds[1]} when 2 then ${teamId} end,
      3, 2, ${at}, ${at}, ${at}, case when n % 2 = 0 then ${at} + interval '1 s' end, nullif(n % 5, 0), n % 7 in (0, 1),
      case when n % 7 = 0 then timestamptz '2100-01-01' + n * interval '1 s' end,
      case when n % 6 = 0 then array[${labelId}::text] else '{}' end
    from ${range}`)
  await db.run(sql`
    insert into conversation_sessions (tenant_id, id, conversation_id, inbox_id, contact_id, team_id, owner_type, owner_id,
      taken_by_person, opened_at)
    select tenant_id, session_id, conversation_id, inbox_id, contact_id, team_id, owner_type, owner_id, coalesce(owner_type = 'user', false),
      opened_at from conversation_states where tenant_id = ${tenantId}`)
  await db.run(sql`
    insert into open_conversation_teams (tenant_id, conversation_id, team_id)
    select tenant_id, conversation_id, team_id from conversation_states where tenant_id = ${tenantId} and team_id is not null`)
  await db.run(sql`
    insert into conversation_labels (tenant_id, label_id, conversation_id)
    select tenant_id, unnest(label_ids), conversation_id from conversation_states where tenant_id = ${tenantId}`)
}

/** Everything that an action may change and undoing must restore: one text for each conversation. */
export function snapshot(db: Db, tenantId: string): Promise<{ id: string; state: unknown }[]> {
  return db.rows(sql`
    select s.conversation_id as id, json_build_object(
      'state', to_jsonb(s) - 'revision' - 'updated_at',
      'session', (select to_jsonb(n) from conversation_sessions n where n.tenant_id = s.tenant_id and n.id = s.session_id),
      'team', (select t.team_id from open_conversation_teams t
        where t.tenant_id = s.tenant_id and t.conversation_id = s.conversation_id),
      'labels', (select json_agg(to_jsonb(l) order by l.label_id) from conversation_labels l
        where l.tenant_id = s.tenant_id and l.conversation_id = s.conversation_id),
      'cursors', (select json_agg(to_jsonb(r) order by r.user_id) from read_cursors r
        where r.tenant_id = s.tenant_id and r.conversation_id = s.conversation_id)) as state
    from conversation_states s where s.tenant_id = ${tenantId} order by s.conversation_id`)
}
