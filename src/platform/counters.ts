/** Counts what a process has committed, for /metrics. Counters start at zero with the process and cost no query. */
import type { Db, Tx } from './db/db.ts'

export const counters = {
  parley_messages_total: {
    help: 'Messages that reached a status; inbound ones reach `received`, outbound ones begin as `pending`',
    labels: ['channel', 'status'],
  },
  parley_webhook_attempts_total: { help: 'Finished calls of webhook endpoints', labels: ['outcome'] },
  parley_runs_total: {
    help: 'Runs of journeys and chatbots that were started or reached their end',
    labels: ['kind', 'status'],
  },
  parley_replica_reads_total: {
    help: 'Reads that may use the replica of the database, by the server that answered',
    labels: ['server'],
  },
} as const

export type CounterName = keyof typeof counters

export interface Count {
  name: CounterName
  labels: Record<string, string>
}

const topic = 'platform.counted'

/** Counts once the transaction has committed. */
export function count(tx: Tx, name: CounterName, labels: Record<string, string>): void {
  tx.signal(topic, { name, labels } satisfies Count)
}

/** Counts a change that is committed already. */
export function countNow(
  { signals }: Pick<Db, 'signals'>,
  name: CounterName,
  labels: Record<string, string>,
): void {
  signals.emit(topic, { name, labels } satisfies Count)
}

export function onCounted({ signals }: Pick<Db, 'signals'>, handle: (count: Count) => void): void {
  signals.on(topic, handle)
}
