/** Emoji after : and at least two letters. The names are loaded when they are first needed. */
import { createStore } from '../../../app/store.ts'
import { t } from '../../../i18n/i18n.ts'
import type { Emoji } from './emoji-names.ts'
import type { SuggestionSource } from './suggestions.ts'

export const knownEmoji = createStore<readonly Emoji[]>([])
let isLoading = false

async function load(): Promise<void> {
  if (isLoading || knownEmoji.get().length > 0) return
  isLoading = true
  const loaded = await import('./emoji-names.ts').catch(() => undefined)
  isLoading = false
  if (loaded) knownEmoji.set(loaded.parseEmoji())
}

const maxListed = 8

function findEmoji(typed: string): Emoji[] {
  const text = typed.toLowerCase()
  const rank = ({ names }: Emoji) =>
    names[0]!.startsWith(text) ? 0 : names.some(name => name.startsWith(text)) ? 1 : 2
  return knownEmoji
    .get()
    .filter(item => rank(item) < 2)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxListed)
}

export const emojiSource: SuggestionSource = {
  label: () => t.emoji,
  pattern: /(?:^|\s):([\p{L}\d_+]{2,30})$/u,
  load: () => void load(),
  list: typed =>
    findEmoji(typed).map(({ emoji, names }) => ({
      id: emoji,
      label: `${emoji} ${names[0]}`,
      insert: `${emoji} `,
    })),
}
