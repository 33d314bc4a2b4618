/** What handlers, jobs and subscriptions are given. Everything a process has one of. */
import type { Blobs } from './blobs/blobs.ts'
import type { Bus } from './bus/bus.ts'
import type { Channels } from './channels.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Keys } from './keys.ts'
import type { Logger } from './log.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface Deps {
  config: Config
  db: Db
  clock: Clock
  log: Logger
  keys: Keys
  bus: Bus
  outbound: Outbound
  blobs: Blobs
  channels: Channels
  /** Only where it is configured. */
  tracing?: Tracing | undefined
}
