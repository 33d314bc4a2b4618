/** Describes the parameters of operations, and where a reader finds their values. */
import type { TObject, TSchema } from 'typebox'
import { buildParamsSchema, buildQuerySchema } from '../input/read-input.ts'
import type { Route } from '../route.ts'
import { acceptsIdempotencyKey, isConditional } from './problem-responses.ts'
import { type Json, toReference } from './schema-references.ts'

/** A list whose items have the values of a parameter. */
export interface ValueSource {
  /** Path of the list in the document. */
  path: string
  /** Member of an item; `id` by default. */
  member?: string
  /** Items with these members are preferred, such as inboxes of a channel. */
  prefer?: Readonly<Record<string, string>>
}

/** Says what to put into a parameter: a value from a list, an example, or a text. */
export interface ParameterDocs {
  source?: ValueSource
  example?: string
  description?: string
}

export interface RequestDocs {
  /**
   * Values for parameters, where no list at their path has the values: by the path up to the parameter
   * (`/messages/{id}`), or by the whole path and the name (`/search?q`).
   */
  parameters?: Readonly<Record<string, ParameterDocs>>
  /** Ids of operations that the reference does not fill with ids of the workspace, besides those of DELETE. */
  withoutPrefill?: readonly string[]
}

export interface ParameterContext {
  schemas: Record<string, unknown>
  /** Paths of GET operations. */
  readable: ReadonlySet<string>
  docs: RequestDocs
}

export function buildParameters(route: Route, context: ParameterContext): Json[] {
  const { schemas, docs } = context
  const inPath = listMembers(route.params ?? buildParamsSchema(route.path), schemas).map(
    ({ name, schema }) => ({
      name,
      in: 'path',
      required: true,
      schema,
      ...toMembers(findPathDocs(route.path, { name, schema }, context)),
    }),
  )
  const inQuery = listMembers(buildQuerySchema(route), schemas).map(({ name, schema, required }) => ({
    name,
    in: 'query',
    required,
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    ...toMembers(docs.parameters?.[`${route.path}?${name}`] ?? {}),
  }))
  return [...inPath, ...inQuery, ...buildHeaderParameters(route)]
}

/** Values come from the list at the path before the parameter, or from the list of the same name. */
function findPathDocs(
  path: string,
  { name, schema }: { name: string; schema: Json },
  { readable, docs }: ParameterContext,
): ParameterDocs {
  if (Array.isArray(schema.enum)) return { example: schema.enum[0] }
  const upToName = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)
  const own = docs.parameters?.[`${path}?${name}`] ?? docs.parameters?.[upToName]
  if (own) return own
  const parent = upToName.slice(0, upToName.lastIndexOf('/'))
  const list = [parent, parent.slice(parent.lastIndexOf('/'))].find(each => readable.has(each))
  return list === undefined ? {} : { source: { path: list } }
}

function toMembers({ source, example, description = source && describeSource(source) }: ParameterDocs): Json {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(source === undefined ? {} : { 'x-source': source }),
  }
}

function describeSource({ path, member = 'id', prefer = {} }: ValueSource): string {
  const preferred = Object.entries(prefer).map(([name, value]) => `, with the ${name} \`${value}\``)
  return `The \`${member}\` of an item of \`GET ${path}\`${preferred.join('')}.`
}

function buildHeaderParameters(route: Route): Json[] {
  const out: Json[] = []
  if (isConditional(route)) {
    out.push({
      name: 'If-None-Match',
      in: 'header',
      required: false,
      schema: { type: 'string' },
      description: 'The ETag you last read: the response is a 304 while it is current.',
    })
  }
  if (route.concurrency) {
    out.push({
      name: 'If-Match',
      in: 'header',
      required: route.concurrency === 'required',
      schema: { type: 'string' },
      description: 'The ETag you last read.',
    })
  }
  if (acceptsIdempotencyKey(route)) {
    const description =
      'A retry with the same key and the same request within 24 hours returns the first response and has no second effect.'
    out.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 257 },
      description,
    })
  }
  return out
}

function listMembers(schema: TObject, schemas: Json): { name: string; schema: Json; required: boolean }[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries(schema.properties).map(([name, member]) => ({
    name,
    schema: toReference(member as TSchema, schemas) as Json,
    required: required.includes(name),
  }))
}
