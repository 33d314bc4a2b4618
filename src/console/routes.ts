import Type from 'typebox'
import { everyone } from '../identity/rights/roles.ts'
import type { BootstrapPart } from '../platform/contributions/bootstrap.ts'
import type { Deps } from '../platform/deps.ts'
import { getLatestSeq } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { section } from '../platform/http/route.ts'
import { named, object } from '../platform/http/schemas.ts'

const route = section('Console', { extension: true })

export function consoleRoutes(parts: readonly BootstrapPart[]) {
  const properties = Object.fromEntries(parts.map(({ name, schema }) => [name, Type.Optional(schema)]))
  const Bootstrap = named(
    'Bootstrap',
    object({
      seq: Type.Integer({
        description: 'position in the event log: connect to `/v1/realtime?since=…` to receive later changes',
      }),
      ...properties,
    }),
  )
  return [
    route('GET /console/bootstrap', {
      operationId: 'getBootstrap',
      summary: 'Read everything that a client needs to start',
      description:
        'One response instead of a request for each list. A part is left out if the caller lacks its scope, and `viewCounts` also if counting takes too long. Each part is at least as new as `seq`.',
      access: {
        scopes: ['user:read_self'],
        roles: everyone,
        userOnly: true,
        conditionalScopes: parts
          .filter(({ scope }) => scope !== 'user:read_self')
          .map(({ name, scope }) => ({ when: `the response has ${name}`, scope })),
      },
      success: { status: 200, body: Bootstrap },
      handle: context => loadBootstrap(context, context.caller, parts),
    }),
  ]
}

/** Reads the position first, so that no change between the parts and the position is missed. */
async function loadBootstrap(deps: Deps, caller: Caller, parts: readonly BootstrapPart[]) {
  const seq = await getLatestSeq(deps.db, caller.tenantId)
  const visible = parts.filter(({ scope }) => caller.scopes.has(scope))
  const members = await Promise.all(
    visible.map(async ({ name, load }) => [name, await load(deps, caller)] as const),
  )
  return { seq, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) }
}
