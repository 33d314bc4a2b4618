/** Counts the views of a user for the start of a client: the built-in ones and the first saved ones. */
import Type, { type Static } from 'typebox'
import { countMatches } from '../../conversations/lists/lists.ts'
import { type ConversationFilter, Count, maxCounts } from '../../conversations/lists/schemas.ts'
import { bootstrapPart } from '../../platform/contributions/bootstrap.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { object } from '../../platform/http/schemas.ts'
import { listViews } from '../store/views.ts'

const open = { status: ['open' as const], snoozed: false }

/** Closed conversations are many and are not work to be done. */
const builtInFilters: Readonly<Record<string, ConversationFilter>> = {
  mine: { ...open, ownerId: 'me' },
  unassigned: { ...open, ownerId: 'none' },
  mentions: { ...open, mentioned: true },
  team: { ...open, teamId: 'me' },
  all: open,
  snoozed: { ...open, snoozed: true },
}

const ViewCount = object({
  view: Type.String({
    description: `${Object.keys(builtInFilters).join(', ')}, or the id of a saved view`,
  }),
  ...Count.properties,
})

/** A client shows its first screen without the counts rather than later; they follow with realtime. */
const timeoutMs = 200

export const viewCountsPart = bootstrapPart({
  name: 'viewCounts',
  scope: 'conversation:list',
  schema: Type.Array(ViewCount, {
    description: `of the built-in views and the first saved ones, ${maxCounts} in total; left out if counting takes longer than ${timeoutMs} ms: \`count_views\` frames and \`POST /conversations/counts\` have no such limit`,
  }),
  load: (deps, caller) => withinTimeout(deps, countViews(deps, caller)),
})

async function countViews({ db }: Deps, caller: Caller): Promise<Static<typeof ViewCount>[]> {
  const saved = caller.scopes.has('view:list') ? await listViews(db, caller, 'conversations') : []
  const filters = [...Object.entries(builtInFilters), ...saved.map(({ id, filter }) => [id, filter] as const)]
  const counted = filters.slice(0, maxCounts)
  const { counts } = await countMatches(
    db,
    caller,
    counted.map(([, filter]) => filter),
  )
  return counted.map(([view], position) => ({ view, ...counts[position]! }))
}

/** Returns undefined after the timeout, or if the counts failed: they are no reason to refuse the rest. */
async function withinTimeout<T>({ log }: Deps, counts: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, timeoutMs, undefined)
  })
  const found = counts.catch(error => {
    log.warn({ err: error }, 'counts of views failed')
    return undefined
  })
  return Promise.race([found, timeout]).finally(() => clearTimeout(timer))
}
