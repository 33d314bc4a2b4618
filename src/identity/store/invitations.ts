import type { Static } from 'typebox'
import type { Db, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Role } from '../../platform/http/caller.ts'
import type { Invitation } from '../schemas.ts'

export type InvitationRow = Static<typeof Invitation>

export interface NewInvitation extends InvitationRow {
  teamIds: readonly string[]
  tokenHash: Buffer
  createdBy: string
}

export async function insertInvitation(tx: Tx, tenantId: string, row: NewInvitation): Promise<void> {
  await tx.run(sql`
    insert into invitations (tenant_id, id, email, role, team_ids, token_hash, created_by, created_at, expires_at)
    values (${tenantId}, ${row.id}, ${row.email}, ${row.role}, ${row.teamIds}, ${row.tokenHash}, ${row.createdBy}, ${tx.now}, ${row.expiresAt})`)
}

export interface OpenInvitation {
  tenantId: string
  id: string
  email: string
  role: Role
  teamIds: string[]
}

/** Marks the invitation as accepted. Of two concurrent calls one returns undefined. */
export function acceptOpenInvitation(tx: Tx, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  return tx.maybe<OpenInvitation>(sql`
    update invitations set accepted_at = ${tx.now}
    where token_hash = ${tokenHash} and accepted_at is null and expires_at > ${tx.now}
    returning tenant_id as "tenantId", id, email, role, team_ids as "teamIds"`)
}

export async function hasOpenInvitation(db: Db, tokenHash: Buffer): Promise<boolean> {
  const now = db.clock.now().toISOString()
  const row = await db.maybe(sql`
    select from invitations where token_hash = ${tokenHash} and accepted_at is null and expires_at > ${now}`)
  return row !== undefined
}

export async function deleteOpenInvitationsBy(tx: Tx, tenantId: string, creatorId: string): Promise<void> {
  await tx.run(
    sql`delete from invitations where tenant_id = ${tenantId} and created_by = ${creatorId} and accepted_at is null`,
  )
}
