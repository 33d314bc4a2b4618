import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import type { Use } from '../../platform/db/last-uses.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { eraseBlocks, isBlocked } from './blocks.ts'

export interface VisitorRow {
  tenantId: string
  id: string
  inboxId: string
  inboxKey: string
  expiresAt: string
  /** The id that the site signed; null: anonymous. */
  subject: string | null
  name: string | null
  email: string | null
  phone: string | null
  locale: string | null
  page: string | null
  referrer: string | null
  lastSeenAt: string
  isBlocked: boolean
}

const columns = sql`${raw(`v.tenant_id as "tenantId", v.id, v.inbox_id as "inboxId", i.external_id as "inboxKey",
  v.expires_at as "expiresAt", v.subject, v.name, v.email, v.phone, v.locale, v.page, v.referrer,
  v.last_seen_at as "lastSeenAt"`)}, ${isBlocked} as "isBlocked"`
const tables = raw(`webchat_visitors v
  join inboxes i on i.tenant_id = v.tenant_id and i.id = v.inbox_id and i.deleted_at is null`)

/** Finds by the token alone: the tenant is that of the token. */
export function findVisitorByToken(
  on: Queryable,
  tokenHash: Buffer,
  now: string,
): Promise<VisitorRow | undefined> {
  return on.maybe(sql`
    select ${columns} from ${tables} where v.token_hash = ${tokenHash} and v.expires_at > ${now}::timestamptz`)
}

export function findVisitor(on: Queryable, tenantId: string, id: string): Promise<VisitorRow | undefined> {
  return on.maybe(sql`select ${columns} from ${tables} where v.tenant_id = ${tenantId} and v.id = ${id}`)
}

/** Returns the visitor who was seen last among those of the addresses. */
export function findLatestVisitor(
  on: Queryable,
  tenantId: string,
  { ids, subjects }: { ids: readonly string[]; subjects: readonly string[] },
): Promise<VisitorRow | undefined> {
  return on.maybe(sql`
    select ${columns} from ${tables}
    where v.tenant_id = ${tenantId} and (v.id = any(${ids}) or v.subject = any(${subjects}))
    order by v.last_seen_at desc limit 1`)
}

/** Lists the e-mail addresses that the site signed for a user before, as far as its sessions are known. */
export async function listSignedEmails(tx: Tx, tenantId: string, subject: string): Promise<string[]> {
  const emails = await tx.set<string>(sql`
    select distinct email from webchat_visitors
    where tenant_id = ${tenantId} and subject = ${subject} and email is not null`)
  return [...emails]
}

export type NewVisitor = Pick<
  VisitorRow,
  'tenantId' | 'id' | 'inboxId' | 'expiresAt' | 'name' | 'email' | 'locale' | 'page' | 'referrer'
> & { tokenHash: Buffer }

export async function insertVisitor(tx: Tx, visitor: NewVisitor): Promise<void> {
  await tx.run(sql`
    insert into webchat_visitors (tenant_id, id, inbox_id, token_hash, expires_at, name, email, locale, page, referrer,
      created_at, last_seen_at)
    values (${visitor.tenantId}, ${visitor.id}, ${visitor.inboxId}, ${visitor.tokenHash}, ${visitor.expiresAt},
      ${visitor.name}, ${visitor.email}, ${visitor.locale}, ${visitor.page}, ${visitor.referrer}, ${tx.now}, ${tx.now})`)
}

export type VisitorUpdate = Partial<
  Pick<VisitorRow, 'subject' | 'name' | 'email' | 'phone' | 'locale' | 'page' | 'referrer'>
>

/** Members that are left out stay; null clears. */
export async function updateVisitor(
  tx: Tx,
  { tenantId, id }: Pick<VisitorRow, 'tenantId' | 'id'>,
  update: VisitorUpdate,
): Promise<void> {
  const names = (['subject', 'name', 'email', 'phone', 'locale', 'page', 'referrer'] as const).filter(
    name => update[name] !== undefined,
  )
  for (const name of names)
    await tx.run(sql`
      update webchat_visitors set ${raw(name)} = ${update[name]} where tenant_id = ${tenantId} and id = ${id}`)
}

/** Extends the tokens of visitors that were seen. */
export async function updateLastSeen(db: Db, uses: readonly Use[], ttlMs: number): Promise<void> {
  await db.run(sql`
    update webchat_visitors v set last_seen_at = u.at, expires_at = u.at + ${ttlMs} * interval '1 millisecond'
    from unnest(${uses.map(use => use.tenantId)}::text[], ${uses.map(use => use.id)}::text[],
      ${uses.map(use => use.at)}::timestamptz[]) as u(tenant_id, id, at)
    where v.tenant_id = u.tenant_id collate "C" and v.id = u.id collate "C" and v.last_seen_at < u.at`)
}

/** Deletes the visitors of the addresses with their blocks. */
export async function deleteVisitors(
  tx: Tx,
  tenantId: string,
  { ids, subjects }: { ids: readonly string[]; subjects: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    delete from webchat_visitors where tenant_id = ${tenantId} and (id = any(${ids}) or subject = any(${subjects}))`)
  await eraseBlocks(tx, tenantId, ids)
}

/** The block of an anonymous visitor ends with its token. Returns the number of visitors. */
export async function deleteExpiredVisitors(db: Db, now: string, limit: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    with expired as (
      delete from webchat_visitors where (tenant_id, id) in (
        select tenant_id, id from webchat_visitors v where expires_at < ${now}::timestamptz and ${notMoving('v.tenant_id')}
        order by expires_at limit ${limit})
      returning tenant_id, id
    ), unblocked as (
      delete from webchat_blocks b using expired e where b.tenant_id = e.tenant_id and b.address = e.id
    )
    select count(*)::int as n from expired`)
  return n
}
