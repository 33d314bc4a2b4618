/**
 * Follows how far a standby has replayed the log of its primary. A read may use the standby once everything that was
 * committed before the read is replayed there; a short wait is allowed. The standby is left out while it does not answer
 * or is more than a second behind.
 */
import pg from 'pg'
import { wakeSignal } from '../../wake-signal.ts'

/** How long a read waits for the replay. While an earlier read has waited longer in vain, reads do not wait at all. */
const waitTimeoutMs = 100
const maxLagMs = 1_000
const answerTimeoutMs = 1_000
const heartbeatMs = 1_000
const retryMs = 1_000
/** Between two probes while reads wait, and while the standby is behind. */
const waitingMs = 1
const behindMs = 50

export interface ReplayOptions {
  connection: pg.ClientConfig
  /** Returns the position in bytes up to which the primary has stored its log. */
  getPosition: () => Promise<number>
  /** Called with a new connection; throws if it does not lead to a standby of the primary. */
  verify: (client: pg.Client) => Promise<void>
  /** Called with the reason when the standby is left out, and with undefined when it is used. */
  onChange: (reason: Error | undefined) => void
  /** Called when the standby does not answer: connections to it may hang. */
  onLost: () => void
}

interface Waiter {
  position: number
  resolve: (reached: boolean) => void
  timer: NodeJS.Timeout
}

const probe = {
  name: 'replayed',
  text: `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position`,
}

export class Replay {
  /** Whether reads may use the standby. */
  isUsable = false
  private readonly options: ReplayOptions
  private readonly waiters = new Set<Waiter>()
  private readonly signal = wakeSignal()
  private readonly running: Promise<void>
  private client: pg.Client | undefined
  private replayed = 0
  private isClosing = false
  /** The oldest position for which a read has waited in vain. */
  private missed: { position: number; since: number } | undefined
  private reason: string | undefined

  constructor(options: ReplayOptions) {
    this.options = options
    this.running = this.run()
  }

  /** Whether the standby has all that was committed before the call, perhaps after a short wait. */
  async hasCaughtUp(): Promise<boolean> {
    const since = performance.now()
    if (!this.isUsable || (this.missed && since - this.missed.since > waitTimeoutMs)) return false
    // A failure of the primary says nothing about the standby; the read on the primary reports it.
    const position = await this.options.getPosition().catch(() => undefined)
    if (position === undefined || this.isClosing) return false
    return position <= this.replayed || this.waitFor(position, since)
  }

  /** Probes the standby again, after it failed a read. */
  suspect(): void {
    this.replayed = 0
    this.signal.notify()
  }

  async close(): Promise<void> {
    this.isClosing = true
    this.signal.notify()
    if (this.client) destroy(this.client)
    await this.running
  }

  private waitFor(position: number, since: number): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        this.waiters.delete(waiter)
        this.missed ??= { position, since }
        resolve(false)
      }, waitTimeoutMs)
      const waiter = { position, resolve, timer }
      this.waiters.add(waiter)
      this.signal.notify()
    })
  }

  private async run(): Promise<void> {
    while (!this.isClosing) {
      const failure = await this.check().catch((error: Error) => error)
      if (failure) this.lose(failure)
      await this.signal.wait(failure ? retryMs : this.getInterval())
    }
  }

  private getInterval(): number {
    if (this.waiters.size > 0) return waitingMs
    return this.missed ? behindMs : heartbeatMs
  }

  private async check(): Promise<undefined> {
    const client = this.client ?? (await this.connect())
    const { rows } = await client.query<{ position: number | null }>(probe)
    const position = rows[0]?.position ?? undefined
    if (position === undefined) throw new Error('the server of the replica is not a standby')
    this.replayed = position
    this.settle(position)
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.options.connection,
      connectionTimeoutMillis: 2 * answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    })
    client.on('error', () => {})
    this.client = client
    await client.connect()
    await this.options.verify(client)
    return client
  }

  private settle(replayed: number): void {
    for (const waiter of this.waiters) {
      if (waiter.position > replayed) continue
      this.waiters.delete(waiter)
      clearTimeout(waiter.timer)
      waiter.resolve(true)
    }
    if (this.missed && this.missed.position <= replayed) this.missed = undefined
    if (!this.missed) this.report(undefined)
    else if (performance.now() - this.missed.since > maxLagMs)
      this.report(new Error('the replica is more than a second behind'))
  }

  private lose(error: Error): void {
    if (this.client) destroy(this.client)
    this.client = undefined
    this.replayed = 0
    if (this.isClosing) return
    this.report(error)
    this.options.onLost()
  }

  /** Reports a reason once, not on each probe. */
  private report(reason: Error | undefined): void {
    const wasUsable = this.isUsable
    this.isUsable = reason === undefined
    if (this.isUsable ? wasUsable : this.reason === reason?.message) return
    this.reason = reason?.message
    this.options.onChange(reason)
  }
}

/** Closes a connection that may hang. Its statements in flight fail. */
export function destroy(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}
