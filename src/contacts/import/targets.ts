/**
 * Which contact each row is about. The phone number decides; where there is none, the id that an export wrote. What
 * the one who imports may not see is refused.
 */
import type { Tx } from '../../platform/db/db.ts'
import { contactsBehind, findHolders, hiddenFrom } from '../store/bulk.ts'
import type { Viewer } from '../visibility.ts'
import type { RowError } from './columns.ts'
import type { Prepared } from './prepared.ts'

export interface Targets {
  /** Rows about contacts that exist, by contact. */
  known: Map<string, Prepared[]>
  /** Rows about new ones, together when they have the same phone number. */
  fresh: Prepared[][]
  refused: RowError[]
}

export async function findTargets(tx: Tx, viewer: Viewer, rows: readonly Prepared[]): Promise<Targets> {
  const [holders, named] = await Promise.all([holdersOf(tx, viewer, rows), namedBy(tx, viewer, rows)])
  const hidden = await hiddenFrom(tx, viewer, [...new Set(holders.values())])
  const targets: Targets = { known: new Map(), fresh: [], refused: [] }
  const together = new Map<string, Prepared[]>()
  for (const row of rows) {
    const { phone, contactId } = row.said
    const holder = phone === undefined ? undefined : holders.get(phone)
    const meant = contactId === undefined ? undefined : named.get(contactId)
    const isHidden = holder === undefined ? meant?.isVisible === false : hidden.has(holder)
    const message = isHidden
      ? 'belongs to a contact that you may not see'
      : mismatch(phone, holder, meant?.id)
    if (message) targets.refused.push(refusal(row, message))
    else add(targets, together, row, holder ?? meant?.id)
  }
  return targets
}

function refusal({ said }: Prepared, message: string): RowError {
  return { row: said.row, column: said.phone === undefined ? 'contactId' : 'phone', message }
}

function mismatch(phone?: string, holder?: string, meant?: string): string | undefined {
  if (meant === undefined || phone === undefined || holder === meant) return undefined
  return holder === undefined
    ? 'is not a phone number of the contact that contactId names: change it there first'
    : 'belongs to another contact than the one that contactId names'
}

function add(targets: Targets, together: Map<string, Prepared[]>, row: Prepared, target?: string): void {
  const { phone } = row.said
  const group = target === undefined ? phone && together.get(phone) : targets.known.get(target)
  if (group) {
    group.push(row)
    return
  }
  const made = [row]
  if (target !== undefined) targets.known.set(target, made)
  else {
    targets.fresh.push(made)
    if (phone !== undefined) together.set(phone, made)
  }
}

async function holdersOf(tx: Tx, viewer: Viewer, rows: readonly Prepared[]): Promise<Map<string, string>> {
  const phones = [...new Set(rows.flatMap(({ said }) => said.phone ?? []))]
  const found = phones.length === 0 ? [] : await findHolders(tx, viewer.tenantId, phones)
  return new Map(found.map(({ phone, contactId }) => [phone, contactId]))
}

async function namedBy(tx: Tx, viewer: Viewer, rows: readonly Prepared[]) {
  const ids = [...new Set(rows.flatMap(({ said }) => said.contactId ?? []))]
  const found = ids.length === 0 ? [] : await contactsBehind(tx, viewer, ids)
  return new Map(found.map(({ given, id, isVisible }) => [given, { id, isVisible }]))
}
