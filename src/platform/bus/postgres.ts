/**
 * The bus over LISTEN and NOTIFY, on a connection of its own and never inside a transaction that writes: there it
 * would make commits wait for one another. What is published while a flush is under way goes out with the next one;
 * what is published while the connection is away is lost, and the others are told so when it is back.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionConfig } from '../db/db.ts'
import { type Bus, type BusErrorHandler, fanOut } from './bus.ts'
import { ListenConnection } from './listen-connection.ts'
import { type MessageBatch, payloadAssembler, toPayloads } from './slices.ts'

export interface PostgresBusOptions {
  channel?: string
  onError?: BusErrorHandler
  heartbeatMs?: number
}

/** What a sender tells the others when messages of its own may not have gone out. */
const missedTopic = '~missed'
const maxQueued = 10_000
/** What comes this soon after a flush goes with the next: a busy process would notify after each commit. */
const minFlushIntervalMs = 5

export async function postgresBus(
  connection: ConnectionConfig,
  options: PostgresBusOptions = {},
): Promise<Bus> {
  const { channel = 'parley', onError = () => {}, heartbeatMs = 15_000 } = options
  const origin = randomBytes(9).toString('base64url')
  const local = fanOut(onError)
  const received = payloadAssembler(origin)
  const sender = batchSender(parcel => line.notify(toPayloads(origin, parcel)))

  function hear(payload: string): void {
    for (const [topic, message] of received.add(payload) ?? []) {
      if (topic === missedTopic) local.notifyMissed()
      else local.deliver(topic, message)
    }
  }
  function restored(): void {
    local.notifyMissed()
    sender.add(missedTopic, {})
  }
  const line = new ListenConnection({
    connection,
    channel,
    heartbeatMs,
    onNotification: hear,
    onReconnect: restored,
    onError,
  })
  await line.open()

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

function batchSender(send: (parcel: MessageBatch) => Promise<boolean>) {
  let waiting: MessageBatch = []
  let sending = false

  async function flush(): Promise<void> {
    sending = true
    await new Promise(setImmediate) // what is published in the same breath travels together
    while (waiting.length > 0) {
      const parcel = waiting
      waiting = []
      if (!(await send(parcel))) waiting = []
      await sleep(minFlushIntervalMs)
    }
    sending = false
  }

  return {
    add(topic: string, message: object): void {
      // Only a server that stalls lets this many gather; then one word says as much as all of them.
      if (waiting.length >= maxQueued) waiting = [[missedTopic, {}]]
      waiting.push([topic, message])
      if (!sending) void flush()
    },
  }
}
