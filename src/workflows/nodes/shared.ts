/** What several nodes have in common: durations, names, and texts with places for values. */
import Type, { type Static } from 'typebox'
import { listMediaReferences, OutboundContent, type SendableContent } from '../../inboxes/content.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { named, object } from '../../platform/http/schemas.ts'
import { findPlaceholders, findTemplateErrors } from '../../platform/interpolation.ts'
import type { Output, Reference } from './node-type.ts'

const second = 1_000
const units = { seconds: second, minutes: 60 * second, hours: 3_600 * second, days: 86_400 * second }
const maxDays = 730

const upTo = (unit: keyof typeof units) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: (maxDays * units.days) / units[unit] }))

export const Duration = named(
  'Duration',
  object(
    { seconds: upTo('seconds'), minutes: upTo('minutes'), hours: upTo('hours'), days: upTo('days') },
    { minProperties: 1, maxProperties: 1, description: 'Exactly one of its members; at most two years' },
  ),
)
export type Duration = Static<typeof Duration>

export function toMs(duration: Duration): number {
  return Object.entries(duration).reduce((sum, [unit, n]) => sum + n * units[unit as keyof typeof units], 0)
}

export function addDuration(now: Date, duration: Duration): Date {
  return new Date(now.getTime() + toMs(duration))
}

export const VariableName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
  patternMessage: 'must be letters, digits and _, not beginning with a digit, at most 64',
})

/** Of an option or case; also the name of its output. */
export const OutputId = Type.String({
  pattern: '^[A-Za-z0-9_.:-]{1,100}$',
  patternMessage: 'must be 1 to 100 letters, digits, _ . : or -',
})

export const next: Output = { name: 'next', summary: 'It is done' }

/** What texts may speak of. */
const roots = new Set(['contact', 'conversation', 'message', 'variables', 'event', 'now'])

/** Places in any text of the value that cannot be read, or speak of what there is not. */
export function placeholderViolations(value: unknown, path: string): Violation[] {
  if (typeof value === 'string') return textViolations(value, path)
  if (Array.isArray(value)) return value.flatMap((one, i) => placeholderViolations(one, `${path}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => placeholderViolations(one, `${path}.${name}`))
}

function textViolations(text: string, path: string): Violation[] {
  const unread = findTemplateErrors(text).map(fault => violation(path, 'invalid_place', fault))
  const unknown = findPlaceholders(text).filter(place => !roots.has(place.path[0]!))
  return [
    ...unread,
    ...unknown.map(({ path: names }) =>
      violation(
        path,
        'unknown_value',
        `{{${names.join('.')}}} is not there; values begin with ${[...roots].join(', ')}`,
      ),
    ),
  ]
}

export function hasPlaceholders(text: string): boolean {
  return findPlaceholders(text).length > 0
}

/** Content of a message, with places for values in its texts. */
export const NodeContent = OutboundContent

/** The template and files that content needs. */
export function contentReferences(content: SendableContent, path: string, inboxId?: string): Reference[] {
  const media = listMediaReferences(content).map(({ mediaId, field }) => ({
    kind: 'media' as const,
    id: mediaId,
    path: field.replace(/^content/, path),
  }))
  if (content.type !== 'template') return media
  const { name, language } = content.template
  return [
    ...media,
    { kind: 'template', id: name, language, path: `${path}.template.name`, ...(inboxId ? { inboxId } : {}) },
  ]
}

export function inboxReferences(inboxId: string | undefined): Reference[] {
  return inboxId === undefined ? [] : [{ kind: 'inbox', id: inboxId, path: 'inboxId' }]
}

/** Names that are there twice, or that another output has. */
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
    return [violation(at(i), 'not_unique', `there is an output "${name}" already`)]
  })
}

/** 400 unless exactly one of the members is given. */
export function exactlyOneViolations(data: object, members: readonly string[]): Violation[] {
  const given = members.filter(name => (data as Record<string, unknown>)[name] !== undefined)
  if (given.length === 1) return []
  const text = `give exactly one of ${members.join(', ')}`
  return [violation(given[1] ?? members[0]!, given.length === 0 ? 'required' : 'conflict', text)]
}

/** For comparing what somebody wrote with what was expected. */
export function normalizeReply(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
}
