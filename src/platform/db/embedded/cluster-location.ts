/**
 * `DATA_DIR/postgres.location`: where the cluster is, in which launch mode its server runs and as which user. A cluster
 * keeps the mode it was created with, since its files belong to one user: a mismatch is an error, never a silent switch.
 * Restoring a backup changes the owner of the files to `uid` and `gid` when the mode is `other-user`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { embeddedError } from './error.ts'

type LaunchModeKind = 'direct' | 'namespace' | 'other-user'

export interface LaunchMode {
  kind: LaunchModeKind
  /** the user the server sees itself as; differs from the owner of its files in a namespace */
  uid: number
  gid: number
}

export interface ClusterLocation {
  mode: LaunchModeKind
  uid: number
  gid: number
  cluster: string
}

const toLocationFile = (dataDir: string) => path.join(dataDir, 'postgres.location')

export function readClusterLocation(dataDir: string): ClusterLocation | undefined {
  try {
    return JSON.parse(readFileSync(toLocationFile(dataDir), 'utf8')) as ClusterLocation
  } catch {
    return undefined
  }
}

export async function writeClusterLocation(dataDir: string, location: ClusterLocation): Promise<void> {
  const text = `${JSON.stringify(location, null, 2)}\n`
  const temporary = `${toLocationFile(dataDir)}.new`
  await writeFile(temporary, text)
  await rename(temporary, toLocationFile(dataDir))
}

interface Account {
  name: string
  uid: number
  gid: number
}

function accounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap(line => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** The user under which a root process runs PostgreSQL; initdb requires that it has a name. */
export function chooseDatabaseUser(): { uid: number; gid: number } {
  const known = accounts().filter(each => each.uid !== 0)
  const named = (name: string) => known.find(each => each.name === name)
  const { uid, gid } = named('parley') ?? named('nobody') ?? known[0] ?? { uid: 65534, gid: 65534 }
  return { uid, gid }
}

export function isNamedUser(uid: number): boolean {
  return accounts().some(each => each.uid === uid)
}

function foreignOwnerError(uid: number, cluster: string): Error {
  const name = accounts().find(each => each.uid === uid)?.name
  const who = name ? `${name} (user id ${uid})` : `user id ${uid}`
  return embeddedError(`the database in ${cluster} belongs to ${who}`, 'start Parley as that user')
}

function findModeAsRoot(owner: number, recorded: ClusterLocation | undefined, cluster: string): LaunchMode {
  const { uid, gid } = recorded && recorded.mode !== 'direct' ? recorded : chooseDatabaseUser()
  const lent = !recorded || recorded.mode === 'other-user'
  if (lent && owner === uid) return { kind: 'other-user', uid, gid }
  if (recorded && lent) {
    throw embeddedError(
      `the database in ${cluster} must run as user id ${uid} but belongs to user id ${owner}`,
      `run chown -R ${uid}:${gid} on that directory`,
    )
  }
  if (owner === 0) return { kind: 'namespace', uid, gid }
  throw foreignOwnerError(owner, cluster)
}

/** Returns the launch mode that an existing cluster requires; undefined when there is no cluster. */
export function findClusterMode(dataDir: string, cluster: string): LaunchMode | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false })
  if (!stat) return undefined
  const uid = process.geteuid?.() ?? 0
  if (uid !== 0 && stat.uid !== uid) throw foreignOwnerError(stat.uid, cluster)
  if (readdirSync(cluster).length === 0) return undefined
  if (uid === 0) return findModeAsRoot(stat.uid, readClusterLocation(dataDir), cluster)
  return { kind: 'direct', uid, gid: process.getegid?.() ?? uid }
}
