/** Tests the web chat adapter with the suite of all adapters; the customer is a visitor on the HTTP API. */
import { expect, test } from 'vitest'
import { testService } from '../../../../test/harness/service.ts'
import {
  startWebchatHarness,
  throughService,
  type WebchatHarness,
} from '../../../webchat/testing/provider-harness.ts'
import type { Content } from '../../content.ts'
import { providerContract } from '../../testing/provider-contract.ts'
import { buildOutbound, text } from '../../testing/provider-harness.ts'
import { webchat } from './webchat.ts'

const service = await testService()
let harness: WebchatHarness

const card: Content = {
  type: 'rich',
  rich: { body: { text: 'Which one?' }, actions: [{ type: 'reply', id: 'a', title: 'A' }] },
}
const request: Content = {
  type: 'contactInfoRequest',
  contactInfoRequest: { body: { text: 'How can we reach you?' } },
}

providerContract(
  throughService(webchat, () => harness),
  {
    contents: [text('Hello'), card, request].map(content => ({ content, request: content })),
    statuses: ['delivered', 'read'],
    supportsReactions: false,
    canListSent: true,
    failures: [],
  },
  {
    start: async () => {
      harness = await startWebchatHarness(service)
      return harness
    },
    to: scenario => `visitor ${scenario}`,
  },
)

test('a send that is repeated after a crash is the same message', async () => {
  const message = buildOutbound('wcv_1')
  const { account } = await startWebchatHarness(service)
  const sent = await webchat.send(account, message)
  expect(sent).toEqual({ ok: true, channelMessageId: message.messageId })
  expect(await webchat.send(account, message)).toEqual(sent)
  expect(await webchat.findSent(account, message, new Date().toISOString())).toEqual([message.messageId])
})
