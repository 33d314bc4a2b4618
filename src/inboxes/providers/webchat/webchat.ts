/**
 * webchat adapter: the provider is this service. A message is sent once it is stored, because visitors read it from here;
 * its id at the provider is our own, so a send that is repeated after a crash is the same message. Actions of visitors
 * arrive through the operations of the web chat, not by webhooks.
 */

import { ProviderCallError } from '../http-client.ts'
import type { Provider, SendResult } from '../provider.ts'

const unsupported: SendResult = {
  ok: false,
  failure: { kind: 'permanent', code: 'content_unsupported', message: 'webchat does not support reactions' },
}

export const webchat: Provider = {
  channel: 'webchat',
  send: async (_account, { messageId }) => ({ ok: true, channelMessageId: messageId }),
  react: async () => unsupported,
  findSent: async (_account, { messageId }) => [messageId],
  checkHealth: async () => ({ ok: true }),
  registerWebhook: async () => {},
  checkWebhook: async () => 'registered',
  downloadMedia: async () => {
    throw new ProviderCallError({
      kind: 'permanent',
      code: 'media_unknown',
      message: 'files of visitors are uploaded here',
    })
  },
  verifyWebhook: () => false,
  parseWebhook: () => [],
}
