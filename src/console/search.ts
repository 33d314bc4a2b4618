/** Searches all kinds of resources at a time, for a command palette. */
import Type from 'typebox'
import { everyone } from '../identity/rights/roles.ts'
import type { SearchPart, SearchRequest } from '../platform/contributions/search.ts'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import { section } from '../platform/http/route.ts'
import { AnyId, literals, named, nullable, object, visibleText } from '../platform/http/schemas.ts'

const route = section('Console', { extension: true })
const defaultLimit = 5

export function searchRoutes(parts: readonly SearchPart[]) {
  const kinds = parts.map(({ kind }) => kind)
  const SearchHit = named(
    'SearchHit',
    object({
      id: AnyId,
      title: Type.String(),
      detail: nullable(Type.String()),
      conversationId: Type.Optional({ ...AnyId, description: 'of a message' }),
    }),
  )
  return [
    route('GET /search', {
      operationId: 'search',
      summary: 'Search all kinds of resources',
      description:
        'A few hits of each kind, for a command palette: contacts, conversations and messages by their text, all others by their name. A kind is left out if the caller lacks its scope or it has no hit.',
      access: {
        scopes: ['user:read_self'],
        roles: everyone,
        conditionalScopes: parts.map(({ kind, scope }) => ({ when: `the response has ${kind}`, scope })),
      },
      query: object({
        q: visibleText(200),
        kinds: Type.Optional(
          Type.Array(literals(kinds), { maxItems: kinds.length, description: 'all by default' }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 20,
            description: `hits of each kind; default ${defaultLimit}`,
          }),
        ),
      }),
      replica: true,
      success: {
        status: 200,
        body: object({
          results: Type.Array(object({ kind: literals(kinds), items: Type.Array(SearchHit) })),
        }),
      },
      handle: async context => {
        const { q, kinds: wanted, limit = defaultLimit } = context.query
        const searched = wanted ? parts.filter(({ kind }) => wanted.includes(kind)) : parts
        return { results: await search(context, context.caller, searched, { text: q.trim(), limit }) }
      },
    }),
  ]
}

async function search(deps: Deps, caller: Caller, parts: readonly SearchPart[], request: SearchRequest) {
  const visible = parts.filter(({ scope }) => caller.scopes.has(scope))
  const results = await Promise.all(
    visible.map(async ({ kind, find }) => ({ kind, items: await find(deps, caller, request) })),
  )
  return results.filter(({ items }) => items.length > 0)
}
