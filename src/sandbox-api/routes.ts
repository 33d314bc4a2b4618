/** API routes that control the provider sandbox for the caller's own inboxes: simulate customers, inspect sent messages, inject failures. */
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { ageConversations } from '../conversations/conversations.ts'
import { managers } from '../identity/rights/roles.ts'
import { isRegistered } from '../inboxes/accounts/webhook-registration.ts'
import { sandboxSecrets } from '../inboxes/channels.ts'
import { InboxNotFound } from '../inboxes/errors.ts'
import { findInbox, listInboxes } from '../inboxes/inboxes.ts'
import { type RemoteChannel, remoteChannels } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, problemKind, violation } from '../platform/errors.ts'
import { section } from '../platform/http/route.ts'
import { AnyId, literals, object, Timestamp } from '../platform/http/schemas.ts'
import { connectSandbox } from '../sandbox/control/client.ts'
import { ControlError, type SandboxControl } from '../sandbox/control/control.ts'
import { Faults, Inbound } from '../sandbox/schemas.ts'
import { advanceWorkflowClock } from '../workflows/engine/schedules/schedules.ts'

const SandboxOff = problemKind(404, 'sandbox_off', 'The sandbox is off, or this inbox does not use it')
const route = section('Sandbox', { extension: true })
const access = { scopes: ['sandbox:control'], roles: managers } as const

function getControl({ channels: settings, keys }: Deps): SandboxControl {
  const channel = remoteChannels.find(name => settings[name].isSandbox) ?? fail(SandboxOff)
  return connectSandbox({
    url: new URL(settings[channel].baseUrl).origin,
    token: sandboxSecrets(keys).controlToken,
  })
}

async function getAccount(deps: Deps, tenantId: string, inboxId: string) {
  const inbox = (await findInbox(deps.db, tenantId, inboxId)) ?? fail(InboxNotFound)
  if (!deps.channels[inbox.channel].isSandbox) fail(SandboxOff)
  return { channel: inbox.channel as RemoteChannel, account: inbox.externalId }
}

async function listAccounts(deps: Deps, tenantId: string) {
  const inboxes = await listInboxes(deps.db, tenantId)
  return inboxes
    .filter(inbox => deps.channels[inbox.channel].isSandbox)
    .map(inbox => ({ channel: inbox.channel as RemoteChannel, account: inbox.externalId }))
}

const registrationTimeoutMs = 3_000

/** Waits for the background registration of a new inbox's webhook: earlier callbacks would be lost. */
async function waitForRegistration({ db }: Deps, tenantId: string, inboxId: string): Promise<void> {
  const deadline = performance.now() + registrationTimeoutMs
  while (!(await isRegistered(db, tenantId, inboxId)) && performance.now() < deadline) await sleep(25)
}

/** Reports input that the sandbox refuses as a validation error. */
async function mapControlErrors<T>(work: Promise<T>): Promise<T> {
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
  route('GET /sandbox', {
    operationId: 'getSandbox',
    summary: 'Get the channels that the sandbox simulates',
    description: 'The list is empty if the sandbox is off.',
    access,
    success: { status: 200, body: object({ channels: Type.Array(literals(remoteChannels)) }) },
    handle: async ({ channels: settings }) => ({
      channels: remoteChannels.filter(name => settings[name].isSandbox),
    }),
  }),
  route('POST /sandbox/inbound', {
    operationId: 'simulateInbound',
    summary: 'Simulate a message from a customer to an inbox',
    description: 'The message arrives through the signed callback of the provider.',
    access,
    bodyLimit: 25 * 1024 * 1024,
    body: object({ inboxId: AnyId, ...Inbound.properties }),
    example: {
      inboxId: 'ibx_01k4xq7d9hfk3b0m6a7yz2c5rf',
      from: '+14155550132',
      content: { type: 'text', text: { body: 'Hi, is anybody there?' } },
    },
    success: { status: 202, body: object({ providerMessageId: Type.String() }) },
    errors: [InboxNotFound, SandboxOff],
    handle: async context => {
      const { inboxId, ...inbound } = context.body
      const account = await getAccount(context, context.caller.tenantId, inboxId)
      await waitForRegistration(context, context.caller.tenantId, inboxId)
      return mapControlErrors(getControl(context).inbound(account, inbound))
    },
  }),
  route('GET /sandbox/sent', {
    operationId: 'listSandboxMessages',
    summary: 'List the messages that the provider received from an inbox, complete and in order',
    description: '`to` restricts the list to one customer.',
    access,
    query: object({ inboxId: AnyId, to: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
    success: { status: 200, body: object({ items: Type.Array(SentMessage) }) },
    errors: [InboxNotFound, SandboxOff],
    handle: async context => {
      const account = await getAccount(context, context.caller.tenantId, context.query.inboxId)
      return { items: await mapControlErrors(getControl(context).sent(account, context.query.to)) }
    },
  }),
  route('POST /sandbox/clock', {
    operationId: 'advanceSandboxClock',
    summary: "Advance the clock of the providers and of your workspace's runs and messaging windows",
    description: 'Closes messaging windows and expires rate limits at the providers. It never goes back.',
    access,
    body: object({ advanceSeconds: Type.Integer({ minimum: 0, maximum: 10 * 366 * 86_400 }) }),
    example: { advanceSeconds: 3600 },
    success: { status: 200, body: object({ now: Timestamp }) },
    errors: [SandboxOff],
    handle: async context => {
      const { tenantId } = context.caller
      const { advanceSeconds } = context.body
      const accounts = await listAccounts(context, tenantId)
      const now = await getControl(context).advanceClock(advanceSeconds, accounts)
      // A workspace with an inbox at a real provider keeps the real time.
      const inboxes = (await listInboxes(context.db, tenantId)).filter(({ channel }) => channel !== 'webchat')
      if (inboxes.length > accounts.length) return now
      await context.write(async tx => {
        await ageConversations(tx, tenantId, advanceSeconds)
        await advanceWorkflowClock(tx, tenantId, advanceSeconds)
      })
      return now
    },
  }),
  route('PUT /sandbox/faults', {
    operationId: 'setSandboxFaults',
    summary: 'Let the providers drop, delay, repeat or reorder callbacks, or fail requests, for your inboxes',
    description: 'Replaces all faults.',
    access,
    body: Faults,
    example: { callbacks: { duplicate: { probability: 0.1 } } },
    success: { status: 200, body: Faults },
    errors: [SandboxOff],
    handle: async context => {
      await getControl(context).setFaults(context.body, await listAccounts(context, context.caller.tenantId))
      return context.body
    },
  }),
  route('DELETE /sandbox/faults', {
    operationId: 'clearSandboxFaults',
    summary: 'Remove all faults of the providers',
    description: 'The providers answer normally again.',
    access,
    success: { status: 204 },
    errors: [SandboxOff],
    handle: async context =>
      getControl(context).clearFaults(await listAccounts(context, context.caller.tenantId)),
  }),
]
