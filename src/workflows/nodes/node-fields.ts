/** Schemas and checks that several nodes share: durations, names, and texts with placeholders. */
import Type, { type Static } from 'typebox'
import { findBlankTexts } from '../../inboxes/capabilities/content.ts'
import { listMediaReferences, OutboundContent, type SendableContent } from '../../inboxes/content.ts'
import { suggestClosest } from '../../platform/closest.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { named, object } from '../../platform/http/schemas.ts'
import { findPlaceholders, findTemplateErrors } from '../../platform/interpolation/interpolation.ts'
import type { Reference } from './node-type.ts'

const second = 1_000
const units = { seconds: second, minutes: 60 * second, hours: 3_600 * second, days: 86_400 * second }
const maxDays = 730

const upTo = (unit: keyof typeof units) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: (maxDays * units.days) / units[unit] }))

export const Duration = named(
  'Duration',
  object(
    { seconds: upTo('seconds'), minutes: upTo('minutes'), hours: upTo('hours'), days: upTo('days') },
    { minProperties: 1, maxProperties: 1, description: 'Exactly one of its properties; at most two years' },
  ),
)
export type Duration = Static<typeof Duration>

/** Of the entry mode `cooldown`: how long after the start of a run the contact may enter again. */
export const Cooldown = object({ for: Duration })

export function toMs(duration: Duration): number {
  return Object.entries(duration).reduce((sum, [unit, n]) => sum + n * units[unit as keyof typeof units], 0)
}

export function addDuration(now: Date, duration: Duration): Date {
  return new Date(now.getTime() + toMs(duration))
}

export const VariableName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
  patternMessage: 'must be at most 64 letters, digits and _, and must not start with a digit',
})

/** Id of an option or case, and name of its output. */
export const OutputId = Type.String({
  pattern: '^[A-Za-z0-9_.:-]{1,100}$',
  patternMessage: 'must be 1 to 100 letters, digits, _ . : or -',
})

/** Values that texts may reference. */
const roots = new Set(['contact', 'conversation', 'message', 'variables', 'event', 'now'])

/** Returns a violation for each placeholder in a text of the value that is invalid or references an unknown value. */
export function placeholderViolations(value: unknown, path: string): Violation[] {
  return listTexts(value, path).flatMap(({ text, path: at }) => textViolations(text, at))
}

/** Returns the texts of the value with their paths. */
export function listTexts(value: unknown, path: string): { text: string; path: string }[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    listTexts(item, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
  )
}

function textViolations(text: string, path: string): Violation[] {
  const unread = findTemplateErrors(text).map(fault => violation(path, 'invalid_place', fault))
  return [...unread, ...findPlaceholders(text).flatMap(place => rootViolations(place.path, path))]
}

function rootViolations([root, ...names]: readonly string[], path: string): Violation[] {
  if (roots.has(root!)) return []
  if (root === 'secrets')
    return [violation(path, 'misplaced_secret', 'secrets can be used only in URLs and headers of http nodes')]
  const written = [root, ...names].join('.')
  return [violation(path, 'unknown_value', `{{${written}}} must start with ${[...roots].join(', ')}`)]
}

/** Returns the names of the secrets that the texts of the value contain, with their paths. */
export function listSecretNames(value: unknown, path: string): { name: string; path: string }[] {
  return listTexts(value, path).flatMap(({ text, path: at }) =>
    findPlaceholders(text).flatMap(({ path: [root, name] }) =>
      root === 'secrets' && name !== undefined ? [{ name, path: at }] : [],
    ),
  )
}

export function hasPlaceholders(text: string): boolean {
  return findPlaceholders(text).length > 0
}

/** Content of a message; its texts may contain placeholders. */
export const NodeContent = OutboundContent

export function contentTextViolations(content: SendableContent | undefined, path: string): Violation[] {
  return [...placeholderViolations(content, path), ...findBlankTexts(content, path)]
}

export function contentReferences(content: SendableContent, path: string, inboxId?: string): Reference[] {
  const media = listMediaReferences(content).map(({ mediaId, field }) => ({
    kind: 'media' as const,
    id: mediaId,
    path: field.replace(/^content/, path),
  }))
  const on = inboxId ? { inboxId } : {}
  if (content.type === 'template') {
    const { name, language } = content.template
    return [...media, { kind: 'template', id: name, language, path: `${path}.template.name`, ...on }]
  }
  const actions = content.type === 'rich' ? content.rich.actions : []
  const flows = actions.flatMap((action, i) =>
    action.type === 'flow'
      ? [{ kind: 'flow' as const, id: action.flowId, path: `${path}.rich.actions[${i}].flowId`, ...on }]
      : [],
  )
  return [...media, ...flows]
}

export function inboxReferences(inboxId: string | undefined): Reference[] {
  return inboxId === undefined ? [] : [{ kind: 'inbox', id: inboxId, path: 'inboxId' }]
}

/** Returns a violation for each name that is used twice or is reserved for another output. */
export function duplicateViolations(
  names: readonly string[],
  reserved: readonly string[],
  at: (i: number) => string,
) {
  const seen = new Set(reserved)
  return names.flatMap((name, i) => {
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    return [violation(at(i), 'duplicate', `output "${name}" already exists`)]
  })
}

/** Returns a violation unless exactly one of the properties is set. */
export function exactlyOneViolations(data: object, members: readonly string[]): Violation[] {
  const given = members.filter(name => (data as Record<string, unknown>)[name] !== undefined)
  if (given.length === 1) return []
  const text = `must set exactly one of ${members.join(', ')}`
  return [violation(given[1] ?? members[0]!, given.length === 0 ? 'required' : 'conflict', text)]
}

/** Names the id that was most likely meant. */
export function describeUnknownNode(id: string, ids: Iterable<string>): string {
  // Short ids differ by one character although they mean different nodes.
  return `node "${id}" not found${id.length < 3 ? '' : suggestClosest(id, ids)}`
}

export function normalizeReply(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
}
