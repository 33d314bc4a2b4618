/** A connection that listens on a channel and notifies it, and reconnects automatically. */
import pg from 'pg'
import { type ConnectionConfig, connectionConfig } from '../db/db.ts'

export interface ListenConnectionOptions {
  connection: ConnectionConfig
  channel: string
  /** How often the connection is checked. */
  heartbeatMs: number
  onNotification(payload: string): void
  /** Called after a reconnection; notifications in between were lost. */
  onReconnect(): void
  onError(error: unknown): void
}

const minRetryMs = 50
const maxRetryMs = 2_000

export class ListenConnection {
  private readonly options: ListenConnectionOptions
  private client: pg.Client | undefined
  private closed = false
  private retry: NodeJS.Timeout | undefined
  private heartbeat: NodeJS.Timeout | undefined

  constructor(options: ListenConnectionOptions) {
    this.options = options
  }

  get isConnected(): boolean {
    return this.client !== undefined
  }

  async open(): Promise<void> {
    await this.connect()
    this.startHeartbeat()
  }

  /** Connects when the server can be reached; that counts as a reconnection. */
  openLater(): void {
    this.reconnect(0)
    this.startHeartbeat()
  }

  private startHeartbeat(): void {
    this.heartbeat = setInterval(() => void this.query({ text: 'select 1' }), this.options.heartbeatMs)
    this.heartbeat.unref()
  }

  /** Returns whether the server accepted them. One transaction, so they arrive together and in order. */
  notify(payloads: string[]): Promise<boolean> {
    return this.query({
      name: 'notify',
      text: 'select pg_notify($1, payload) from unnest($2::text[]) payload',
      values: [this.options.channel, payloads],
    })
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.heartbeat)
    clearTimeout(this.retry)
    await this.client?.end().catch(() => {})
  }

  private async query(query: pg.QueryConfig): Promise<boolean> {
    const client = this.client
    if (!client) return false
    try {
      await client.query(query)
      return true
    } catch (error) {
      this.drop(client, error)
      return false
    }
  }

  private async connect(): Promise<void> {
    const { connection, channel, onNotification } = this.options
    const client = new pg.Client({ ...connectionConfig(connection), query_timeout: 5_000 })
    client.on('error', error => this.drop(client, error))
    client.on('end', () => this.drop(client))
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    if (this.closed) await client.end()
    else this.client = client
  }

  private drop(client: pg.Client, error?: unknown): void {
    if (this.client !== client || this.closed) return
    if (error) this.options.onError(error)
    this.client = undefined
    client.end().catch(() => {})
    this.reconnect(minRetryMs)
  }

  private reconnect(delay: number): void {
    this.retry = setTimeout(async () => {
      try {
        await this.connect()
      } catch (error) {
        this.options.onError(error)
        if (!this.closed) this.reconnect(Math.min(Math.max(delay * 2, minRetryMs), maxRetryMs))
        return
      }
      if (!this.closed) this.options.onReconnect()
    }, delay)
  }
}
