/** Generates random contacts for property tests and inserts them into a workspace. */
import fc from 'fast-check'
import type { MovableClock } from '../../../test/harness/clock.ts'
import { linkConversations, recordChats, recordInteractions } from '../../contacts/activity.ts'
import { attachIdentity } from '../../contacts/identities/move-address.ts'
import { createField } from '../../contacts/tags-and-fields/custom-fields.ts'
import { addTags, createTag } from '../../contacts/tags-and-fields/tags.ts'
import { archiveTestContact, insertTestContact } from '../../contacts/testing/contacts.ts'
import type { Channel } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'

const day = 86_400_000
export const now = new Date('2026-02-28T12:00:00.000Z')

const letters = [
  'a',
  'b',
  'B',
  'é',
  'e\u0301',
  'ß',
  'SS',
  '%',
  '_',
  '\\',
  '"',
  "'",
  '😀',
  'ع',
  '王',
  'İ',
  'Σ',
  'ς',
  ' ',
  '\n',
  '=',
  '0',
  '1',
]
export const text = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 })
  .map(parts => parts.join(''))
const name = text.filter(one => /\S/.test(one))
const dates = [
  '2026-02-28',
  '2025-02-28',
  '2024-02-29',
  '2026-03-01',
  '2026-02-27',
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:30:00+01:00',
  '1999-12-31',
  '2026-03-07',
]
export const date = fc.constantFrom(...dates)
export const daysAgo = fc.integer({ min: 0, max: 60 })

export const eventNames = ['cart', 'visit']

export interface Person {
  name: string | null
  createdDaysAgo: number
  text: string | null
  date: string | null
  email: string | null
  phone: boolean
  social: boolean
  tags: number[]
  archived: boolean
  imported: number | null
  interactions: number[]
  chats: number[]
  /** Assignment of each conversation. */
  conversations: { teamId: string | null; ownerId: string | null }[]
  optOuts: Channel[]
  runs: { journey: number; status: string }[]
  /** `merged`: the recipient was merged into the contact afterwards. */
  campaigns: { campaign: number; status: string; merged: boolean }[]
  events: { name: string; daysAgo: number }[]
}

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 3 })

export const person: fc.Arbitrary<Person> = fc.record({
  name: maybe(name),
  createdDaysAgo: daysAgo,
  text: maybe(text),
  date: maybe(date),
  email: maybe(text),
  phone: fc.boolean(),
  social: fc.boolean(),
  tags: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  archived: fc.integer({ min: 0, max: 3 }).map(n => n === 0),
  imported: maybe(fc.integer({ min: 0, max: 1 })),
  interactions: fc.array(daysAgo, { maxLength: 2 }),
  chats: fc.array(daysAgo, { maxLength: 4 }),
  conversations: fc.array(
    fc.record({
      teamId: fc.constantFrom('team_mine', 'team_other', 'team_other', null),
      ownerId: fc.constantFrom('usr_me', 'usr_other', null, null),
    }),
    { maxLength: 2 },
  ),
  optOuts: fc.subarray<Channel>(['chatapp', 'socialapp', 'sms'], { maxLength: 2 }),
  runs: fc.array(
    fc.record({
      journey: fc.integer({ min: 0, max: 1 }),
      status: fc.constantFrom('running', 'waiting', 'completed', 'failed', 'cancelled'),
    }),
    { maxLength: 2 },
  ),
  campaigns: fc.uniqueArray(
    fc.record({
      campaign: fc.integer({ min: 0, max: 1 }),
      status: fc.constantFrom('pending', 'sent', 'delivered', 'read', 'failed', 'skipped'),
      merged: fc.boolean(),
    }),
    { maxLength: 2, selector: one => one.campaign },
  ),
  events: fc.array(fc.record({ name: fc.constantFrom(...eventNames), daysAgo }), { maxLength: 5 }),
})

export interface TestWorkspace {
  tenantId: string
  tagIds: string[]
  textField: string
  dateField: string
  journeyIds: string[]
  campaignIds: string[]
  importIds: string[]
}

export async function createTestWorkspace(db: Db, tenantId: string): Promise<TestWorkspace> {
  return transact(db, async tx => {
    const maker = { tenantId, id: 'usr_test' }
    const tags = []
    for (const one of ['Alpha', 'beta é', '50%', 'a_b']) tags.push((await createTag(tx, maker, one)).id)
    const textField = (await createField(tx, maker, 'contact', { name: 'Plan', type: 'text' })).id
    const dateField = (await createField(tx, maker, 'contact', { name: 'Birthday', type: 'date' })).id
    const [journeyIds, campaignIds, importIds] = [
      ['jrn_0', 'jrn_1'],
      ['cmp_0', 'cmp_1'],
      ['import_0', 'import_1'],
    ]
    return { tenantId, tagIds: tags, textField, dateField, journeyIds, campaignIds, importIds }
  })
}

