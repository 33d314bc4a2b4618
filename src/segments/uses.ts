/**
 * What higher domains do with segments, asked when a segment changes by itself: the audit entry names what is planned
 * on it. And who wants to be told, in the same transaction, that a tag, field or segment is deleted. They add themselves
 * when the process is put together; this domain does not know them.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'

export interface SegmentUse {
  segmentId: string
  id: string
  name: string
}

type Ask = (tx: Tx, tenantId: string, segmentIds: readonly string[]) => Promise<SegmentUse[]>

const questions = new Set<Ask>()

export function onSegmentUse(ask: Ask): void {
  questions.add(ask)
}

export async function usesOfSegments(
  tx: Tx,
  tenantId: string,
  segmentIds: readonly string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  const uses = new Map<string, { id: string; name: string }[]>()
  for (const ask of questions) {
    for (const { segmentId, id, name } of await ask(tx, tenantId, segmentIds)) {
      uses.set(segmentId, [...(uses.get(segmentId) ?? []), { id, name }])
    }
  }
  return uses
}

/** What is being deleted. */
export interface Gone {
  kind: 'tag' | 'field' | 'segment'
  id: string
  name: string
}

type Tell = (tx: Tx, caller: Caller, gone: Gone) => Promise<void>

const told = new Set<Tell>()

export function onGone(tell: Tell): void {
  told.add(tell)
}

export async function tellGone(tx: Tx, caller: Caller, gone: Gone): Promise<void> {
  for (const tell of told) await tell(tx, caller, gone)
}
