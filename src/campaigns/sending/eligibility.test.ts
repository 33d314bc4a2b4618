import { describe, expect, test } from 'vitest'
import { movableClock } from '../../../test/harness/clock.ts'
import type { FieldDefinitions } from '../../contacts/tags-and-fields/custom-fields.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { Channel } from '../../platform/config.ts'
import { personalise } from '../personalisation.ts'
import type { Candidate } from '../store/candidates.ts'
import { checkRecipients } from './eligibility.ts'
import { countAllowed, getCampaignShare, minRate, readRate } from './rate.ts'

const clock = movableClock()
const hours = (n: number) => new Date(clock.now().getTime() - n * 3_600_000).toISOString()
const field = { id: 'cf_1', name: 'plan', type: 'text' as const }
const fieldDefinitions = {
  byId: new Map([['cf_1', field]]),
  byName: new Map([['plan', field]]),
  kindOf: () => field,
} as unknown as FieldDefinitions
const text: SendableContent = { type: 'text', text: { body: 'Hi {{contact.name}}' } }
const template: SendableContent = { type: 'template', template: { name: 'hello_world', language: 'en_US' } }

function candidate(values: Partial<Candidate> = {}): Candidate {
  return {
    recipientId: 'con_1',
    contactId: 'con_1',
    isDuplicate: false,
    name: 'Ada',
    fields: {},
    archived: false,
    optedOut: false,
    address: '+14155550100',
    phone: '+14155550100',
    lastCustomerAt: null,
    ...values,
  }
}

function buildContext(content: SendableContent, channel: Channel, alwaysOpen: boolean) {
  const terms = { channel, contentType: content.type, byUser: false, alwaysOpen, now: clock.now() }
  return { content, terms, fieldDefinitions }
}

function check(
  values: Partial<Candidate>,
  content = text,
  channel: Channel = 'chatapp',
  alwaysOpen = false,
): string {
  const [checked] = checkRecipients([candidate(values)], buildContext(content, channel, alwaysOpen), 1)
  return 'reason' in checked!.eligibility ? checked!.eligibility.reason : 'sent'
}

describe('checkRecipients', () => {
  test('skips all but templates outside the messaging window', () => {
    expect(check({ lastCustomerAt: hours(25) })).toBe('window_closed')
    expect(check({ lastCustomerAt: null })).toBe('window_closed')
    expect(check({ lastCustomerAt: hours(23) })).toBe('sent')
    expect(check({ lastCustomerAt: null }, template)).toBe('sent')
    expect(check({ lastCustomerAt: hours(25) }, text, 'socialapp')).toBe('window_closed')
    expect(check({ lastCustomerAt: null }, text, 'sms')).toBe('sent')
    expect(check({ lastCustomerAt: null }, text, 'chatapp', true)).toBe('sent')
  })

  test('reports the first reason that applies', () => {
    const all = { contactId: null, archived: true, optedOut: true, address: null, name: null }
    expect(check(all)).toBe('archived')
    expect(check({ ...all, contactId: 'con_1' })).toBe('archived')
    expect(check({ ...all, contactId: 'con_1', archived: false })).toBe('opted_out')
    expect(check({ address: null, name: null })).toBe('no_identity')
    expect(check({ name: ' ' }, text, 'chatapp', true)).toBe('missing_parameter')
  })

  test('stops at maxMessages and counts merged contacts once', () => {
    const context = buildContext(text, 'sms', true)
    const three = ['con_1', 'con_2', 'con_3'].map(id => candidate({ recipientId: id, contactId: id }))
    const skipped = candidate({ recipientId: 'con_0', contactId: 'con_0', optedOut: true })
    const checked = checkRecipients([skipped, ...three], context, 2)
    expect(checked.map(each => each.candidate.recipientId)).toEqual(['con_0', 'con_1', 'con_2'])
    const merged = three.map(each => ({ ...each, contactId: 'con_9' }))
    const reasons = checkRecipients(merged, context, 3).map(
      ({ eligibility }) => 'reason' in eligibility && eligibility.reason,
    )
    expect(reasons).toEqual([false, 'archived', 'archived'])
  })
})

describe('personalise', () => {
  const person = { id: 'con_1', name: 'Ada\nL & Co', email: null, phone: null, customFields: { plan: 'a/b' } }

  test('removes line breaks from parameters, encodes URLs, keeps names and ids', () => {
    const filled = personalise(
      {
        type: 'template',
        template: {
          name: '{{contact.name}}',
          language: 'en',
          components: [
            { type: 'body', parameters: [{ type: 'text', text: '{{contact.name}}', name: '{{x}}' }] },
          ],
        },
      },
      person,
    )
    expect(filled).toMatchObject({
      missing: [],
      content: {
        template: {
          name: '{{contact.name}}',
          components: [{ parameters: [{ text: 'Ada L & Co', name: '{{x}}' }] }],
        },
      },
    })
    const rich = personalise(
      {
        type: 'rich',
        rich: {
          body: { text: '{{contact.name}}' },
          actions: [{ type: 'url', title: 'Go', url: 'https://x.example/{{contact.customFields.plan}}' }],
        },
      },
      person,
    )
    expect(rich.content).toMatchObject({
      rich: { body: { text: 'Ada\nL & Co' }, actions: [{ url: 'https://x.example/a%2Fb' }] },
    })
  })

  test('returns missing values', () => {
    const { missing } = personalise(
      { type: 'text', text: { body: '{{contact.email}} {{contact.phone | default: "-"}}' } },
      person,
    )
    expect(missing).toEqual(['contact.email'])
  })
})

describe('rate', () => {
  test('allows no more in a second than the rate and one burst', () => {
    let [reservedUntil, sent] = [0, [] as number[]]
    for (let now = 1_000_000; now < 1_010_000; now += 7) {
      const bucket = readRate(80, reservedUntil, now)
      const allowed = countAllowed(bucket)
      if (allowed === 0) continue
      reservedUntil = bucket.reserve(allowed)
      sent = [...sent, ...Array<number>(allowed).fill(now)]
    }
    expect(sent.length).toBeGreaterThan(790)
    for (const from of sent)
      expect(sent.filter(at => at >= from && at < from + 1_000).length).toBeLessThan(90)
  })

  test('allows one message at a time at slow rates; unused capacity does not accumulate', () => {
    const first = readRate(0.5, 0, 1_000_000)
    expect(countAllowed(first)).toBe(1)
    const next = readRate(0.5, first.reserve(1), 1_000_001)
    expect(countAllowed(next)).toBe(0)
    expect(next.waitMs).toBeGreaterThan(1_900)
    expect(countAllowed(readRate(100, 0, 1_000_000))).toBe(10)
  })

  test('reserves a tenth of the inbox rate for agents', () => {
    expect([getCampaignShare(80), getCampaignShare(null), minRate(5, null), minRate(null, null)]).toEqual([
      72,
      null,
      5,
      null,
    ])
  })
})