export const ago = (days: number) => new Date(now.getTime() - days * day)
let phones = 0

export function setClock(clock: MovableClock, moment: Date): void {
  clock.advance(moment.getTime() - clock.now().getTime())
}

function toFields(
  { textField, dateField }: TestWorkspace,
  { text, date, email }: Person,
): Record<string, string> {
  const given = { [textField]: text, [dateField]: date, cf_email: email }
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null),
  )
}

/** Inserts the person as a contact of the workspace. */
export async function insertPerson(
  db: Db,
  clock: MovableClock,
  world: TestWorkspace,
  one: Person,
): Promise<string> {
  setClock(clock, ago(one.createdDaysAgo))
  const { tenantId } = world
  return transact(db, async tx => {
    const phone = one.phone ? `+1415${5_000_000 + phones++}` : undefined
    const importId = one.imported === null ? undefined : world.importIds[one.imported]
    const contact = { name: one.name, fields: toFields(world, one), phone, importId }
    const id = await insertTestContact(tx, tenantId, contact)
    await addActivity(tx, world, id, one)
    await addRunsAndCampaigns(tx, world, id, one)
    return id
  })
}

async function addActivity(
  tx: Tx,
  { tenantId, tagIds }: TestWorkspace,
  contactId: string,
  one: Person,
): Promise<void> {
  if (one.social)
    await attachIdentity(tx, tenantId, contactId, { channel: 'socialapp', externalId: `ig${contactId}` })
  await addTags(
    tx,
    tenantId,
    one.tags.map(tag => ({ contactId, tagId: tagIds[tag]! })),
  )
  for (const days of one.interactions)
    await recordInteractions(tx, tenantId, [{ contactId, at: ago(days).toISOString() }])
  for (const [i, days] of one.chats.entries())
    await recordChats(tx, tenantId, [{ contactId, sessionId: `ses_${i}`, at: ago(days).toISOString() }])
  for (const [i, assignment] of one.conversations.entries()) {
    const link = { contactId, conversationId: `cnv_${i}`, channel: 'sms', phone: null, ...assignment }
    await linkConversations(tx, tenantId, [link])
  }
  if (one.archived) await archiveTestContact(tx, tenantId, contactId)
}

async function addRunsAndCampaigns(
  tx: Tx,
  { tenantId, journeyIds, campaignIds }: TestWorkspace,
  contactId: string,
  { optOuts, runs, campaigns, events }: Person,
): Promise<void> {
  for (const channel of optOuts)
    await tx.run(sql`
      insert into contact_opt_outs (tenant_id, contact_id, channel, at)
      values (${tenantId}, ${contactId}, ${channel}, ${tx.now})`)
  for (const [i, { name, daysAgo }] of events.entries())
    await tx.run(sql`
      insert into contact_events (tenant_id, contact_id, name, at, event_id)
      values (${tenantId}, ${contactId}, ${name}, ${ago(daysAgo)}, ${`evt_${i}`})`)
  for (const [i, { journey, status }] of runs.entries())
    await tx.run(sql`
      insert into workflow_runs (tenant_id, id, kind, workflow_id, version_id, contact_id, entry_mode, causation_depth,
        status, node_id, variables, visits, event, steps, revision, started_at, updated_at)
      values (${tenantId}, ${`run_${contactId}_${i}`}, 'journey', ${journeyIds[journey]!}, 'v', ${contactId}, 'every_time', 0,
        ${status}, 'n', '{}', '{}', '{}', 0, 0, ${tx.now}, ${tx.now})`)
  for (const [i, { campaign, status, merged }] of campaigns.entries()) {
    const recipientId = merged ? `${contactId}_${i}` : contactId
    if (merged)
      await tx.run(sql`
        insert into contacts (tenant_id, id, sort_name, search, created_at, deleted_at, merged_into)
        values (${tenantId}, ${recipientId}, '', '', ${tx.now}, ${tx.now}, ${contactId})`)
    await tx.run(sql`
      insert into campaign_recipients (tenant_id, campaign_id, contact_id, status, updated_at)
      values (${tenantId}, ${campaignIds[campaign]!}, ${recipientId}, ${status}, ${tx.now})`)
  }
}
