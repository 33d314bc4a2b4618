/** Rejected callbacks are logged with the check that failed, once a minute, without secrets. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { eventually } from '../../../test/harness/wait.ts'

const output = new PassThrough()
let text = ''
output.on('data', chunk => {
  text += chunk
})
const api = await testApi({ LOG_LEVEL: 'info', CHATAPP_VERIFY_TOKEN: 'the verify token' }, { logTo: output })
await playProviders(api)

interface Line {
  msg: string
  channel: string
  inboxId?: string
  reason: string
}
const takeLines = (): Line[] => {
  const lines = text.split('\n').filter(line => line.includes('callback rejected'))
  return lines.map(line => JSON.parse(line))
}
const forged = `sha256=${'0'.repeat(64)}`

async function post(url: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/v1/channels/${path}`, { method: 'POST', headers, body: 'x=1' })
  return response.status
}

let accounts = 1000

async function connectSms(): Promise<string> {
  const { owner } = await api.workspace()
  const found = await owner.post(`/smsprovider/AC${'8892'.repeat(7)}${accounts++}/phone-numbers`, {
    authToken: 'sms-token-8892',
  })
  const { pendingCredentialId, phoneNumbers } = found.body
  const sms = { pendingCredentialId, phoneNumberSids: [phoneNumbers[0].phoneNumberSid] }
  return (await owner.post('/inboxes', { sms })).body.inboxes[0].id
}

test('each rejection has one line with its channel, inbox and reason', async () => {
  // A server of its own, which has not logged these reasons in the last minute.
  const { url } = await api.another()
  text = ''
  const inboxId = await connectSms()
  const signed = { 'x-twilio-signature': `${'A'.repeat(27)}=` }
  for (let n = 0; n < 3; n++) {
    expect(await post(url, 'chatapp/webhook')).toBe(401)
    expect(await post(url, 'chatapp/webhook', { 'x-hub-signature-256': 'sha256=0' })).toBe(401)
    expect(await post(url, 'socialapp/webhook', { 'x-hub-signature-256': forged })).toBe(401)
    expect(await post(url, `sms/${inboxId}/inbound`, signed)).toBe(401)
    expect(await post(url, `sms/in_unknown${n}/inbound`, signed)).toBe(401)
  }
  const handshake = '?hub.mode=subscribe&hub.challenge=1&hub.verify_token=guessed'
  expect((await fetch(`${url}/v1/channels/chatapp/webhook${handshake}`)).status).toBe(403)
  await eventually(() => expect(takeLines().length).toBeGreaterThanOrEqual(6))
  const lines = takeLines().map(({ channel, inboxId, reason }) => ({ channel, inboxId, reason }))
  expect(lines).toEqual([
    { channel: 'chatapp', reason: 'the header x-hub-signature-256 is missing' },
    { channel: 'chatapp', reason: 'the header x-hub-signature-256 is malformed' },
    {
      channel: 'socialapp',
      reason: 'the signature does not match the app secret; check SOCIALAPP_APP_SECRET',
    },
    { channel: 'sms', inboxId, reason: expect.stringMatching(/^the signature does not match the token/) },
    { channel: 'sms', reason: 'the URL names no inbox' },
    { channel: 'chatapp', reason: 'handshake: hub.verify_token is not ours' },
  ])
  for (const secret of [
    'guessed',
    'the verify token',
    'sms-token-8892',
    forged,
    signed['x-twilio-signature'],
  ])
    expect(text).not.toContain(secret)
})
