/** The sandbox's control surface in the API, for the caller's own inboxes: play a customer, see what was sent, make trouble. */
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { sandboxSecrets } from '../inboxes/channels.ts'
import { InboxNotFound } from '../inboxes/errors.ts'
import { findInbox, listInboxes } from '../inboxes/inboxes.ts'
import { isRegistered } from '../inboxes/webhook-registration.ts'
import { channels } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, problemKind, violation } from '../platform/errors.ts'
import { route } from '../platform/http/route.ts'
import { AnyId, object, Timestamp } from '../platform/http/schemas.ts'
import { connectSandbox } from '../sandbox/control/client.ts'
import { ControlError, type SandboxControl } from '../sandbox/control/control.ts'
import { Faults, Inbound } from '../sandbox/schemas.ts'

const SandboxOff = problemKind(404, 'sandbox_off', 'The sandbox is off, or this inbox is not on it')
const tag = 'Sandbox'
const access = { scopes: ['sandbox:control'], roles: ['owner', 'admin'] } as const

function controlOf({ channels: settings, keys }: Deps): SandboxControl {
  const channel = channels.find(one => settings[one].isSandbox) ?? fail(SandboxOff)
  return connectSandbox({
    url: new URL(settings[channel].baseUrl).origin,
    token: sandboxSecrets(keys).controlToken,
  })
}

async function accountOf(deps: Deps, tenantId: string, inboxId: string) {
  const inbox = (await findInbox(deps.db, tenantId, inboxId)) ?? fail(InboxNotFound)
  if (!deps.channels[inbox.channel].isSandbox) fail(SandboxOff)
  return { channel: inbox.channel, account: inbox.externalId }
}

async function ownAccounts(deps: Deps, tenantId: string) {
  const inboxes = await listInboxes(deps.db, tenantId)
  return inboxes
    .filter(inbox => deps.channels[inbox.channel].isSandbox)
    .map(inbox => ({ channel: inbox.channel, account: inbox.externalId }))
}

const patienceMs = 3_000

/** A new inbox tells the provider where to call in the background; what a customer does before that nobody hears. */
async function untilReachable({ db }: Deps, tenantId: string, inboxId: string): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isRegistered(db, tenantId, inboxId)) && performance.now() < end) await sleep(25)
}

/** What the sandbox cannot play is the caller's mistake. */
async function played<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ControlError) invalid(violation('body', 'sandbox_refused', error.message))
    throw error
  }
}

const SentMessage = object({
  providerMessageId: Type.String(),
  to: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
  receivedAt: Timestamp,
})

export const sandboxRoutes = [
  route({
    method: 'POST',
    path: '/sandbox/inbound',
    tag,
    summary: 'Play a customer who writes to an inbox',
    access,
    extension: true,
    bodyLimit: 25 * 1024 * 1024,
    body: object({ inboxId: AnyId, ...Inbound.properties }),
    success: { status: 202, body: object({ providerMessageId: Type.String() }) },
    errors: [InboxNotFound, SandboxOff],
    handle: async context => {
      const { inboxId, ...inbound } = context.body
      const account = await accountOf(context, context.caller.tenantId, inboxId)
      await untilReachable(context, context.caller.tenantId, inboxId)
      return played(controlOf(context).inbound(account, inbound))
    },
  }),
  route({
    method: 'GET',
    path: '/sandbox/sent',
    tag,
    summary: 'What the provider got from an inbox, complete and in order',
    access,
    extension: true,
    query: object({ inboxId: AnyId, to: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
    success: { status: 200, body: object({ items: Type.Array(SentMessage) }) },
    errors: [InboxNotFound, SandboxOff],
    handle: async context => {
      const account = await accountOf(context, context.caller.tenantId, context.query.inboxId)
      return { items: await played(controlOf(context).sent(account, context.query.to)) }
    },
  }),
  route({
    method: 'POST',
    path: '/sandbox/clock',
    tag,
    summary: "Move the providers' time on, for your inboxes",
    access,
    extension: true,
    body: object({ advanceSeconds: Type.Integer({ minimum: 0, maximum: 10 * 366 * 86_400 }) }),
    success: { status: 200, body: object({ now: Timestamp }) },
    errors: [SandboxOff],
    handle: async context =>
      controlOf(context).advanceClock(
        context.body.advanceSeconds,
        await ownAccounts(context, context.caller.tenantId),
      ),
  }),
  route({
    method: 'PUT',
    path: '/sandbox/faults',
    tag,
    summary: 'Make the providers drop, delay, repeat or reorder callbacks, or fail, for your inboxes',
    access,
    extension: true,
    body: Faults,
    success: { status: 200, body: Faults },
    errors: [SandboxOff],
    handle: async context => {
      await controlOf(context).setFaults(context.body, await ownAccounts(context, context.caller.tenantId))
      return context.body
    },
  }),
  route({
    method: 'DELETE',
    path: '/sandbox/faults',
    tag,
    summary: 'Let the providers work again',
    access,
    extension: true,
    success: { status: 204 },
    errors: [SandboxOff],
    handle: async context =>
      controlOf(context).clearFaults(await ownAccounts(context, context.caller.tenantId)),
  }),
]
