/** Values after {{ in a reply: of the contact, the user and the workspace. Each is shown before it is inserted as text. */
import { api, call } from '../../../api/client.ts'
import { createStore } from '../../../app/store.ts'
import { t } from '../../../i18n/i18n.ts'
import type { SuggestionSource } from './suggestions.ts'

const maxListed = 8
/** A contact that was read this long ago is read again. */
const freshMs = 5_000

interface Values {
  contactId: string
  entries: readonly (readonly [path: string, value: string])[]
}

export const knownValues = createStore<Values>({ contactId: '', entries: [] })
let requested = { id: '', at: 0 }

async function load(id: string): Promise<void> {
  if (requested.id === id && Date.now() - requested.at < freshMs) return
  requested = { id, at: Date.now() }
  const [contact, { listValues }] = await Promise.all([
    call(api.GET('/contacts/{id}', { params: { path: { id } } })),
    import('../../later.ts'),
  ])
  if (requested.id === id) knownValues.set({ contactId: id, entries: listValues(contact) })
}

export function createPlaceholderSource(contactId: string): SuggestionSource {
  return {
    label: () => t.insertValue,
    opener: '{{',
    pattern: /\{\{([\p{L}\d._-]{0,50})$/u,
    load: () => void load(contactId).catch(() => {}),
    list: typed => {
      const known = knownValues.get()
      if (known.contactId !== contactId) return []
      return known.entries
        .filter(([path]) => path.toLowerCase().includes(typed.toLowerCase()))
        .slice(0, maxListed)
        .map(([path, value]) => ({ id: path, label: path, hint: value, insert: value }))
    },
  }
}
