/**
 * Recognises a copy of a database, so that it does not take over the providers' callbacks or send anything a second time.
 * The database lists the places where it may run; a process at another place, or with another PUBLIC_URL than the one
 * that providers call, is not adopted. It serves the API, but starts no background work until `parley adopt`.
 */
import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRegisteredElsewhere } from '../../inboxes/accounts/webhook-registration.ts'
import { hasExternalDatabase } from '../../platform/cell-config.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockFirstStart } from '../store.ts'
import {
  findInstallation,
  findWaiting,
  getDatabaseId,
  hasInstallations,
  upsertAdopted,
  upsertWaiting,
} from './installation-store.ts'

interface Place {
  id: string
  /** Whether `parley restore` created the data directory. */
  isRestored: boolean
}

export const installationFileName = 'installation.json'

/** Marks a data directory as a copy. The next start creates its id. */
export async function markRestored(dataDir: string): Promise<void> {
  await writeFile(path.join(dataDir, installationFileName), newFile(true), { mode: 0o600, flush: true })
}

const newFile = (restored: boolean) => `${JSON.stringify({ id: randomUUID(), restored })}\n`

/** The time of creation is part of the id, because a copied directory contains the same file. */
async function readDataDirectory({ dataDir }: Config): Promise<Place> {
  const file = path.join(dataDir, installationFileName)
  await writeFile(file, newFile(false), { mode: 0o600, flag: 'wx', flush: true }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  const { id, restored } = JSON.parse(await readFile(file, 'utf8')) as { id: string; restored: boolean }
  return {
    id: `directory ${id} of ${new Date((await stat(file)).birthtimeMs).toISOString()}`,
    isRestored: restored,
  }
}

async function getPlace({ config, db }: Deps): Promise<Place> {
  return hasExternalDatabase(config)
    ? { id: await getDatabaseId(db), isRestored: false }
    : readDataDirectory(config)
}

/** Returns why this process is not adopted; undefined if it is. Adopts the first installation on a database. */
export async function findObstacle(deps: Deps): Promise<string | undefined> {
  const place = await getPlace(deps)
  return transact(deps.db, async tx => {
    await lockFirstStart(tx)
    if (!place.isRestored && !(await hasInstallations(tx))) await upsertAdopted(tx, place.id, null)
    const obstacle = await compare(deps, tx, place.id)
    if (obstacle) await upsertWaiting(tx, place.id, deps.config.publicUrl)
    return obstacle
  })
}

async function compare(deps: Deps, tx: Tx, id: string): Promise<string | undefined> {
  const { publicUrl } = deps.config
  const installation = await findInstallation(tx, id)
  if (!installation?.adoptedAt) return 'the database is a copy of another installation'
  if (installation.publicUrl === publicUrl || !(await isRegisteredElsewhere(deps, tx))) return undefined
  return `providers call another URL than PUBLIC_URL (${publicUrl})`
}

export interface Adopted {
  id: string
  publicUrl: string
}

/** Adopts the process that waits, or the place of this one. Returns undefined if there is nothing to adopt. */
export async function adopt(deps: Deps): Promise<Adopted | undefined> {
  const place = await getPlace(deps)
  return transact(deps.db, async tx => {
    await lockFirstStart(tx)
    const waiting = await findWaiting(tx)
    if (!waiting && (await compare(deps, tx, place.id)) === undefined) return undefined
    const { id, waitingUrl } = waiting ?? { id: place.id, waitingUrl: null }
    const publicUrl = waitingUrl ?? deps.config.publicUrl
    await upsertAdopted(tx, id, publicUrl)
    return { id, publicUrl }
  })
}
