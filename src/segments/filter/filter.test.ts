import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import type { Viewer } from '../../contacts/contact-views.ts'
import { normalizeText, toSearchText } from '../../contacts/search/search-text.ts'
import { findContacts, type SearchBudget } from '../contact-search.ts'
import { compileFilters, countMatching, selectMatching } from '../search.ts'
import type { Cursor, Sort, SortField } from '../store/sort-order.ts'
import { loadSubjects } from '../subjects.ts'
import {
  createTestWorkspace,
  eventNames,
  insertPerson,
  now,
  type Person,
  person,
  setClock,
  type TestWorkspace,
} from '../testing/contacts.ts'
import { anyFilter } from '../testing/filters.ts'
import { matchesNaively } from '../testing/oracle.ts'
import type { FilterSubject } from './condition.ts'
import { type ContactFilter, contactMatches } from './filter.ts'

const api = await testApi()
const { db, clock } = api.deps

let world: TestWorkspace
let everyone: FilterSubject[]
let viewer: Viewer
let agent: Viewer
/** The contacts that the agent may see. */
const seen = new Set<string>()

beforeAll(async () => {
  const { tenantId, owner } = await api.workspace()
  viewer = { tenantId, id: owner.id, role: 'owner', teamIds: [] }
  world = await createTestWorkspace(db, tenantId)
  const ids: string[] = []
  agent = { tenantId, id: 'usr_me', role: 'agent', teamIds: ['team_mine'] }
  const people = fc.sample(person, 150)
  for (const one of people) {
    const id = await insertPerson(db, clock, world, one)
    ids.push(id)
    const mine = one.conversations.some(
      ({ teamId, ownerId }) => teamId === null || teamId === 'team_mine' || ownerId === 'usr_me',
    )
    if (mine || one.conversations.length === 0) seen.add(id)
  }
  setClock(clock, now)
  const conditions = [
    ...world.journeyIds.map(journeyId => ({ type: 'inJourney', journeyId })),
    ...world.campaignIds.map(campaignId => ({ type: 'gotCampaign', campaignId })),
    ...eventNames.map(name => ({ type: 'performedEvent', name, operator: 'gte', value: 1 })),
  ]
  everyone = await loadSubjects(db, tenantId, ids, [{ match: 'any', conditions }])
  for (const [i, id] of ids.entries()) expectFacts(everyone.find(one => one.id === id)!, people[i]!)
})

/** The contact has the journeys, campaigns and events of the person. */
function expectFacts(
  { journeyIds, campaignIds, events }: FilterSubject,
  { runs, campaigns, events: performed }: Person,
): void {
  expect(events.map(({ name }) => name).sort()).toEqual(performed.map(({ name }) => name).sort())
  const inProgress = runs.filter(({ status }) => ['running', 'waiting'].includes(status))
  const sent = campaigns.filter(({ status }) => ['sent', 'delivered', 'read'].includes(status))
  expect(new Set(journeyIds)).toEqual(new Set(inProgress.map(({ journey }) => world.journeyIds[journey]!)))
  expect(new Set(campaignIds)).toEqual(new Set(sent.map(({ campaign }) => world.campaignIds[campaign]!)))
}

/** So that each leg of a search has to do the finding in some runs. */
const none: SearchBudget = {
  firstScan: 0,
  secondScan: 0,
  estimatedScan: 0,
  maxFew: 0,
  finalScan: 0,
  sortedScan: 0,
}
const efforts: (SearchBudget | undefined)[] = [
  undefined,
  none,
  { ...none, firstScan: 0.5 },
  { ...none, maxFew: 30 },
  { ...none, finalScan: 5 },
  { ...none, sortedScan: 3 },
  { firstScan: 0.3, secondScan: 0.5, estimatedScan: 20, maxFew: 5, finalScan: 9, sortedScan: 4 },
]

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** All matches, page by page, with the effort given. */
async function allFound(
  filter: ContactFilter,
  sort: Sort,
  pageSize: number,
  spend?: SearchBudget,
  who = viewer,
): Promise<string[]> {
  const conjuncts = await compileFilters(db, who, [{ filter }], now)
  const question = { tenantId: viewer.tenantId, conjuncts, sort }
  const ids: string[] = []
  let after: Cursor | undefined
  for (;;) {
    const page = await findContacts(db, question, after, pageSize, spend)
    ids.push(...page.map(([, id]) => id))
    if (page.length < pageSize) return ids
    after = page.at(-1)
  }
}

