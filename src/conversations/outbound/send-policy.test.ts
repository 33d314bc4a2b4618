import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { channels } from '../../platform/config.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { buildSendBlockSql, findSendBlock, type RecipientFacts, type SendTerms } from './send-policy.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-01T12:00:00.000Z')
const hour = 3_600_000
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()

/** Around the ends of the windows, to the millisecond, and anywhere else. */
const lastCustomerAt = fc.option(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(0, 24 * hour, 7 * 24 * hour), fc.integer({ min: -2, max: 2 }))
      .map(([end, ms]) => ago(end + ms)),
    fc.integer({ min: 0, max: 30 * 24 * hour }).map(ago),
  ),
)
const facts: fc.Arbitrary<RecipientFacts> = fc.record({
  isArchived: fc.boolean(),
  isOptedOut: fc.boolean(),
  hasAddress: fc.boolean(),
  lastCustomerAt,
})
const terms: fc.Arbitrary<SendTerms> = fc.record({
  channel: fc.constantFrom(...channels),
  contentType: fc.constantFrom('text', 'template', 'media', 'rich'),
  byUser: fc.boolean(),
  isCommentReply: fc.boolean(),
  alwaysOpen: fc.boolean(),
  now: fc.constant(now),
})

test('TypeScript and SQL give the same answer for the same recipients and terms', async () => {
  await fc.assert(
    fc.asyncProperty(terms, fc.array(facts, { minLength: 1, maxLength: 40 }), async (message, recipients) => {
      const column = <K extends keyof RecipientFacts>(name: K) => recipients.map(one => one[name])
      const expression = buildSendBlockSql(
        {
          isArchived: raw('f.archived'),
          isOptedOut: raw('f.opted_out'),
          hasAddress: raw('f.has_address'),
          lastCustomerAt: raw('f.last_customer_at'),
        },
        message,
      )
      const rows = await db.rows<{ block: string | null }>(sql`
        select ${expression} as block
        from unnest(${column('isArchived')}::bool[], ${column('isOptedOut')}::bool[], ${column('hasAddress')}::bool[],
          ${column('lastCustomerAt')}::timestamptz[])
          with ordinality as f(archived, opted_out, has_address, last_customer_at, n) order by n`)
      expect(rows.map(row => row.block ?? undefined)).toEqual(
        recipients.map(recipient => findSendBlock(recipient, message)),
      )
    }),
    { numRuns: 300 },
  )
})

const recipient = { isArchived: false, isOptedOut: false, hasAddress: true, lastCustomerAt: ago(25 * hour) }
const message: SendTerms = { channel: 'chatapp', contentType: 'text', byUser: true, alwaysOpen: false, now }

test.each<[string, Partial<RecipientFacts>, Partial<SendTerms>, string | undefined]>([
  ['window_closed a day after the last message', {}, {}, 'window_closed'],
  ['allowed within a day', { lastCustomerAt: ago(23 * hour) }, {}, undefined],
  ['window_closed where nobody wrote', { lastCustomerAt: null }, {}, 'window_closed'],
  ['allowed as a template', { lastCustomerAt: null }, { contentType: 'template' }, undefined],
  ['allowed as a reply to a comment', { lastCustomerAt: null }, { isCommentReply: true }, undefined],
  ['allowed on the lenient sandbox', { lastCustomerAt: null }, { alwaysOpen: true }, undefined],
  ['allowed by sms', { lastCustomerAt: null }, { channel: 'sms' }, undefined],
  ['allowed for a week, for a user on socialapp', {}, { channel: 'socialapp' }, undefined],
  ['not for an automation there', {}, { channel: 'socialapp', byUser: false }, 'window_closed'],
  ['opted_out, even as a template', { isOptedOut: true }, { contentType: 'template' }, 'opted_out'],
  ['opted_out, even as a reply to a comment', { isOptedOut: true }, { isCommentReply: true }, 'opted_out'],
  ['the first reason: archived', { isArchived: true, isOptedOut: true, hasAddress: false }, {}, 'archived'],
  ['the first reason: no_identity', { hasAddress: false }, {}, 'no_identity'],
])('%s', (_, of, by, block) => {
  expect(findSendBlock({ ...recipient, ...of }, { ...message, ...by })).toBe(block)
})
