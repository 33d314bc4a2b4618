/**
 * Templates with placeholders: `Hi {{contact.name | default: "there"}}`. A placeholder is a path into the scope with an
 * optional default. Nothing is executed, and only own members of plain data are read. A value that is absent, null or
 * blank and has no default is reported as missing, so that the caller decides whether to send the text. The text that
 * placeholders produce is limited, however long the template and the values are.
 *
 * A path is a list of names separated by dots (`contact.customFields.Favourite colour`); a name with a dot, a bar or a
 * brace is written `["like.this"]`. `\{{` escapes two braces.
 */
import { LRUCache } from 'lru-cache'

export type Scope = Readonly<Record<string, unknown>>

export interface Placeholder {
  path: readonly string[]
  /** Undefined if the value is required. */
  fallback: string | undefined
}

export interface Interpolation {
  text: string
  /** Paths of the missing values, as written in the template; also of values that exceed the budget. */
  missing: string[]
}

/** Limits the work of one or several interpolations: characters that values add, with a minimum for each placeholder. */
export interface InterpolationBudget {
  remaining: number
  exceeded: boolean
  /** Texts of objects, which a template may contain many times. */
  readonly texts: Map<object, string>
}

const maxFilledCharacters = 262_144
const minPlaceholderCost = 64

export function createBudget(remaining = maxFilledCharacters): InterpolationBudget {
  return { remaining, exceeded: false, texts: new Map() }
}

interface TemplateError {
  error: string
  source: string
}

type Part = string | Placeholder | TemplateError

const parseCache = new LRUCache<string, readonly Part[]>({
  max: 2_000,
  maxSize: 4_000_000,
  sizeCalculation: measure,
})

function measure(_parts: readonly Part[], template: string): number {
  return template.length + 1
}

/** Encodes a value for its place. `text` is undefined if the value is missing and has no default. */
export type EncodeValue = (
  filled: { text: string | undefined; value: unknown },
  /** The text of the template between the previous placeholder and this one. */
  literal: string,
) => string

/** Fills the placeholders. Stops and sets `budget.exceeded` when the budget is used up. */
export function interpolate(
  template: string,
  scope: Scope,
  budget = createBudget(),
  encode: EncodeValue = ({ text }) => text ?? '',
): Interpolation {
  const missing: string[] = []
  let text = ''
  let literal = ''
  for (const part of parseCached(template)) {
    if (typeof part === 'string') {
      text += part
      literal += part
      continue
    }
    const filled = 'error' in part ? { text: undefined, value: undefined } : fill(part, scope, budget)
    if (filled.text === undefined) missing.push('error' in part ? part.source : formatPath(part.path))
    if (budget.exceeded) break
    text += encode(filled, literal)
    literal = ''
  }
  return { text, missing }
}

function fill(
  { path, fallback }: Placeholder,
  scope: Scope,
  budget: InterpolationBudget,
): { text: string | undefined; value: unknown } {
  const value = valueAt(scope, path)
  const own = toText(value, budget.texts)
  const text = own ?? fallback
  budget.remaining -= Math.max(minPlaceholderCost, text?.length ?? 0)
  budget.exceeded ||= budget.remaining < 0
  return { text: budget.exceeded ? undefined : text, value: own === undefined ? undefined : value }
}

export function findPlaceholders(template: string): Placeholder[] {
  return parseCached(template).flatMap(part => (typeof part === 'string' || 'error' in part ? [] : [part]))
}

export function findTemplateErrors(template: string): string[] {
  return parseCached(template).flatMap(part =>
    typeof part !== 'string' && 'error' in part ? [part.error] : [],
  )
}

/** Returns the value at a path, reading own members of objects and arrays only; undefined if there is none. */
export function valueAt(scope: unknown, path: readonly string[]): unknown {
  let value: unknown = scope
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function toText(value: unknown, texts: Map<object, string>): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  if (typeof value !== 'object' || value === null) return undefined
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

function formatPath(path: readonly string[]): string {
  return path.join('.')
}

function parseCached(template: string): readonly Part[] {
  let parts = parseCache.get(template)
  if (!parts) {
    parts = parse(template)
    parseCache.set(template, parts)
  }
  return parts
}

/** Limits placeholders, so that parsing takes time linear in the length of the template. */
const maxPlaceholderLength = 500
const maxPlaceholders = 1_000

function parse(template: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (let at = template.indexOf('{{'); at !== -1; at = template.indexOf('{{', end)) {
    if (parts.length >= 2 * maxPlaceholders)
      return [...parts, { error: `must have at most ${maxPlaceholders} placeholders`, source: '{{' }]
    if (at > end && template[at - 1] === '\\') {
      parts.push(template.slice(end, at - 1), '{{')
      end = at + 2
      continue
    }
    const close = findClose(template, at + 2)
    parts.push(
      template.slice(end, at),
      parsePlaceholder(close === -1 ? undefined : template.slice(at + 2, close)),
    )
    end = close === -1 ? at + 2 : close + 2
  }
  return [...parts, template.slice(end)]
}

/** Returns the end of a placeholder, or -1; only quoted text in it may contain `{{` or `}}`. */
function findClose(template: string, from: number): number {
  let quote: string | undefined
  const limit = Math.min(template.length - 1, from + maxPlaceholderLength)
  for (let at = from; at < limit; at++) {
    const character = template[at]!
    if (quote !== undefined) quote = character === quote ? undefined : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '}' && template[at + 1] === '}') return at
    else if (character === '{' && template[at + 1] === '{') return -1
  }
  return -1
}

function parsePlaceholder(inner: string | undefined): Part {
  if (inner === undefined)
    return { error: `has {{ without }} within ${maxPlaceholderLength} characters`, source: '{{' }
  const source = inner.trim()
  const [, path = '', filter] = /^((?:"[^"]*"|'[^']*'|[^|"'])*)(?:\|([\s\S]*))?$/.exec(inner) ?? []
  const names = parsePath(path.trim())
  if (!names) return { error: `cannot read {{${inner}}}: write a path such as contact.name`, source }
  if (filter === undefined) return { path: names, fallback: undefined }
  const fallback = parseFallback(filter)
  return fallback === undefined
    ? { error: `cannot read {{${inner}}}: the only filter is "default: …"`, source }
    : { path: names, fallback }
}

function parseFallback(filter: string): string | undefined {
  const [, written] = /^default\s*:([\s\S]*)$/.exec(filter.trim()) ?? []
  const value = written?.trim() ?? '|'
  if (/^("[^"]*"|'[^']*')$/.test(value)) return value.slice(1, -1)
  return /["'|]/.test(value) ? undefined : value
}

const step = /\.?\[\s*(?:"([^"]*)"|'([^']*)')\s*\]|\.?\s*([^.[\]|{}"'\s](?:[^.[\]|{}"']*[^.[\]|{}"'\s])?)\s*/y

/** Returns undefined if the text is not a path. */
function parsePath(text: string): string[] | undefined {
  const names: string[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (!match) return undefined
    const [whole, quoted, single, plain] = match
    const needsDot = names.length > 0 && plain !== undefined
    if (whole.startsWith('.') ? names.length === 0 : needsDot) return undefined
    names.push((quoted ?? single ?? plain)!)
  }
  return names.length > 0 && /^[a-z]\w*$/i.test(names[0]!) ? names : undefined
}
