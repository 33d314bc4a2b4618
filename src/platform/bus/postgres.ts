/**
 * The bus over LISTEN and NOTIFY, on a connection of its own and never inside a write transaction, where it would make
 * commits wait for one another. Messages published while a flush is in flight go out with the next one. Messages
 * published while the connection is down are lost; all subscribers are notified of that when it is back.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionConfig } from '../db/db.ts'
import { type Bus, type BusErrorHandler, fanOut } from './bus.ts'
import { ListenConnection } from './listen-connection.ts'

export interface PostgresBusOptions {
  channel?: string
  onError?: BusErrorHandler
  heartbeatMs?: number
  /** Returns before the server was reached; messages until then are lost. */
  connectsLater?: boolean
}

/** Published by a sender whose messages may have been lost. */
const missedTopic = '~missed'
const maxQueued = 10_000
/** Minimum time between flushes: a busy process would otherwise notify after each commit. */
const minFlushIntervalMs = 5

export async function postgresBus(
  connection: ConnectionConfig,
  options: PostgresBusOptions = {},
): Promise<Bus> {
  const { channel = 'parley', onError = () => {}, heartbeatMs = 15_000 } = options
  const origin = randomBytes(9).toString('base64url')
  const local = fanOut(onError)
  const received = payloadAssembler(origin)
  const sender = batchSender(batch => line.notify(toPayloads(origin, batch)))

  function receive(payload: string): void {
    for (const [topic, message] of received.add(payload) ?? []) {
      if (topic === missedTopic) local.notifyMissed()
      else local.deliver(topic, message)
    }
  }
  function reconnected(): void {
    local.notifyMissed()
    sender.add(missedTopic, {})
  }
  const line = new ListenConnection({
    connection,
    channel,
    heartbeatMs,
    onNotification: receive,
    onReconnect: reconnected,
    onError,
  })
  if (options.connectsLater) line.openLater()
  else await line.open()

  return {
    publish(topic, message) {
      local.deliver(topic, message)
      if (line.isConnected) sender.add(topic, message)
    },
    subscribe: (topic, listener, onMissed) => local.add(topic, { onMessage: listener, onMissed }),
    async close() {
      local.clear()
      await line.close()
    },
  }
}

function batchSender(send: (batch: MessageBatch) => Promise<boolean>) {
  let queued: MessageBatch = []
  let sending = false

  async function flush(): Promise<void> {
    sending = true
    await new Promise(setImmediate) // messages of the same tick share a batch
    while (queued.length > 0) {
      const batch = queued
      queued = []
      if (!(await send(batch))) queued = []
      await sleep(minFlushIntervalMs)
    }
    sending = false
  }

  return {
    add(topic: string, message: object): void {
      // Only a stalled server lets this many queue up; then one notice of loss replaces all of them.
      if (queued.length >= maxQueued) queued = [[missedTopic, {}]]
      queued.push([topic, message])
      if (!sending) void flush()
    },
  }
}

/**
 * A batch is one text, cut into NOTIFY payloads at PostgreSQL's limit of 8,000 bytes. The payloads of a batch are sent in
 * one transaction, so a listener receives them in order and without others in between.
 */
type MessageBatch = [topic: string, message: object][]

const maxPayloadLength = 7_900

let batchCount = 0

export function toPayloads(origin: string, parcel: MessageBatch): string[] {
  const batch = ++batchCount
  // Escaped to ASCII, one character is one byte and may be cut anywhere.
  const text = JSON.stringify(parcel).replace(
    /[\u0080-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const count = Math.max(1, Math.ceil(text.length / maxPayloadLength))
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice(index * maxPayloadLength, (index + 1) * maxPayloadLength)
    return `${origin} ${batch} ${index} ${count} ${part}`
  })
}

interface PayloadAssembler {
  /** Returns the batch that this payload completes; undefined while it is incomplete or after a payload was lost. */
  add(payload: string): MessageBatch | undefined
}

/** Assembles the batches of other senders and skips our own, which listeners here have already received. */
export function payloadAssembler(ownOrigin: string): PayloadAssembler {
  const unfinished = new Map<string, { batch: string; parts: string[] }>()
  return {
    add(payload) {
      const header = /^(\S+) (\d+) (\d+) (\d+) /.exec(payload)
      if (!header) return undefined
      const [prefix, origin = '', batch = '', index, count] = header
      if (origin === ownOrigin) return undefined
      if (index === '0') unfinished.set(origin, { batch, parts: [] })
      const current = unfinished.get(origin)
      if (!current || current.batch !== batch || current.parts.length !== Number(index)) return undefined
      current.parts.push(payload.slice(prefix.length))
      if (current.parts.length < Number(count)) return undefined
      unfinished.delete(origin)
      return JSON.parse(current.parts.join('')) as MessageBatch
    },
  }
}
