/**
 * Finds the cell of requests without an authenticated caller. Secret tokens carry their workspace (26 characters of its id
 * between the prefix and the random part), so that no query is needed. Older tokens are looked up in every cell once.
 */
import { createHash } from 'node:crypto'
import type { Cells, Deps } from '../deps.ts'

const tenantPrefix = 'tn_'
const scopedToken = /^(?:[a-z]{2,4}_)?(?:[0-9A-Za-z]{8}_)?([0-7][0-9a-hjkmnp-tv-z]{25})_/

/** Returns the part of a new token that names its workspace. */
export function toTokenScope(tenantId: string): string {
  return tenantId.slice(tenantPrefix.length)
}

/** Returns the workspace that a token names; undefined for tokens of earlier versions. */
export function readTokenTenant(token: string): string | undefined {
  const scope = scopedToken.exec(token)?.[1]
  return scope === undefined ? undefined : tenantPrefix + scope
}

/** Returns the cell of a token; any cell if no cell knows the token, so that the operation refuses it. */
export async function locateToken(
  cells: Cells,
  token: string,
  findTenant: (deps: Deps) => Promise<string | undefined>,
): Promise<Deps> {
  const tenantId = readTokenTenant(token)
  if (tenantId !== undefined) return cells.of(tenantId)
  // The key is a hash, because the cache outlives the request.
  const key = `token ${createHash('sha256').update(token).digest('base64url')}`
  return (await cells.find(key, findTenant)) ?? cells.usable()[0]!
}

/** For operations of no workspace, and for those that use several cells. */
export const anyCell = (_input: unknown, cells: Cells): Deps => cells.usable()[0]!
