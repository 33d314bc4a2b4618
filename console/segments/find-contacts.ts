import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../api/client.ts'

export type FoundContact = Schemas['ContactSummary']

const delayMs = 200

/** Searches contacts, archived ones too, by name, number or e-mail address. */
export function useFoundContacts(text: string): readonly FoundContact[] {
  const [found, setFound] = useState<readonly FoundContact[]>([])
  useEffect(() => {
    if (text.trim() === '') return setFound([])
    let isCurrent = true
    const timer = setTimeout(() => {
      const conditions = [
        { type: 'searchText' as const, text: text.trim() },
        { type: 'archiveStatus' as const, status: 'any' as const },
      ]
      const body = { filter: { match: 'all' as const, conditions }, limit: 5 }
      call(api.POST('/contacts/search', { body })).then(
        ({ items }) => isCurrent && setFound(items),
        () => {},
      )
    }, delayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  return found
}
