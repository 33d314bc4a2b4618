/**
 * Finds chatapp templates by name and language, cached for a minute. If the provider is unavailable, the lookup returns
 * undefined and the send is left for the provider to validate.
 */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../../platform/deps.ts'
import { type AccountDeps, getAccount } from '../accounts.ts'
import { findTemplates, type Template } from '../providers/chatapp/catalogue.ts'
import { ProviderCallError } from '../providers/http-client.ts'
import type { InboxRow } from '../store/inboxes.ts'

const freshMs = 60_000
const staleMs = 3_600_000

interface CacheEntry {
  at: number
  templates: Template[]
}

/** By inbox id and template name. */
const templateCache = defineCache(() => ({
  entries: new LRUCache<string, CacheEntry>({ max: 5_000, ttl: staleMs }),
  inFlight: new Map<string, Promise<Template[] | undefined>>(),
}))

type TemplateInbox = Pick<InboxRow, 'tenantId' | 'id' | 'config'>

/** Null if the provider has no such template; undefined if the provider could not be queried. */
export async function findTemplate(
  deps: AccountDeps,
  inbox: TemplateInbox,
  name: string,
  language: string,
): Promise<Template | null | undefined> {
  const inLanguage = (template: Template) => template.language === language
  const cached = templateCache(deps).entries.get(`${inbox.id}/${name}`)
  const known = cached?.templates.find(inLanguage)
  if (known && performance.now() - cached!.at < freshMs) return known
  const fetching = fetchOnce(deps, inbox, name)
  // Stale while revalidating: a known template is returned immediately, an unknown one is waited for.
  if (known) return known
  const templates = await fetching
  return templates && (templates.find(inLanguage) ?? null)
}

/** Concurrent requests for the same template share one call. */
function fetchOnce(deps: AccountDeps, inbox: TemplateInbox, name: string): Promise<Template[] | undefined> {
  const { inFlight } = templateCache(deps)
  const key = `${inbox.id}/${name}`
  let fetching = inFlight.get(key)
  if (!fetching) {
    fetching = fetchTemplates(deps, inbox, name, key).finally(() => inFlight.delete(key))
    inFlight.set(key, fetching)
  }
  return fetching
}

async function fetchTemplates(
  deps: AccountDeps,
  inbox: TemplateInbox,
  name: string,
  key: string,
): Promise<Template[] | undefined> {
  try {
    const account = await getAccount(deps, inbox.tenantId, inbox.id)
    const templates = await findTemplates(account, inbox.config.wabaId ?? '', name)
    templateCache(deps).entries.set(key, { at: performance.now(), templates })
    return templates
  } catch (error) {
    if (!(error instanceof ProviderCallError)) deps.log.warn({ err: error }, 'template lookup failed')
    return undefined
  }
}
