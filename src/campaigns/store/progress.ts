import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'

export interface Counts {
  pending: number
  sent: number
  delivered: number
  read: number
  failed: number
  skipped: number
  replied: number
}

export interface ProgressRow extends Counts {
  campaignId: string
  /** Last contact id that was dispatched. */
  cursor: string
  dispatchComplete: boolean
  /** Unix time in milliseconds. */
  reservedUntil: number
}

const columns =
  raw(`p.campaign_id as "campaignId", p.pending, p.sent, p.delivered, p.read, p.failed, p.skipped, p.replied,
  p.cursor, p.dispatch_complete as "dispatchComplete", p.reserved_until as "reservedUntil"`)

export async function insertProgress(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  audience: number,
): Promise<void> {
  await tx.run(sql`
    insert into campaign_progress (tenant_id, campaign_id, pending) values (${tenantId}, ${campaignId}, ${audience})`)
}

export function findProgress(
  on: Queryable,
  tenantId: string,
  campaignId: string,
): Promise<ProgressRow | undefined> {
  return on.maybe(sql`
    select ${columns} from campaign_progress p where p.tenant_id = ${tenantId} and p.campaign_id = ${campaignId}`)
}

export interface CountChange extends Partial<Counts> {
  campaignId: string
}

/** Locks rows in the order of the ids, to avoid deadlocks. */
export function addToProgress(
  tx: Tx,
  tenantId: string,
  changes: readonly CountChange[],
): Promise<ProgressRow[]> {
  const column = (name: keyof Counts) => changes.map(change => change[name] ?? 0)
  return tx.rows(sql`
    with changes as (
      select * from unnest(${changes.map(change => change.campaignId)}::text[], ${column('pending')}::int[],
        ${column('sent')}::int[], ${column('delivered')}::int[], ${column('read')}::int[], ${column('failed')}::int[],
        ${column('skipped')}::int[], ${column('replied')}::int[])
        as d (campaign_id, pending, sent, delivered, read, failed, skipped, replied)
    ), locked as (
      select p.campaign_id from campaign_progress p
      where p.tenant_id = ${tenantId} and p.campaign_id in (select campaign_id from changes)
      order by p.campaign_id for no key update
    )
    update campaign_progress p set pending = p.pending + d.pending, sent = p.sent + d.sent,
      delivered = p.delivered + d.delivered, read = p.read + d.read, failed = p.failed + d.failed,
      skipped = p.skipped + d.skipped, replied = p.replied + d.replied
    from locked join changes d using (campaign_id)
    where p.tenant_id = ${tenantId} and p.campaign_id = locked.campaign_id
    returning ${columns}`)
}

export function advanceProgress(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  batch: { cursor: string; dispatchComplete: boolean; skipped: number; reservedUntil: number | null },
): Promise<ProgressRow> {
  return tx.one(sql`
    update campaign_progress p set cursor = greatest(p.cursor, ${batch.cursor}), dispatch_complete = ${batch.dispatchComplete},
      pending = p.pending - ${batch.skipped}, skipped = p.skipped + ${batch.skipped},
      reserved_until = coalesce(${batch.reservedUntil}::float8, p.reserved_until)
    where p.tenant_id = ${tenantId} and p.campaign_id = ${campaignId}
    returning ${columns}`)
}

export async function markDispatchComplete(tx: Tx, tenantId: string, campaignId: string): Promise<void> {
  await tx.run(sql`
    update campaign_progress set dispatch_complete = true where tenant_id = ${tenantId} and campaign_id = ${campaignId}`)
}

/** Locks the rate limit of the inbox's campaigns and returns the time until which it is used up. */
export async function lockRateLimit(tx: Tx, tenantId: string, inboxId: string): Promise<number> {
  const { reservedUntil } = await tx.one<{ reservedUntil: number }>(sql`
    insert into campaign_rate_limits as p (tenant_id, inbox_id, reserved_until) values (${tenantId}, ${inboxId}, 0)
    on conflict (tenant_id, inbox_id) do update set reserved_until = p.reserved_until
    returning reserved_until as "reservedUntil"`)
  return reservedUntil
}

export async function updateRateLimit(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  reservedUntil: number,
): Promise<void> {
  await tx.run(sql`
    update campaign_rate_limits set reserved_until = ${reservedUntil} where tenant_id = ${tenantId} and inbox_id = ${inboxId}`)
}

export interface TimelinePoint {
  campaignId: string
  at: string
  sent: number
  delivered: number
  read: number
  failed: number
}

export async function addToTimeline(
  tx: Tx,
  tenantId: string,
  points: readonly TimelinePoint[],
): Promise<void> {
  const column = <K extends keyof TimelinePoint>(name: K) => points.map(point => point[name])
  await tx.run(sql`
    insert into campaign_timeline as t (tenant_id, campaign_id, at, sent, delivered, read, failed)
    select ${tenantId}, m.campaign_id,
      date_trunc(case when m.at < c.started_at + interval '1 day' then 'minute' else 'hour' end, m.at) as bucket,
      sum(m.sent), sum(m.delivered), sum(m.read), sum(m.failed)
    from unnest(${column('campaignId')}::text[], ${column('at')}::timestamptz[], ${column('sent')}::int[],
        ${column('delivered')}::int[], ${column('read')}::int[], ${column('failed')}::int[])
      as m (campaign_id, at, sent, delivered, read, failed)
    join campaigns c on c.tenant_id = ${tenantId} and c.id = m.campaign_id
    group by m.campaign_id, bucket order by m.campaign_id, bucket
    on conflict (tenant_id, campaign_id, at) do update set sent = t.sent + excluded.sent,
      delivered = t.delivered + excluded.delivered, read = t.read + excluded.read, failed = t.failed + excluded.failed`)
}

export function listTimeline(
  on: Queryable,
  tenantId: string,
  campaignId: string,
): Promise<Omit<TimelinePoint, 'campaignId'>[]> {
  return on.rows(sql`
    select at, sent, delivered, read, failed from campaign_timeline
    where tenant_id = ${tenantId} and campaign_id = ${campaignId} order by at`)
}
