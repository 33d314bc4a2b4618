/** Builds the dependencies of a process: those that the installation shares, and those of one database. */
import path from 'node:path'
import { routes, sealed } from '../app.ts'
import { buildRoleScopes } from '../identity/rights/roles.ts'
import { getSandboxPorts, resolveChannels } from '../inboxes/channels.ts'
import { diskBlobs } from '../platform/blobs/disk.ts'
import { s3Blobs } from '../platform/blobs/s3.ts'
import { type Bus, inProcessBus } from '../platform/bus/bus.ts'
import { natsBus } from '../platform/bus/nats.ts'
import { postgresBus } from '../platform/bus/postgres.ts'
import { inOneCell } from '../platform/cells.ts'
import { type Config, ConfigError } from '../platform/config.ts'
import { countNow } from '../platform/counters.ts'
import { type DatabaseClock, databaseClock } from '../platform/db/clock.ts'
import { connectDb, type Db } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { createKeys, type Keys, readOrCreateSecret } from '../platform/encryption/keys.ts'
import { assertDecryptable, hasSealedValues } from '../platform/encryption/sealed-columns.ts'
import type { Logger } from '../platform/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import type { Database } from './database/database.ts'

export type SharedDeps = Omit<Deps, 'db' | 'clock' | 'bus' | 'caches' | 'cell' | 'cells'>

/** The only database of an installation. */
export async function createDeps(
  config: Config,
  log: Logger,
  database: Database,
): Promise<Deps & { close(): Promise<void> }> {
  const tracing = await openTracing(config, log)
  const { db, clock } = connectCell({ config, log, tracing }, database)
  const keys = await openKeys(config, db).catch(async error => {
    await db.close()
    throw error
  })
  const stopClock = await clock.sync(db, log)
  const bus = await openBus(config, database, log)
  const shared = await createSharedDeps(config, log, keys, tracing)
  const close = async () => {
    await shared.close()
    await bus.close()
    stopClock()
    await db.close()
  }
  return inOneCell({ ...shared, db, clock, bus, caches: db.caches, close })
}

export async function openTracing(config: Config, log: Logger): Promise<Tracing | undefined> {
  return config.tracing && (await import('../platform/tracing/otlp.ts')).openTracing(config.tracing, log)
}

/** Creates the connections of a database, which are opened when they are used. */
export function connectCell(
  { config, log, tracing }: { config: Config; log: Logger; tracing: Tracing | undefined },
  database: Database,
): { db: Db; clock: DatabaseClock } {
  const clock = databaseClock()
  const db: Db = connectDb({
    connection: database.connection,
    clock,
    readers: config.databaseReaders,
    writers: config.databaseWriters,
    searchers: config.databaseSearchers,
    onError: error => log.warn({ err: error }, 'database connection lost'),
    replica: database.replica && {
      connection: database.replica,
      onChange: error => {
        if (error) log.warn({ err: error }, 'the replica is left out; the primary serves all reads')
        else log.info('the replica serves searches, lists and reports')
      },
      onRead: server => countNow(db, 'parley_replica_reads_total', { server }),
    },
    tracing,
  })
  return { db, clock }
}

export async function createSharedDeps(
  config: Config,
  log: Logger,
  keys: Keys,
  tracing: Tracing | undefined,
): Promise<SharedDeps & { close(): Promise<void> }> {
  const s3 = config.s3 && (await openS3(config.s3))
  const channels = resolveChannels(config, keys)
  const outbound = createOutbound({
    policy: {
      allowCidrs: config.outboundAllow,
      allowLoopback: config.outboundLoopback,
      // A port chosen by the system is known only after listening.
      get ownPorts() {
        return [config.port, ...getSandboxPorts(channels)]
      },
    },
  })
  return {
    config,
    log,
    keys,
    outbound,
    blobs: s3 ?? diskBlobs(path.join(config.dataDir, 'blobs'), config.minFreeDiskMb * 1024 * 1024),
    channels,
    roleScopes: buildRoleScopes(routes),
    tracing,
    close: async () => {
      await outbound.close()
      await tracing?.close()
      s3?.close()
    },
  }
}

/** Reads the keys of the installation. Throws if they do not decrypt what is stored. */
async function openKeys(config: Config, db: Db): Promise<Keys> {
  const secret =
    config.secretKey ?? (await readOrCreateSecret(config.dataDir, () => hasSealedValues(db, sealed)))
  const keys = createKeys(secret, config.oldSecretKeys)
  await assertDecryptable(db, keys, sealed)
  return keys
}

/** Chooses the bus: an embedded database has one service process, so an in-process bus is enough there. */
async function openBus(config: Config, database: Database, log: Logger): Promise<Bus> {
  const onError = (error: unknown) => log.warn({ err: error }, 'message bus error')
  if (config.nats) return openNats(config.nats, config.nats.prefix, onError)
  return config.databaseUrl ? postgresBus(database.direct, { onError }) : inProcessBus(onError)
}

/** The bus of one of several cells, whose database need not be reachable yet. */
export function openCellBus(config: Config, name: string, database: Database, log: Logger): Promise<Bus> {
  const onError = (error: unknown) => log.warn({ err: error }, 'message bus error')
  if (config.nats) return openNats(config.nats, `${config.nats.prefix}.${name}`, onError)
  return postgresBus(database.direct, { onError, connectsLater: true })
}

function openNats(
  { url }: NonNullable<Config['nats']>,
  prefix: string,
  onError: (error: unknown) => void,
): Promise<Bus> {
  return natsBus(url, { prefix, onError }).catch(error => {
    throw new ConfigError(`NATS_URL: cannot connect to the server: ${(error as Error).message}`)
  })
}

async function openS3(settings: NonNullable<Config['s3']>) {
  const blobs = await s3Blobs(settings)
  const { bucket, endpoint = 'the store' } = settings
  await blobs.check().catch(error => {
    const { name, message } = error as Error
    throw new ConfigError(
      `the bucket ${bucket} of ${endpoint} is not usable: ${message || name}; check the S3_ settings`,
    )
  })
  return blobs
}
