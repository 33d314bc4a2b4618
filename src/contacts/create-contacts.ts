/**
 * Creates contacts with their events. Concurrent requests share a transaction of three statements: field definitions,
 * contacts, events. A new contact has no tags, opt-outs or conversations, so it is not read back.
 */
import { batched } from '../platform/db/batched.ts'
import type { Db, Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { isDatabaseUnavailable } from '../platform/db/unavailable.ts'
import { Problem } from '../platform/errors.ts'
import { emitMany, type PendingEvent, pendingEvent } from '../platform/events/event.ts'
import { groupBy } from '../platform/group-by.ts'
import type { Caller } from '../platform/http/caller.ts'
import { buildPhoneClaim, buildPhoneTaken, parsePhone, withoutEmpty } from './contacts.ts'
import { contactCreated } from './events.ts'
import { type Contact, ContactId, type NewContact } from './schemas.ts'
import { buildStoredProfile, toFieldValueRows } from './search/search-document.ts'
import { type IdentityClaim, insertContacts, type NewContactRow } from './store/insert-contacts.ts'
import {
  type FieldDefinitions,
  getFieldDefinitions,
  toValuesById,
  toValuesByName,
} from './tags-and-fields/custom-fields.ts'

export function buildContactRow(
  at: string,
  definitions: FieldDefinitions,
  input: { name: string | null; fields: Record<string, string>; claim: IdentityClaim | null },
): NewContactRow {
  const { name, fields, claim } = input
  const stored = buildStoredProfile(
    { name, fields, phones: claim?.phone ? [claim.phone] : [] },
    definitions.getField,
  )
  return {
    ...stored,
    id: ContactId.createAt(at),
    claim,
    values: toFieldValueRows(stored.searchValues, definitions.getField),
  }
}

interface Request {
  caller: Caller
  input: NewContact
}

type Result = { contact: Contact } | { error: unknown }

export async function createContact(tx: Tx, caller: Caller, input: NewContact): Promise<Contact> {
  const [result] = await createContacts(tx, [{ caller, input }])
  return unwrap(result!)
}

/** Creates a contact in a transaction that it shares with concurrent requests. */
export async function createContactBatched(db: Db, caller: Caller, input: NewContact): Promise<Contact> {
  return unwrap(await createBatched(db, { caller, input }))
}

const createBatched = batched<Request, Result>(
  { batchSize: 32, concurrency: 2, ownerOf: ({ caller }) => caller.tenantId },
  (db, requests) =>
    transact(db, tx => createContacts(tx, requests)).catch(error => {
      // The commit may have succeeded: creating the contacts again could duplicate them.
      if (isDatabaseUnavailable(error)) return requests.map(() => ({ error }))
      throw error
    }),
)

function unwrap(result: Result): Contact {
  if ('error' in result) throw result.error
  return result.contact
}

/** Takes requests of any workspaces, in one order of workspaces, so that two batches do not deadlock. */
async function createContacts(tx: Tx, requests: readonly Request[]): Promise<Result[]> {
  const results = new Map<Request, Result>()
  const byTenant = groupBy(requests, ({ caller }) => caller.tenantId)
  for (const tenantId of [...byTenant.keys()].sort()) {
    const group = byTenant.get(tenantId)!
    const created = await createOfTenant(tx, tenantId, group)
    for (const [i, request] of group.entries()) results.set(request, created[i]!)
  }
  return requests.map(request => results.get(request)!)
}

async function createOfTenant(tx: Tx, tenantId: string, requests: readonly Request[]): Promise<Result[]> {
  const definitions = await getFieldDefinitions(tx, tenantId)
  const rows = requests.map(({ input }) => buildRow(tx.now, definitions, input))
  const valid = rows.flatMap(row => (row instanceof Problem ? [] : [row]))
  const created = valid.length === 0 ? new Set() : await insertContacts(tx, tenantId, valid)
  const results = await Promise.all(
    rows.map(async (row, i): Promise<Result> => {
      if (row instanceof Problem) return { error: row }
      if (created.has(row.id)) return { contact: toContact(tx.now, tenantId, definitions, row) }
      return { error: await buildPhoneTaken(tx, requests[i]!.caller, row.claim!.phone!) }
    }),
  )
  await emitMany(tx, results.flatMap(toEvents))
  return results
}

/** Returns the row, or the error of a request that is not valid: it must not fail the requests beside it. */
function buildRow(at: string, definitions: FieldDefinitions, input: NewContact): NewContactRow | Problem {
  try {
    const claim = input.phone === undefined ? null : buildPhoneClaim(parsePhone(input.phone))
    const fields = withoutEmpty(toValuesById(definitions, input.customFields ?? {}, 'customFields'))
    return buildContactRow(at, definitions, { name: input.name ?? null, fields, claim })
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function toContact(
  at: string,
  tenantId: string,
  definitions: FieldDefinitions,
  { id, name, fields, claim }: NewContactRow,
): Contact {
  return {
    id,
    tenantId,
    name,
    createdAt: at,
    updatedAt: at,
    tagIds: [],
    customFields: toValuesByName(definitions, fields),
    archivedAt: null,
    avatarUrl: null,
    optOuts: [],
    identities: claim
      ? [
          {
            id: claim.id,
            channel: claim.channel,
            metadata: { phoneNumber: claim.phone },
            externalId: claim.externalId,
            username: null,
          },
        ]
      : [],
  }
}

function toEvents(result: Result): PendingEvent[] {
  if ('error' in result) return []
  const { identities, ...contact } = result.contact
  const conversations = identities.map(({ channel, metadata }) => ({
    conversationId: null,
    channel,
    metadata,
  }))
  return [
    pendingEvent(contactCreated, {
      tenantId: contact.tenantId,
      data: { contact: { ...contact, conversations } },
    }),
  ]
}
