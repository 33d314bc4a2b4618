import Type from 'typebox'
import { route } from '../../platform/http/route.ts'
import { nullable, object } from '../../platform/http/schemas.ts'
import { SigningKeyMissing } from '../errors.ts'
import { WebhookEventType } from '../event-types.ts'
import { WebhookSettings, WebhookSigningKey } from '../schemas.ts'
import { changeSettings, removeSettings, settingsToApi } from '../settings.ts'
import { listSigningKeys, rotateSigningKey } from '../signing-keys.ts'
import { findSettings } from '../store/settings.ts'
import { verifyEndpoint } from '../verify.ts'

const tag = 'Webhooks'
const managers = ['owner', 'admin'] as const
const Url = Type.String({ minLength: 1, maxLength: 8192, examples: ['https://example.com/hooks/parley'] })

export const webhookSettingsRoutes = [
  route({
    method: 'GET',
    path: '/webhooks',
    tag,
    summary: 'Get the webhook settings',
    description: 'Where nothing has been set up, `enabled` is false and `url` null.',
    access: { scopes: ['webhook:read'], roles: managers },
    success: { status: 200, body: WebhookSettings },
    handle: async ({ db, caller }) => settingsToApi(await findSettings(db, caller.tenantId)),
  }),
  route({
    method: 'PATCH',
    path: '/webhooks',
    tag,
    summary: 'Change the webhook settings',
    description:
      'All members are optional. A new URL resets `verified`. Until `eventTypes` are chosen, all are delivered.',
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({
      enabled: Type.Optional(Type.Boolean()),
      url: Type.Optional(Url),
      eventTypes: Type.Optional(Type.Array(WebhookEventType, { uniqueItems: true })),
    }),
    success: { status: 200, body: WebhookSettings },
    handle: ({ write, caller, body, bus, outbound }) =>
      write(tx => changeSettings(tx, { caller, bus, outbound }, body)),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks',
    tag,
    summary: 'Remove the webhook settings',
    description: 'Nothing more is delivered. The log of attempts and the signing keys stay.',
    access: { scopes: ['webhook:delete'], roles: managers },
    success: { status: 204 },
    handle: ({ write, caller, bus }) => write(tx => removeSettings(tx, { bus }, caller)),
  }),
  route({
    method: 'POST',
    path: '/webhooks/verify',
    tag,
    summary: 'Send a signed test event',
    description:
      'To `url`, or to the saved one. An answer of 2xx from the saved URL sets `verified`, which gates nothing.',
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({ url: Type.Optional(Url) }),
    bodyOptional: true,
    success: {
      status: 200,
      body: object({
        delivered: Type.Boolean(),
        statusCode: nullable(Type.Integer({ description: 'null without an answer' })),
        error: nullable(Type.String()),
      }),
    },
    handle: context => verifyEndpoint(context, context.caller, context.body.url),
  }),
  route({
    method: 'GET',
    path: '/webhooks/signing-keys',
    tag,
    summary: 'List the signing keys',
    description: 'The first list makes a key, if there is none, and shows its plaintext. No later one does.',
    access: { scopes: ['webhook:read'], roles: managers },
    success: { status: 200, body: object({ keys: Type.Array(WebhookSigningKey) }) },
    handle: async ({ write, keys, caller }) => ({
      keys: await write(tx => listSigningKeys(tx, keys, caller)),
    }),
  }),
  route({
    method: 'POST',
    path: '/webhooks/signing-keys/rotate',
    tag,
    summary: 'Rotate the signing key',
    description: 'The old key signs along for 24 hours. The plaintext of the new one is in this answer only.',
    access: { scopes: ['webhook:update'], roles: managers },
    success: { status: 200, body: object({ key: WebhookSigningKey }) },
    errors: [SigningKeyMissing],
    // What is returned inside is kept for a repeat of the request; the plaintext is not.
    handle: async ({ write, keys, bus, caller }) => {
      let plaintextKey: string | undefined
      const { key } = await write(async tx => {
        const rotated = await rotateSigningKey(tx, { keys, bus }, caller)
        plaintextKey = rotated.plaintextKey
        return { key: rotated.key }
      })
      return { key: { ...key, ...(plaintextKey ? { plaintextKey } : {}) } }
    },
  }),
]
