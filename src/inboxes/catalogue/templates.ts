/**
 * Templates of the chat provider as a send needs them: looked up by name and language, remembered for a minute, and
 * held against what is to be filled into them. Only the provider has the last word, so what it cannot be asked about
 * is not held against anybody.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../platform/deps.ts'
import { getAccount } from '../accounts.ts'
import { findTemplates, type Template } from '../providers/chatapp/catalogue.ts'
import { ProviderCallError } from '../providers/http-client.ts'
import type { InboxRow } from '../store/inboxes.ts'

export { findTemplateViolations as templateViolations } from '../capabilities/template.ts'
export type { Template } from '../providers/chatapp/catalogue.ts'

const freshMs = 60_000
const staleMs = 3_600_000

interface CacheEntry {
  at: number
  templates: Template[]
}

type TemplateDeps = Pick<Deps, 'db' | 'keys' | 'channels' | 'config' | 'log'>
const caches = new WeakMap<Deps['db'], LRUCache<string, CacheEntry>>()
const inFlight = new Map<string, Promise<Template[] | undefined>>()

function getCache({ db }: TemplateDeps): LRUCache<string, CacheEntry> {
  let cache = caches.get(db)
  if (!cache) {
    cache = new LRUCache<string, CacheEntry>({ max: 5_000, ttl: staleMs })
    caches.set(db, cache)
  }
  return cache
}

/** The template; null when the provider has none of this name and language; undefined when it could not be asked. */
export async function findTemplate(
  deps: TemplateDeps,
  inbox: Pick<InboxRow, 'tenantId' | 'id' | 'config'>,
  name: string,
  language: string,
): Promise<Template | null | undefined> {
  const key = `${inbox.id}/${name}`
  const kept = getCache(deps).get(key)
  const isFresh = kept !== undefined && performance.now() - kept.at < freshMs
  const found = kept?.templates.find(one => one.language === language)
  if (isFresh && found) return found
  const asked = fetchOnce(deps, inbox, name, key)
  // A template that was there a while ago is good enough not to wait; one that was not may have been made since.
  if (found) return found
  const templates = await asked
  return templates && (templates.find(one => one.language === language) ?? null)
}

/** Nobody asks twice at once. */
function fetchOnce(
  deps: TemplateDeps,
  inbox: Pick<InboxRow, 'tenantId' | 'id' | 'config'>,
  name: string,
  key: string,
): Promise<Template[] | undefined> {
  let asked = inFlight.get(key)
  if (!asked) {
    asked = fetchTemplates(deps, inbox, name, key).finally(() => inFlight.delete(key))
    inFlight.set(key, asked)
  }
  return asked
}

async function fetchTemplates(
  deps: TemplateDeps,
  inbox: Pick<InboxRow, 'tenantId' | 'id' | 'config'>,
  name: string,
  key: string,
): Promise<Template[] | undefined> {
  try {
    const account = await getAccount(deps, inbox.tenantId, inbox.id)
    const templates = await findTemplates(account, inbox.config.wabaId ?? '', name)
    getCache(deps).set(key, { at: performance.now(), templates })
    return templates
  } catch (error) {
    if (!(error instanceof ProviderCallError)) deps.log.warn({ err: error }, 'could not look for a template')
    return undefined
  }
}
