import type { Static } from 'typebox'
import type { Db, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { Role } from '../../platform/http/caller.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { Invitation } from '../schemas.ts'
import { normalize } from './users.ts'

export type InvitationRow = Static<typeof Invitation>

const columns = raw(
  'id, email, role, team_ids as "teamIds", created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt"',
)

export async function insertInvitation(
  tx: Tx,
  tenantId: string,
  row: InvitationRow,
  tokenHash: Buffer,
): Promise<void> {
  await tx.run(sql`
    insert into invitations (tenant_id, id, email, role, team_ids, token_hash, created_by, created_at, expires_at)
    values (${tenantId}, ${row.id}, ${row.email}, ${row.role}, ${row.teamIds}, ${tokenHash}, ${row.createdBy},
      ${row.createdAt}, ${row.expiresAt})`)
}

/** Lists the invitations that nobody has accepted, newest first, also expired ones. */
export function listInvitations(
  db: Db,
  tenantId: string,
  page: { limit: number; after?: SortKey | undefined },
): Promise<InvitationRow[]> {
  const after = page.after ? sql`and id < ${page.after[0]}` : raw('')
  return db.rows(sql`
    select ${columns} from invitations where tenant_id = ${tenantId} and accepted_at is null ${after}
    order by id desc limit ${page.limit + 1}`)
}

/** Finds an invitation that is not accepted, also an expired one. */
export function findPendingInvitation(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return tx.maybe(
    sql`select ${columns} from invitations where tenant_id = ${tenantId} and id = ${id} and accepted_at is null`,
  )
}

/** Replaces token, creator and expiry. Returns undefined if the invitation was accepted meanwhile. */
export function renewInvitationRow(
  tx: Tx,
  tenantId: string,
  id: string,
  { tokenHash, createdBy, expiresAt }: { tokenHash: Buffer; createdBy: string; expiresAt: string },
): Promise<InvitationRow | undefined> {
  return tx.maybe(sql`
    update invitations set token_hash = ${tokenHash}, created_by = ${createdBy}, expires_at = ${expiresAt}
    where tenant_id = ${tenantId} and id = ${id} and accepted_at is null returning ${columns}`)
}

export function deleteInvitation(tx: Tx, tenantId: string, id: string): Promise<InvitationRow | undefined> {
  return tx.maybe(sql`
    delete from invitations where tenant_id = ${tenantId} and id = ${id} and accepted_at is null
    returning ${columns}`)
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

/** Marks the newest open invitation of an address as accepted. */
export function acceptInvitationFor(
  tx: Tx,
  tenantId: string,
  email: string,
): Promise<OpenInvitation | undefined> {
  return tx.maybe<OpenInvitation>(sql`
    update invitations set accepted_at = ${tx.now}
    where tenant_id = ${tenantId} and accepted_at is null and id = (
      select id from invitations where tenant_id = ${tenantId} and email_key = ${normalize(email)}
        and accepted_at is null and expires_at > ${tx.now} order by id desc limit 1)
    returning tenant_id as "tenantId", id, email, role, team_ids as "teamIds"`)
}

export function findOpenInvitation(
  db: Db,
  tokenHash: Buffer,
): Promise<{ tenantId: string; email: string; workspace: string } | undefined> {
  return db.maybe(sql`
    select i.tenant_id as "tenantId", i.email, t.name as workspace from invitations i join tenants t on t.id = i.tenant_id
    where i.token_hash = ${tokenHash} and i.accepted_at is null
      and i.expires_at > ${db.clock.now().toISOString()}`)
}

export async function hasOpenInvitationFor(db: Db, tenantId: string, email: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from invitations where tenant_id = ${tenantId} and email_key = ${normalize(email)}
      and accepted_at is null and expires_at > ${db.clock.now().toISOString()} limit 1`)
  return row !== undefined
}

export async function deleteOpenInvitationsBy(tx: Tx, tenantId: string, creatorId: string): Promise<void> {
  await tx.run(
    sql`delete from invitations where tenant_id = ${tenantId} and created_by = ${creatorId} and accepted_at is null`,
  )
}

export async function deleteOpenInvitationsFor(tx: Tx, tenantId: string, email: string): Promise<void> {
  await tx.run(sql`
    delete from invitations where tenant_id = ${tenantId} and email_key = ${normalize(email)} and accepted_at is null`)
}

export function deleteExpiredInvitations(db: Db, before: string): Promise<number> {
  return db.run(
    sql`delete from invitations where accepted_at is null and expires_at < ${before} and ${notMoving('invitations.tenant_id')}`,
  )
}
