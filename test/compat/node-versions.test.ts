/**
 * Starts the service on the oldest supported version of Node and on newer ones, from their packages on the registry, and
 * sends a message on each.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { eventually, fresh, scratch, start } from '../system/program.ts'
import { load } from './packages.ts'

const root = scratch()

test.for(['20', '22', '24'])(
  'the service starts on Node %s and delivers a message',
  async (version, context) => {
    await load('svix') // installs the packages
    const node = path.join(import.meta.dirname, `node_modules/node${version}-linux-${process.arch}/bin/node`)
    if (!existsSync(node)) return context.skip(`no package with Node ${version} for this machine`)
    const service = await start({ dataDir: fresh(root, `node${version}`), node })
    await service.ready()
    expect(readlinkSync(`/proc/${service.pid}/exe`)).toBe(realpathSync(node))
    const json = async (method: string, at: string, body?: unknown) =>
      // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
      (await (await service.call(method, at, body)).json()) as any
    const { inboxes } = await json('GET', '/inboxes')
    const inboxId = inboxes.find(({ channel }: { channel: string }) => channel === 'chatapp').id
    const recipient = { type: 'phone', phoneNumber: '+14155550123' }
    const content = { type: 'text', text: { body: 'Hello' } }
    const { message } = await json('POST', '/messages', { recipient, inboxId, content })
    const isDelivered = async () =>
      (await json('GET', `/messages/${message.id}`)).message.deliveryStatus === 'delivered'
    expect(await eventually(isDelivered)).toBe(true)
    const inbound = { inboxId, from: '+14155550123', content: { type: 'text', text: { body: 'Hi there' } } }
    await json('POST', '/sandbox/inbound', inbound)
    const hasReply = async () =>
      (await json('GET', `/conversations/${message.conversationId}/messages`)).messages.length === 2
    expect(await eventually(hasReply)).toBe(true)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  },
)
