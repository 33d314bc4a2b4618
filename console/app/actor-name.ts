/** Names who has changed something: a user or a service account, by the id alone. */
import { useEffect } from 'react'
import { getSignedIn, loadSession, session } from '../api/session.ts'
import { useStore } from './store.ts'

/** Undefined for a user who was deleted, and for an account that is newer than the session. */
export function findActorName(id: string | null | undefined): string | undefined {
  if (!id) return undefined
  const { users, serviceAccounts } = getSignedIn()
  return (users.get(id) ?? serviceAccounts.get(id))?.name
}

const asked = new Set<string>()

/** Reads the session again, once, for an account that was created after it was read. */
export function useActorName(id: string | null | undefined): string | undefined {
  const isSignedIn = useStore(session).status === 'signed-in'
  const name = isSignedIn ? findActorName(id) : undefined
  useEffect(() => {
    if (!id || !isSignedIn || name !== undefined || asked.has(id)) return
    asked.add(id)
    void loadSession()
  }, [id, isSignedIn, name])
  return name
}
