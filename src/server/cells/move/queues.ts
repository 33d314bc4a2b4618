/**
 * Stops the work of a workspace in the source. Claims in flight lose their tokens, so that their workers change nothing
 * more; nothing is due, so that nothing is claimed. Times are moved by a thousand years, which can be undone.
 */
import type { Session } from './session.ts'

const away = `interval '1000 years'`
const isAway = `> now() + interval '500 years'`

/** The time at which a lane is due, whether it was moved away or not. */
export const dueAt = (column: string): string =>
  `case when ${column} ${isAway} then ${column} - ${away} else ${column} end`

/** Lets no further jobs start. Jobs that run are not disturbed. */
export async function holdLanes(source: Session, tenantId: string): Promise<void> {
  await source.run(
    `update job_lanes set state = 'scheduled', at = at + ${away}
     where tenant_id = $1 and state in ('ready', 'scheduled') and not at ${isAway}`,
    [tenantId],
  )
}

export async function hasRunningJobs(source: Session, tenantId: string): Promise<boolean> {
  const { running } = await source.one<{ running: boolean }>(
    `select exists (select from job_lanes where tenant_id = $1 and state = 'leased') as running`,
    [tenantId],
  )
  return running
}

/** Returns the lanes as they are, and takes those that are leased from their workers. */
export function takeLanes(source: Session, tenantId: string): Promise<string[]> {
  return source.transact(async () => {
    const lanes = await source.rows<{ content: string }>(
      'select l::text as content from job_lanes l where l.tenant_id = $1 order by l.id for update',
      [tenantId],
    )
    await source.run(
      `update job_lanes set state = 'scheduled', token = (random() * 2147483647)::int,
         at = case when at ${isAway} then at else at + ${away} end
       where tenant_id = $1`,
      [tenantId],
    )
    return lanes.map(({ content }) => content)
  })
}

/** Takes the workspace from consumers of its events and from deliverers of its webhooks. */
export async function takeConsumers(source: Session, tenantId: string): Promise<void> {
  await source.run(
    'update event_consumer_queue set token = token + 1, due_at = null where tenant_id = $1 and due_at is not null',
    [tenantId],
  )
  await source.run(
    `update webhook_endpoint_state set token = token + 1, due_at = null, leased_until = null where tenant_id = $1`,
    [tenantId],
  )
}

/** Undoes the above in a cell that keeps the workspace. Does nothing after the switch. */
export async function resumeWork(source: Session, tenantId: string): Promise<void> {
  await source.transact(async () => {
    const kept = await source.run(
      `update workspace_moves set is_held = false, changed_at = now()
       where tenant_id = $1 and direction = 'out' and state in ('copying', 'aborting')`,
      [tenantId],
    )
    if (kept === 0) return
    await source.run(
      `update job_lanes set at = at - ${away} where tenant_id = $1 and state = 'scheduled' and at ${isAway}`,
      [tenantId],
    )
    await source.run(
      'update event_consumer_queue set due_at = now() where tenant_id = $1 and due_at is null',
      [tenantId],
    )
    await source.run(
      `update webhook_endpoint_state set due_at = now() where tenant_id = $1 and due_at is null and leased_until is null`,
      [tenantId],
    )
  })
}
