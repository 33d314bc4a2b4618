/**
 * A PostgreSQL primary with a synchronous streaming standby, behind one address that always leads to the primary, as with
 * a managed database. A failover kills the primary, promotes the standby and attaches a new standby.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type EmbeddedServer, startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { eventually } from './wait.ts'

export interface ReplicatedPostgres {
  /** For DATABASE_URL. */
  url: string
  /** For DATABASE_REPLICA_URL. */
  replicaUrl: string
  /** Runs a statement of a superuser on the standby, in the database of the service. */
  onStandby<R>(statement: string): Promise<R[]>
  /** Kills the standby, as a lost machine would; `startStandby` starts it again. */
  killStandby(): Promise<void>
  startStandby(): Promise<void>
  /** Makes the standby keep its connections but answer nothing. */
  freezeStandby(frozen: boolean): void
  /** Stops and starts the primary. */
  restart(): Promise<void>
  /** Kills the primary, as a lost machine would, and promotes the standby. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

interface Member {
  dataDir: string
  server: EmbeddedServer
}

// A standby that attaches again after a restart finds the log that it has not received yet.
const settings = { wal_keep_size: '512MB' }

/** `asynchronous`: commits do not wait for the standby, so that it may be killed. */
export async function startReplicatedPostgres(
  newDataDir: () => string,
  { asynchronous = false } = {},
): Promise<ReplicatedPostgres> {
  let primary = await startMember(newDataDir())
  let standby = await attachStandby(primary, newDataDir(), asynchronous)
  let isUp = true
  const proxy = await startTcpProxy(() => (isUp ? [toSocket(primary)] : []))
  const replica = await startTcpProxy(() => [toSocket(standby)])
  const cutOff = () => {
    isUp = false
    proxy.cut()
  }
  return {
    url: toUrl(proxy),
    replicaUrl: toUrl(replica),
    freezeStandby: frozen => (frozen ? replica.freeze() : replica.thaw()),
    onStandby: statement => queryAsSuperuser(standby, statement, 'parley'),
    async killStandby() {
      process.kill(standby.server.pid, 'SIGQUIT')
      await standby.server.exited
      replica.cut()
    },
    async startStandby() {
      standby = await startMember(standby.dataDir, followSettings(primary))
    },
    async restart() {
      cutOff()
      await primary.server.stop()
      primary = await startMember(primary.dataDir)
      isUp = true
    },
    async failOver() {
      // Immediate shutdown: nothing more is flushed to the standby.
      process.kill(primary.server.pid, 'SIGQUIT')
      await primary.server.exited
      cutOff()
      await administer(standby, 'select pg_promote()')
      primary = standby
      isUp = true
      standby = await attachStandby(primary, newDataDir(), asynchronous)
    },
    async stop() {
      proxy.close()
      replica.close()
      await standby.server.stop()
      await primary.server.stop()
    },
  }
}

const toUrl = ({ port }: TcpProxy) => `postgres://parley@127.0.0.1:${port}/parley`
const toSocket = ({ server }: Member) => ({ path: path.join(server.connection.host, '.s.PGSQL.5432') })

async function startMember(dataDir: string, more: Record<string, string> = {}): Promise<Member> {
  return { dataDir, server: await startEmbedded({ dataDir, settings: { ...settings, ...more } }) }
}

async function withClient<T>(
  { server }: Member,
  work: (client: pg.Client) => Promise<T>,
  database = server.superuser.database,
): Promise<T> {
  const client = new pg.Client({ ...server.superuser, database })
  client.on('error', () => {})
  await client.connect()
  return work(client).finally(() => client.end())
}

const administer = (member: Member, statement: string) =>
  withClient(member, client => client.query(statement))

const queryAsSuperuser = async <R>(member: Member, statement: string, database: string): Promise<R[]> =>
  (await withClient(member, client => client.query(statement), database)).rows as R[]

function followSettings(primary: Member): Record<string, string> {
  const { host, port, user } = primary.server.superuser
  return { primary_conninfo: `host='${host}' port=${port} user=${user} application_name=standby` }
}

/** Copies the primary, starts the copy as a standby, and makes commits wait for it, unless it is asynchronous. */
async function attachStandby(primary: Member, dataDir: string, asynchronous: boolean): Promise<Member> {
  const cluster = path.join(dataDir, 'postgres')
  const label = await withClient(primary, async client => {
    await client.query(`select pg_backup_start('standby', true)`)
    // Files that the server deletes meanwhile make cp fail, which does no harm.
    spawnSync('cp', ['-a', primary.dataDir, dataDir])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    return rows[0]!.labelfile
  })
  for (const name of ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf'])
    rmSync(path.join(cluster, name), { force: true })
  for (const name of ['running.json', 'postgres.owner', 'postgres.lock'])
    rmSync(path.join(dataDir, name), { force: true })
  const { uid, gid } = statSync(path.join(cluster, 'PG_VERSION'))
  const files = { backup_label: label, 'standby.signal': '', 'postgresql.auto.conf': '' }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(cluster, name), content, { mode: 0o600 })
    chownSync(path.join(cluster, name), uid, gid)
  }
  const standby = await startMember(dataDir, followSettings(primary))
  await eventually(async () => {
    const { rows } = await administer(
      primary,
      `select from pg_stat_replication where state = 'streaming' and application_name = 'standby'`,
    )
    if (rows.length === 0) throw new Error('the standby has not caught up')
  })
  if (asynchronous) return standby
  await administer(primary, `alter system set synchronous_standby_names = 'standby'`)
  await administer(primary, 'select pg_reload_conf()')
  return standby
}
