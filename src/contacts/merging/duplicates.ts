/**
 * Finds contacts that may be the same person: those with the same e-mail address, or with the same name unless each has an
 * address of its own. A request reads a bounded range of an index, so a page may have few groups or none although there are
 * more pages.
 */
import type { Db } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, type SortKey, withNextPage } from '../../platform/http/page.ts'
import { loadContacts } from '../contact-views.ts'
import type { Contact } from '../schemas.ts'
import { type DuplicateKind, type DuplicateRange, listDuplicates } from '../store/merging/duplicates.ts'
import { emailFieldId } from '../tags-and-fields/custom-field-values.ts'

const maxContacts = 10

export async function findDuplicates(db: Db, caller: Caller, kind: DuplicateKind, page: Page) {
  const range = await listDuplicates(db, caller, kind, toStart(page.after))
  const groups = range.groups.slice(0, page.limit)
  const next = getNext(range, groups.length)
  const ids = groups.flatMap(group => group.contactIds.slice(0, maxContacts))
  const contacts = new Map(
    (await loadContacts(db, caller.tenantId, ids)).map(contact => [contact.id, contact]),
  )
  const found = groups.map(({ contactIds }) => ({
    reason: kind,
    count: contactIds.length,
    contacts: contactIds.slice(0, maxContacts).flatMap(id => contacts.get(id) ?? []),
  }))
  return {
    groups: kind === 'name' ? found.filter(group => mayBeSame(group.contacts)) : found,
    ...withNextPage(next && sealNext(page, next)),
  }
}

/** People with the same name and different addresses are different people. */
function mayBeSame(contacts: readonly Contact[]): boolean {
  const emails = contacts.map(({ customFields }) => customFields[emailFieldId]).filter(email => email)
  return new Set(emails).size < contacts.length
}

interface Start {
  key: string
  isInclusive: boolean
}

function toStart(after: SortKey | undefined): Start | undefined {
  return after && { key: String(after[0]), isInclusive: after[1] === true }
}

/** Returns where the next page starts; undefined at the end. */
function getNext({ groups, end }: DuplicateRange, shown: number): Start | undefined {
  const last = groups[shown - 1]
  return shown < groups.length && last ? { key: last.key, isInclusive: false } : end
}

/** A page can end before it is full, so its token is made of the place where it ended. */
function sealNext(page: Page, { key, isInclusive }: Start): string {
  return page.toPage(Array(page.limit + 1).fill(undefined), () => [key, isInclusive]).next!
}
