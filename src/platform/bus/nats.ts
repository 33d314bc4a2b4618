/**
 * The bus over NATS, for many processes: a hint costs the database nothing. Messages published while the connection is
 * down are lost; all subscribers are notified of that when it is back. The library is loaded only when it is used.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { type Bus, type BusErrorHandler, fanOut } from './bus.ts'

export interface NatsBusOptions {
  /** Separates installations on one server. */
  prefix: string
  onError?: BusErrorHandler
}

/** Published by a sender whose messages may have been lost. */
const missedTopic = '~missed'

export async function natsBus(url: string, { prefix, onError = () => {} }: NatsBusOptions): Promise<Bus> {
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({
    servers: url.split(',').map(server => server.trim()),
    name: 'parley',
    noEcho: true, // listeners here have received it already
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    maxPingOut: 2,
  })
  const subject = `${prefix}.bus`
  const local = fanOut(onError)
  let up = true

  function send(topic: string, message: object): void {
    if (!up || connection.isClosed()) return
    const payload = JSON.stringify([topic, message])
    const fits = Buffer.byteLength(payload) <= (connection.info?.max_payload ?? 1_000_000)
    try {
      connection.publish(subject, fits ? payload : JSON.stringify([missedTopic, {}]))
    } catch (error) {
      onError(error)
    }
  }

  connection.subscribe(subject, {
    callback: (error, received) => {
      if (error) return onError(error)
      const [topic, message] = JSON.parse(received.string()) as [string, object]
      if (topic === missedTopic) local.notifyMissed()
      else local.deliver(topic, message)
    },
  })
  await connection.flush()
  void watch(connection, {
    lost: () => {
      up = false
      onError(new Error('lost the connection to NATS'))
    },
    restored: () => {
      up = true
      local.notifyMissed()
      send(missedTopic, {})
    },
  })

  return {
    publish(topic, message) {
      local.deliver(topic, message)
      send(topic, message)
    },
    subscribe: (topic, onMessage, onMissed) => local.add(topic, { onMessage, onMissed }),
    async close() {
      local.clear()
      await connection.close()
    },
  }
}

async function watch(connection: NatsConnection, on: { lost(): void; restored(): void }): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') on.lost()
    if (type === 'reconnect') on.restored()
  }
}
