/** Finds the action that would lose its keys if another one had them. */
import { type ActionId, defaultKeys, keysById, type Screen } from '../../actions/default-keys.ts'
import { getChosenKeys } from '../../actions/shortcuts.ts'

/** Where the actions of a screen are registered. Screens that are never open together may use the same keys. */
const places: Record<Screen, readonly ('inbox' | 'contacts' | 'builder')[]> = {
  general: ['inbox', 'contacts', 'builder'],
  lists: ['inbox', 'contacts'],
  inbox: ['inbox'],
  conversation: ['inbox'],
  contacts: ['contacts'],
  builder: ['builder'],
}

export interface Collision {
  screen: Screen
  /** A saved view has its key by its position in the list of views. */
  id: ActionId | 'saved-view'
}

export const screens = Object.keys(defaultKeys) as Screen[]

export const listIds = (screen: Screen) => Object.keys(defaultKeys[screen]) as ActionId[]

const areTogether = (a: Screen, b: Screen) => places[a].some(place => places[b].includes(place))

/** The first stroke of a sequence runs nothing: an action with that stroke alone would hide the sequence. */
const isSameStart = (a: string, b: string) => `${a} `.startsWith(`${b} `) || `${b} `.startsWith(`${a} `)

/** `names` are those of the same keys, such as `!` and `shift+1`, or `! a` and `shift+1 a`. */
export function findCollision(id: ActionId, screen: Screen, names: readonly string[]): Collision | undefined {
  for (const other of screens.filter(name => areTogether(name, screen)))
    for (const otherId of listIds(other)) {
      const keys = getChosenKeys({ id: otherId })
      if (otherId !== id && keys && names.some(name => isSameStart(keys, name)))
        return { screen: other, id: otherId }
    }
  const isOfView = names.some(name => /^[89]( |$)/.test(name)) && areTogether('inbox', screen)
  return isOfView ? { screen: 'inbox', id: 'saved-view' } : undefined
}

/** Keys that press buttons, move the focus and edit text. */
const reserved = /^(shift\+)?(enter| |tab)$|^mod\+([acvxz]|shift\+z)$/

export const isReserved = (id: ActionId, stroke: string) => keysById[id] !== stroke && reserved.test(stroke)
