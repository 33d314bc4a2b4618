/** Names the user, service account or workflow on whose behalf a transaction changes rows, for triggers that record it. */
import type { Tx } from './db.ts'
import { sql } from './sql.ts'

export interface Actor {
  type: 'user' | 'service' | 'bot' | 'journey'
  id: string
}

/** Holds until the end of the transaction or the next call; undefined: the service itself. */
export async function setActor(tx: Tx, actor: Actor | undefined): Promise<void> {
  await tx.run(sql`select set_config('parley.actor', ${actor ? `${actor.type}:${actor.id}` : ''}, true)`)
}
