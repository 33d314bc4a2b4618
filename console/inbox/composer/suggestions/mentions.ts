/** The names of colleagues after @ in a note. */
import { getSignedIn } from '../../../api/session.ts'
import { t } from '../../../i18n/i18n.ts'
import type { Suggestion, SuggestionSource } from './suggestions.ts'

const maxListed = 6

/** Returns the ids of the users that the text mentions with @ and their name. */
export function findMentions(text: string): string[] {
  return [...getSignedIn().users.values()].flatMap(({ id, name }) => (text.includes(`@${name}`) ? [id] : []))
}

export const mentionSource: SuggestionSource = {
  label: () => t.mention,
  pattern: /(?:^|\s)@([\p{L}\p{M}\d .'-]{0,40})$/u,
  list: listPeople,
}

function listPeople(typed: string): Suggestion[] {
  const { me, users } = getSignedIn()
  const text = typed.toLowerCase()
  return [...users.values()]
    .filter(({ id, name, disabled }) => id !== me.id && !disabled && name.toLowerCase().startsWith(text))
    .slice(0, maxListed)
    .map(({ id, name }) => ({ id, label: name, avatar: name, insert: `@${name} ` }))
}
