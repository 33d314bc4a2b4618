/** Tests the limits of visitors, of their networks and of inboxes. */
import { expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import type { Problem } from '../platform/errors.ts'
import { admitNewVisitor, limitVisitor } from './limits.ts'
import { createWebchat, startVisitor } from './testing/visitor.ts'

const service = await testApi({ RATE_LIMIT: '1000' })
const { owner } = await service.workspace('Shop')

/** Each process counts separately, so each run of a test starts another one. */
const startProcess = () => service.another()

test('429 for a visitor and for a network that do too much; a visitor that exists goes on', async () => {
  const { url, anonymous } = await startProcess()
  const { inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(url, inboxKey)
  // The limit lets single requests pass again while the others are sent.
  const answers = []
  for (let i = 0; i < 40; i++) answers.push(await visitor.say('Again', 'same'))
  expect(answers[0]!.status).toBe(202)
  const limited = answers.filter(({ status }) => status !== 202)
  expect(limited.length).toBeGreaterThan(0)
  for (const { status, headers } of limited) {
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  }
  const sessions = []
  for (let i = 0; i < 70; i++)
    sessions.push((await anonymous.post(`/widget/${inboxKey}/sessions`, {})).status)
  expect(sessions).toContain(429)
  const again = await visitor.post(`/widget/${inboxKey}/sessions`, {})
  expect(again, JSON.stringify(again.body)).toMatchObject({ body: { visitorToken: null } })
})

test('429 for new visitors of an inbox that has too many, unless they say who they are', async () => {
  const { deps } = await startProcess()
  const inbox = { id: 'ibx_busy' }
  const admit = (network: string, contact?: object) => {
    try {
      admitNewVisitor(deps, inbox, { network, contact })
      return 'admitted'
    } catch (error) {
      return (error as Problem).kind.code
    }
  }
  const answers = Array.from({ length: 5_000 }, (_, i) => admit(`10.0.${i}`))
  expect(answers.slice(0, 600)).toEqual(Array(600).fill('admitted'))
  expect(answers).toContain('pre_chat_required')
  expect(admit('10.1.1', { name: 'Ana', email: 'ana@example.com' })).toBe('admitted')
  const named = Array.from({ length: 10 }, () => admit('10.1.2', { name: 'Ana', email: 'ana@example.com' }))
  expect(named.at(-1)).toBe('too_many_requests')
})

test('429 for the messages of an inbox whose visitors together write too many', async () => {
  const { deps } = await startProcess()
  const say = (i: number, inboxId: string) => {
    try {
      limitVisitor(deps, 'messages', { id: `wcv_${i}`, inboxId }, `10.${i >> 8}.${i & 255}.1`)
      return 202
    } catch (error) {
      return (error as Problem).kind.status
    }
  }
  const answers = Array.from({ length: 9_000 }, (_, i) => say(i, 'ibx_flooded'))
  expect(answers.slice(0, 6_000)).toEqual(Array(6_000).fill(202))
  expect(answers.at(-1)).toBe(429)
  expect(say(9_001, 'ibx_other')).toBe(202)
})
