/**
 * Finds chatapp templates and flows, cached for a minute. If the provider is unavailable, a lookup returns undefined and
 * the send is left for the provider to validate.
 */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../../platform/caches.ts'
import { type AccountDeps, getAccount } from '../accounts/accounts.ts'
import { type Flow, findTemplates, listAllFlows, type Template } from '../providers/chatapp/catalogue.ts'
import { ProviderCallError } from '../providers/http-client.ts'
import type { Account } from '../providers/provider.ts'
import type { InboxRow } from '../store/inboxes.ts'

const freshMs = 60_000
const staleMs = 3_600_000

/** By inbox id and what was listed: the templates of one name, or the flows. */
const lookupCache = defineCache(() => ({
  entries: new LRUCache<string, { at: number; items: unknown[] }>({ max: 5_000, ttl: staleMs }),
  inFlight: new Map<string, Promise<unknown[] | undefined>>(),
}))

export type CatalogueInbox = Pick<InboxRow, 'tenantId' | 'id' | 'config'>

interface Lookup<T> {
  key: string
  list: (account: Account, wabaId: string) => Promise<T[]>
  matches: (item: T) => boolean
}

function templateLookup(inbox: CatalogueInbox, name: string, language: string): Lookup<Template> {
  return {
    key: `${inbox.id}/template/${name}`,
    list: (account, wabaId) => findTemplates(account, wabaId, name),
    matches: template => template.language === language,
  }
}

/** Null if the provider has no such template; undefined if the provider could not be queried. */
export function findTemplate(
  deps: AccountDeps,
  inbox: CatalogueInbox,
  name: string,
  language: string,
): Promise<Template | null | undefined> {
  return find(deps, inbox, templateLookup(inbox, name, language))
}

/** Returns the template if it is cached. For transactions, which must not wait for a provider. */
export function findCachedTemplate(
  deps: AccountDeps,
  inbox: CatalogueInbox,
  name: string,
  language: string,
): Template | undefined {
  return findCached(deps, templateLookup(inbox, name, language))?.item
}

/** Null if the provider has no such flow; undefined if the provider could not be queried. */
export function findFlow(
  deps: AccountDeps,
  inbox: CatalogueInbox,
  flowId: string,
): Promise<Flow | null | undefined> {
  return find(deps, inbox, {
    key: `${inbox.id}/flows`,
    list: listAllFlows,
    matches: flow => flow.id === flowId,
  })
}

async function find<T>(
  deps: AccountDeps,
  inbox: CatalogueInbox,
  lookup: Lookup<T>,
): Promise<T | null | undefined> {
  const cached = findCached(deps, lookup)
  if (cached && performance.now() - cached.at < freshMs) return cached.item
  const fetching = fetchOnce(deps, inbox, lookup)
  // Stale while revalidating: a known item is returned immediately, an unknown one is waited for.
  if (cached) return cached.item
  const items = await fetching
  return items && (items.find(lookup.matches) ?? null)
}

function findCached<T>(deps: AccountDeps, { key, matches }: Lookup<T>): { item: T; at: number } | undefined {
  const cached = lookupCache(deps).entries.get(key)
  const item = (cached?.items as T[] | undefined)?.find(matches)
  return item && { item, at: cached!.at }
}

/** Concurrent requests for the same list share one call. */
function fetchOnce<T>(deps: AccountDeps, inbox: CatalogueInbox, lookup: Lookup<T>): Promise<T[] | undefined> {
  const { inFlight } = lookupCache(deps)
  let fetching = inFlight.get(lookup.key) as Promise<T[] | undefined> | undefined
  if (!fetching) {
    fetching = fetchItems(deps, inbox, lookup).finally(() => inFlight.delete(lookup.key))
    inFlight.set(lookup.key, fetching)
  }
  return fetching
}

async function fetchItems<T>(
  deps: AccountDeps,
  inbox: CatalogueInbox,
  { key, list }: Lookup<T>,
): Promise<T[] | undefined> {
  try {
    const account = await getAccount(deps, inbox.tenantId, inbox.id)
    const items = await list(account, inbox.config.wabaId ?? '')
    lookupCache(deps).entries.set(key, { at: performance.now(), items })
    return items
  } catch (error) {
    if (!(error instanceof ProviderCallError)) deps.log.warn({ err: error }, 'catalogue lookup failed')
    return undefined
  }
}