describe('a filter', () => {
  test('matches the same contacts in SQL, in memory and by a naive reading', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFilter(world),
        fc.constantFrom<SortField>('createdAt', 'updatedAt', 'name', 'lastInteractionAt'),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.constantFrom(...efforts),
        fc.integer({ min: 6, max: 80 }),
        async (filter, field, direction, spend, pageSize) => {
          const meant = everyone
            .filter(contact => matchesNaively(filter, contact, now))
            .map(contact => contact.id)
          const found = await allFound(filter, { field, direction }, pageSize, spend)
          expect([...found].sort()).toEqual([...meant].sort())
          expect(await countMatching(db, viewer, [{ filter }], now)).toBe(meant.length)
          const selected = await db.unprepared<{ contact_id: string }>(
            await selectMatching(db, viewer.tenantId, filter, now),
          )
          expect(selected.map(row => row.contact_id).sort()).toEqual([...meant].sort())
          const evaluated = everyone.filter(contact => contactMatches(filter, contact, now))
          expect(evaluated.map(contact => contact.id)).toEqual(meant)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('shows an agent only visible contacts', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter(world), fc.constantFrom(...efforts), async (filter, spend) => {
        const meant = everyone
          .filter(one => seen.has(one.id) && matchesNaively(filter, one, now))
          .map(one => one.id)
        const found = await allFound(filter, { field: 'createdAt', direction: 'desc' }, 50, spend, agent)
        expect([...found].sort()).toEqual([...meant].sort())
        expect(await countMatching(db, agent, [{ filter }], now)).toBe(meant.length)
      }),
      { numRuns: 40 },
    )
  })

  test('returns the requested order', async () => {
    const filter: ContactFilter = { match: 'all', conditions: [{ type: 'archiveStatus', status: 'any' }] }
    const keyOf: Record<string, (contact: FilterSubject) => string> = {
      createdAt: contact => contact.createdAt,
      name: contact => (contact.name === null ? '' : normalizeText(contact.name.trim())),
      lastInteractionAt: contact => contact.lastInteractionAt ?? '',
    }
    for (const [field, key] of Object.entries(keyOf)) {
      const sorted = [...everyone].sort((a, b) => bytes(key(a), key(b)) || bytes(a.id, b.id))
      for (const spend of efforts) {
        const asc = await allFound(filter, { field: field as SortField, direction: 'asc' }, 40, spend)
        expect(asc).toEqual(sorted.map(contact => contact.id))
        const desc = await allFound(filter, { field: field as SortField, direction: 'desc' }, 40, spend)
        expect(desc).toEqual(asc.reverse())
      }
    }
  })
})

describe('search text', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 12 })

  test('keeps exactly the substrings of the normalized text', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.nat(12), fc.nat(12), (one, other, from, to) => {
        const folded = [...normalizeText(one)]
        const part = folded.slice(Math.min(from, to), Math.max(from, to)).join('')
        expect(toSearchText(one).includes(toSearchText(part))).toBe(true)
        expect(toSearchText(one).includes(toSearchText(other))).toBe(
          normalizeText(one).includes(normalizeText(other)),
        )
      }),
      { numRuns: 3_000 },
    )
  })

  test('is plain ASCII without LIKE wildcards', () => {
    fc.assert(
      fc.property(anyText, one => /^[ -~]*$/.test(toSearchText(one)) && !/[%_\\]/.test(toSearchText(one))),
    )
  })

  test('ignores case and the two forms of an accent', () => {
    expect(toSearchText('Zoe\u0308')).toBe(toSearchText('ZOË'))
    expect(toSearchText('STRASSE')).toBe(toSearchText('straße'))
    expect(toSearchText('ΟΔΥΣΣΕΥΣ')).toBe(toSearchText('οδυσσευς'))
  })
})
