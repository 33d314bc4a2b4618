/** One process at a time works on the move of a workspace: the driver. The lock belongs to its session in the source. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertTenantId, lockKey, MoveRefused, openSession, type Session } from './session.ts'
import type { MoveRequest } from './types.ts'

export async function withDriverLock(
  { tenantId, from, to }: MoveRequest,
  work: (source: Session, target: Session) => Promise<void>,
): Promise<void> {
  assertTenantId(tenantId)
  if (from.name === to.name) throw new MoveRefused(`the workspace is in the cell ${to.name}`)
  const source = await openSession(from.database.direct)
  try {
    const target = await openSession(to.database.direct)
    try {
      if (!(await tryDriverLock(source, tenantId)))
        throw new MoveRefused('another process works on the move of this workspace')
      await work(source, target)
    } finally {
      await target.end()
    }
  } finally {
    await source.end()
  }
}

/** A process that looks whether the driver is alive has the lock for a moment. */
export async function tryDriverLock(source: Session, tenantId: string): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { locked } = await source.one<{ locked: boolean }>(
      `select pg_try_advisory_lock(${lockKey('driver', tenantId)}) as locked`,
    )
    if (locked) return true
    await sleep(50)
  }
  return false
}
