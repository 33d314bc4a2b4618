/**
 * Recognises writes that the database refuses because the workspace is moving to another cell. Nothing of the transaction
 * has been stored, so the caller may repeat it in the cell in which the workspace is then.
 */

import type { Db } from './db.ts'
import { raw, type Sql } from './sql.ts'

/** The workspace is paused: its cell is known in seconds. */
export const movingCode = 'PY001'
/** The workspace has been moved; the detail names its cell. */
export const movedCode = 'PY002'

/** Signal of a cell's database in this process: a workspace, its id, has left the cell. */
export const workspaceMoved = 'platform.workspace_moved'

/**
 * For statements over many workspaces, such as those of crons: a workspace that arrives is incomplete, and the rows of one
 * that is paused or has left are not written. The table is empty unless a workspace moves.
 */
export const notMoving = (tenantId: string): Sql =>
  raw(`not exists (select from workspace_moves held where held.tenant_id = ${tenantId} and held.is_held)`)

/** For events that concern the workspaces of several cells. */
export const notMovedAway = (tenantId: string): Sql =>
  raw(`not exists (select from workspace_moves m where m.tenant_id = ${tenantId} and m.state = 'active')`)

/** Returns a function that ends the subscription. */
export function onWorkspaceMoved(
  { signals }: Pick<Db, 'signals'>,
  act: (tenantId: string) => void,
): () => void {
  signals.on(workspaceMoved, act)
  return () => void signals.off(workspaceMoved, act)
}

export interface Move {
  tenantId: string
  /** Where the workspace lives; undefined while that is open. */
  cell: string | undefined
}

export function toMove(error: unknown): Move | undefined {
  const { code, detail } = (error ?? {}) as { code?: string; detail?: string }
  if ((code !== movingCode && code !== movedCode) || detail === undefined) return undefined
  const [tenantId, cell] = detail.split(' ')
  return { tenantId: tenantId!, cell: code === movedCode ? cell : undefined }
}
