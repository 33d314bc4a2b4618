/** The ports of segments: questions to higher domains, and notifications to them. `app.ts` passes the functions. */
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'

/** A campaign that is scheduled on a segment. */
export interface SegmentUse {
  segmentId: string
  id: string
  name: string
}

/** A tag, custom field or segment that is being deleted. */
export interface DeletedReference {
  kind: 'tag' | 'field' | 'segment'
  id: string
  name: string
}

export interface Dependents {
  /** Lists the campaigns scheduled on these locked segments. */
  listScheduledOn(tx: Tx, tenantId: string, segmentIds: readonly string[]): Promise<SegmentUse[]>
  /** Called in the transaction that deletes the tag, field or segment. */
  onDeleted(tx: Tx, caller: Caller, deleted: DeletedReference): Promise<void>
}
