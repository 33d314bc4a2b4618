import { describe, expect, test } from 'vitest'
import type { FieldDefinitions } from '../../contacts/tags-and-fields/custom-fields.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/store/inboxes.ts'
import { movableClock } from '../../platform/clock.ts'
import { personalise } from '../personalisation.ts'
import type { Candidate } from '../store/candidates.ts'
import { checkRecipients } from './eligibility.ts'
import { computeAllowance, getCampaignShare, minRate } from './rate.ts'

const clock = movableClock()
const hours = (n: number) => new Date(clock.now().getTime() - n * 3_600_000).toISOString()
const field = { id: 'cf_1', name: 'plan', type: 'text' as const }
const book = {
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

function verdict(of: Partial<Candidate>, content = text, channel = 'chatapp', alwaysOpen = false) {
  const inbox = { channel } as InboxRow
  const [one] = checkRecipients([candidate(of)], { inbox, content, book, alwaysOpen, clock }, 1)
  return 'reason' in one!.eligibility ? one!.eligibility.reason : 'sent'
}

describe('verdicts', () => {
  test('outside the window only templates go out, where the channel has one', () => {
    expect(verdict({ lastCustomerAt: hours(25) })).toBe('window_closed')
    expect(verdict({ lastCustomerAt: null })).toBe('window_closed')
    expect(verdict({ lastCustomerAt: hours(23) })).toBe('sent')
    expect(verdict({ lastCustomerAt: null }, template)).toBe('sent')
    expect(verdict({ lastCustomerAt: hours(25) }, text, 'socialapp')).toBe('window_closed')
    expect(verdict({ lastCustomerAt: null }, text, 'sms')).toBe('sent')
    expect(verdict({ lastCustomerAt: null }, text, 'chatapp', true)).toBe('sent')
  })

  test('the first reason that holds is told', () => {
    const all = { contactId: null, archived: true, optedOut: true, address: null, name: null }
    expect(verdict(all)).toBe('archived')
    expect(verdict({ ...all, contactId: 'con_1' })).toBe('archived')
    expect(verdict({ ...all, contactId: 'con_1', archived: false })).toBe('opted_out')
    expect(verdict({ address: null, name: null })).toBe('no_identity')
    expect(verdict({ name: ' ' }, text, 'chatapp', true)).toBe('missing_parameter')
  })

  test('no more than there is room for; two that were merged into one are written to once', () => {
    const inbox = { channel: 'sms' } as InboxRow
    const rules = { inbox, content: text, book, alwaysOpen: true, clock }
    const three = ['con_1', 'con_2', 'con_3'].map(id => candidate({ recipientId: id, contactId: id }))
    const skipped = candidate({ recipientId: 'con_0', contactId: 'con_0', optedOut: true })
    expect(checkRecipients([skipped, ...three], rules, 2).map(one => one.candidate.recipientId)).toEqual([
      'con_0',
      'con_1',
      'con_2',
    ])
    const merged = three.map(one => ({ ...one, contactId: 'con_9' }))
    const reasons = checkRecipients(merged, rules, 3).map(
      ({ eligibility: decision }) => 'reason' in decision && decision.reason,
    )
    expect(reasons).toEqual([false, 'archived', 'archived'])
  })
})

describe('personal texts', () => {
  const person = { id: 'con_1', name: 'Ada\nL & Co', email: null, phone: null, customFields: { plan: 'a/b' } }

  test('parameters have no line breaks, addresses are encoded, names and ids stay', () => {
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

  test('what is missing is named', () => {
    const { missing } = personalise(
      { type: 'text', text: { body: '{{contact.email}} {{contact.phone | default: "-"}}' } },
      person,
    )
    expect(missing).toEqual(['contact.email'])
  })
})

describe('pace', () => {
  test('never more in a second than the rate and one burst, however often it is asked', () => {
    let [pacedTo, sent] = [0, [] as number[]]
    for (let now = 1_000_000; now < 1_010_000; now += 7) {
      const pace = computeAllowance(80, pacedTo, now)
      if (pace.available === 0) continue
      pacedTo = pace.limitedUntil(pace.available)
      sent = [...sent, ...Array<number>(pace.available).fill(now)]
    }
    expect(sent.length).toBeGreaterThan(790)
    for (const from of sent)
      expect(sent.filter(at => at >= from && at < from + 1_000).length).toBeLessThan(90)
  })

  test('slow rates go one by one; a long pause is not made up for', () => {
    const first = computeAllowance(0.5, 0, 1_000_000)
    expect(first.available).toBe(1)
    const next = computeAllowance(0.5, first.limitedUntil(1), 1_000_001)
    expect(next.available).toBe(0)
    expect(next.waitMs).toBeGreaterThan(1_900)
    expect(computeAllowance(100, 0, 1_000_000).available).toBe(10)
  })

  test('people keep a tenth', () => {
    expect([getCampaignShare(80), getCampaignShare(null), minRate(5, null), minRate(null, null)]).toEqual([
      72,
      null,
      5,
      null,
    ])
  })
})
