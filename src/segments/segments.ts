/**
 * Manages saved filters. A segment changes only under its lock and with the revision of the client, so that of two
 * writers with one ETag exactly one succeeds. Deleting a tag or field rewrites the filters that reference it.
 */
import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../identity/audit.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import { emitChanged } from '../platform/events/changed.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { IfMatch } from '../platform/http/route.ts'
import type { Dependents } from './dependents.ts'
import { SegmentInUse, SegmentNotFound } from './errors.ts'
import { removeReference } from './filter/filter.ts'
import { lockFilterReferences } from './references.ts'
import { type NewSegment, type Segment, SegmentId, type SegmentPatch } from './schemas.ts'
import {
  findSegment,
  insertSegment,
  lockSegment,
  lockSegmentsReferencing,
  markSegmentDeleted,
  updateSegment,
} from './store/segments.ts'

export { findSegment, lockSegmentForShare } from './store/segments.ts'

export async function getSegment(on: Queryable, tenantId: string, id: string): Promise<Segment> {
  return (await findSegment(on, tenantId, id)) ?? fail(SegmentNotFound)
}

export async function createSegment(tx: Tx, caller: Caller, input: NewSegment): Promise<Segment> {
  await lockFilterReferences(tx, caller, input.filter)
  const id = SegmentId.create()
  const { name, filter, description = null } = input
  await insertSegment(tx, caller.tenantId, { id, name, description, filter, createdBy: caller.id })
  await recordAudit(tx, caller, 'segment.created', id, { name })
  await emitChanged(tx, caller.tenantId, { kind: 'segment', id, revision: 1 })
  return getSegment(tx, caller.tenantId, id)
}

export async function editSegment(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: SegmentPatch,
  ifMatch: IfMatch,
): Promise<Segment> {
  // Before the lock of the segment: deleting a tag or field locks in this order too.
  if (patch.filter) await lockFilterReferences(tx, caller, patch.filter)
  const segment = (await lockSegment(tx, caller.tenantId, id)) ?? fail(SegmentNotFound)
  ifMatch.check(segment.revision)
  const { name = segment.name, description = segment.description, filter = segment.filter } = patch
  const changed = Object.entries({ name, description, filter })
    .filter(([member, value]) => !isDeepStrictEqual(value, segment[member as keyof Segment]))
    .map(([member]) => member)
  if (changed.length === 0) return segment
  await updateSegment(tx, caller.tenantId, id, { name, description, filter, updatedBy: caller.id })
  await recordAudit(tx, caller, 'segment.updated', id, { name, changed })
  await emitChanged(tx, caller.tenantId, { kind: 'segment', id, revision: segment.revision + 1 })
  return getSegment(tx, caller.tenantId, id)
}

export async function deleteSegment(
  tx: Tx,
  caller: Caller,
  dependents: Dependents,
  { id, ifMatch }: { id: string; ifMatch: IfMatch },
): Promise<void> {
  const segment = (await lockSegment(tx, caller.tenantId, id)) ?? fail(SegmentNotFound)
  ifMatch.check(segment.revision)
  const uses = await dependents.listScheduledOn(tx, caller.tenantId, [id])
  if (uses.length > 0) {
    if (!caller.scopes.has('campaign:read')) fail(SegmentInUse, 'unschedule the campaigns that use it first')
    const campaigns = uses.map(use => ({ id: use.id, name: use.name }))
    const names = campaigns.map(({ name }) => `"${name}"`).join(', ')
    fail(SegmentInUse, `unschedule ${names} first`, { members: { campaigns } })
  }
  await markSegmentDeleted(tx, caller.tenantId, id)
  await recordAudit(tx, caller, 'segment.deleted', id, { name: segment.name })
  await emitChanged(tx, caller.tenantId, { kind: 'segment', id, revision: null })
  await dependents.onDeleted(tx, caller, { kind: 'segment', id, name: segment.name })
}

/** Removes a deleted tag or field from all segments. A rewritten segment never matches more contacts. */
export async function rewriteSegments(
  tx: Tx,
  caller: Caller,
  dependents: Dependents,
  deleted: { kind: 'tag' | 'field'; id: string; name: string },
): Promise<void> {
  const segments = await lockSegmentsReferencing(tx, caller.tenantId, deleted.id)
  const rewritten = segments.flatMap(segment => {
    const filter = removeReference(segment.filter, deleted)
    return filter === segment.filter ? [] : [{ ...segment, filter }]
  })
  if (rewritten.length === 0) return
  const segmentIds = rewritten.map(segment => segment.id)
  const uses = await dependents.listScheduledOn(tx, caller.tenantId, segmentIds)
  for (const segment of rewritten) {
    await updateSegment(tx, caller.tenantId, segment.id, { ...segment, updatedBy: caller.id })
    await emitChanged(tx, caller.tenantId, {
      kind: 'segment',
      id: segment.id,
      revision: segment.revision + 1,
    })
    await recordAudit(tx, caller, 'segment.rewritten', segment.id, {
      name: segment.name,
      because: `${deleted.kind} deleted`,
      [deleted.kind]: { id: deleted.id, name: deleted.name },
      campaigns: uses.flatMap(use => (use.segmentId === segment.id ? [{ id: use.id, name: use.name }] : [])),
    })
  }
}
