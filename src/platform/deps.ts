/**
 * The dependencies of handlers, jobs and subscriptions: one instance per process. Domains add their own members by
 * augmenting `Deps` (`declare module '../platform/deps.ts'`), beside the function that creates the member.
 */

import type { Blobs } from './blobs/blobs.ts'
import type { Bus } from './bus/bus.ts'
import type { Caches } from './caches.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Keys } from './encryption/keys.ts'
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
  caches: Caches
  /** Undefined unless tracing is configured. */
  tracing?: Tracing | undefined
}
