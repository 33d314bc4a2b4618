/**
 * Second, naive implementation of filters, which tests compare with the SQL and the evaluation. Shares only
 * `normalizeText` with them.
 */

import { normalizeText } from '../../contacts/search/search-text.ts'
import type { FilterSubject } from '../filter/condition.ts'
import type { ContactFilter } from '../filter/filter.ts'

const day = 86_400_000
// biome-ignore lint/suspicious/noExplicitAny: the naive implementation must not rely on the types of the first
type Any = Record<string, any>

function period({ after, before, withinDays, notWithinDays }: Any, at: string | null, now: number): boolean {
  const t = at === null ? undefined : Date.parse(at)
  if (after !== undefined && !(t !== undefined && t >= Date.parse(after))) return false
  if (before !== undefined && !(t !== undefined && t < Date.parse(before))) return false
  const recent = (days: number) => t !== undefined && t >= now - days * day
  if (withinDays !== undefined && !recent(withinDays)) return false
  return notWithinDays === undefined || !recent(notWithinDays)
}

function toDay(value: string | number): number {
  return Math.floor(new Date(value).getTime() / day)
}

function date({ operator, value }: Any, stored: string | undefined, now: number): boolean {
  if (operator === 'isSet') return stored !== undefined
  if (operator === 'isNotSet') return stored === undefined
  if (stored === undefined) return false
  const t = Date.parse(stored)
  if (operator === 'on') return toDay(stored) === toDay(value)
  if (operator === 'before') return t < Date.parse(value)
  if (operator === 'after')
    return String(value).length === 10 ? toDay(stored) > toDay(value) : t > Date.parse(value)
  const away = toDay(stored) - toDay(now)
  if (operator === 'withinNextDays') return away >= 0 && away <= value
  if (operator === 'withinLastDays') return away <= 0 && -away <= value
  const monthDay = new Date(t).toISOString().slice(5, 10)
  const today = new Date(now).toISOString().slice(5, 10)
  const common = new Date(now).getUTCFullYear() % 4 !== 0
  return monthDay === today || (monthDay === '02-29' && today === '02-28' && common)
}

function text({ operator, value }: Any, stored: string | undefined): boolean {
  const wanted = normalizeText(String(value ?? ''))
  const has = stored === undefined ? undefined : normalizeText(stored)
  switch (operator as string) {
    case 'equals':
      return has === wanted
    case 'notEquals':
      return has !== wanted
    case 'contains':
      return has?.includes(wanted) ?? false
    case 'startsWith':
      return has?.startsWith(wanted) ?? false
    case 'isSet':
      return has !== undefined
    default:
      return has === undefined
  }
}

function holds(condition: Any, contact: FilterSubject, now: number): boolean {
  switch (condition.type as string) {
    case 'searchText': {
      const tags = contact.tags.map(tag => tag.name)
      const all = [contact.name, contact.fields.cf_email, contact.fields.cf_phone, ...contact.phones, ...tags]
      return all.some(one => normalizeText(one ?? '').includes(normalizeText(condition.text)))
    }
    case 'archiveStatus':
      return condition.status === 'any' || condition.status === (contact.archivedAt ? 'archived' : 'active')
    case 'createdAt':
      return period(condition, contact.createdAt, now)
    case 'firstSeen':
      return period(condition, contact.firstSeenAt, now)
    case 'lastInteraction':
      return period(condition, contact.lastInteractionAt, now)
    case 'chatCount': {
      const { windowDays, value, operator } = condition
      const n = contact.chats.filter(at => !windowDays || Date.parse(at) >= now - windowDays * day).length
      return operator === 'eq' ? n === value : operator === 'gte' ? n >= value : n <= value
    }
    case 'customFieldText':
      return text(condition, contact.fields[condition.fieldId])
    case 'customFieldDate':
      return date(condition, contact.fields[condition.fieldId], now)
    case 'hasAnyTag':
      return contact.tags.some(tag => (condition.tagIds as string[]).includes(tag.id))
    case 'notAnyTag':
      return contact.tags.every(tag => !(condition.tagIds as string[]).includes(tag.id))
    case 'optedOut':
      return contact.optOuts.some(channel => channel === condition.channel)
    case 'inJourney':
      return contact.journeyIds.indexOf(condition.journeyId) >= 0
    case 'gotCampaign':
      return contact.campaignIds.indexOf(condition.campaignId) >= 0
    case 'createdByImport':
      return contact.importId === condition.importId
    case 'performedEvent': {
      const { name, windowDays, value, operator } = condition
      const named = contact.events.filter(event => event.name === name)
      const n = named.filter(({ at }) => !windowDays || Date.parse(at) >= now - windowDays * day).length
      return operator === 'eq' ? n === value : operator === 'gte' ? n >= value : n <= value
    }
    case 'hasAnyChannel':
      return contact.channels.some(channel => (condition.channels as string[]).includes(channel))
    default:
      return false
  }
}

function anywhere(item: Any, type: string): boolean {
  return item.type === type || (item.conditions ?? []).some((one: Any) => anywhere(one, type))
}

function groupHolds({ match, conditions }: Any, contact: FilterSubject, now: number): boolean {
  let result = match === 'all' || conditions.length === 0
  for (const one of conditions as Any[]) {
    const held = one.conditions ? groupHolds(one, contact, now) : holds(one, contact, now)
    if (match === 'all') result = result && held
    else result = result || held
  }
  return result
}

export function matchesNaively(filter: ContactFilter, contact: FilterSubject, now: Date): boolean {
  if (!anywhere(filter, 'archiveStatus') && contact.archivedAt !== null) return false
  return groupHolds(filter, contact, now.getTime())
}
