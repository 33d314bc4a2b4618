/**
 * Sets up a benchmark: its own database server (or BENCH_DATABASE_URL) and the dependencies of the service. The data
 * directory is removed at the end, unless BENCH_DATA_DIR names one.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readConfig } from '../../src/platform/config.ts'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { createLog } from '../../src/platform/log.ts'
import { createDeps } from '../../src/server/deps.ts'

export interface Measurement {
  name: string
  unit: string
  value: number
  limit: number
  ratio: number
  wanted: string
}

/** Prints a measurement as one line of JSON. */
export function report(measurement: Measurement): void {
  const round = (number: number) => Number(number.toPrecision(4))
  console.log(
    JSON.stringify({
      ...measurement,
      value: round(measurement.value),
      limit: round(measurement.limit),
      ratio: round(measurement.ratio),
    }),
  )
}

const bulkLoadOptions =
  '-c session_replication_role=replica -c synchronous_commit=off -c maintenance_work_mem=512MB -c work_mem=128MB'

export interface BenchServer {
  dataDir: string
  connection: ConnectionConfig
  /** For bulk loads: without constraint checks and without waiting for the disk. */
  filling: ConnectionConfig
  stop(): Promise<void>
}

/** Durable like production: no setting of the server is weakened. */
export async function startBenchServer(): Promise<BenchServer> {
  const kept = process.env.BENCH_DATA_DIR
  const dataDir = kept ?? (await mkdtemp(path.join(os.tmpdir(), 'parley-bench-')))
  const url = process.env.BENCH_DATABASE_URL
  const server = url ? undefined : await startEmbedded({ dataDir })
  const connection: ConnectionConfig = server?.connection ?? { connectionString: url }
  await migrate(connection)
  return {
    dataDir,
    connection,
    filling: server
      ? { ...server.superuser, database: server.connection.database, options: bulkLoadOptions }
      : connection,
    stop: async () => {
      await server?.stop()
      if (!kept) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function connectDeps(
  { dataDir }: BenchServer,
  connection: ConnectionConfig,
): ReturnType<typeof createDeps> {
  const config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    OUTBOUND_LOOPBACK: 'on',
  })
  return createDeps(config, createLog('error'), {
    connection,
    direct: connection,
    lost: new Promise(() => {}),
    close: async () => {},
  })
}

export async function benchDeps(): Promise<
  Pick<BenchServer, 'dataDir' | 'connection' | 'filling'> & { deps: Deps; close(): Promise<void> }
> {
  const server = await startBenchServer()
  const deps = await connectDeps(server, server.connection)
  return {
    deps,
    dataDir: server.dataDir,
    connection: server.connection,
    filling: server.filling,
    close: async () => {
      await deps.close()
      await server.stop()
    },
  }
}
