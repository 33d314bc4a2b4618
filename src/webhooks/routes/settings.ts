import Type from 'typebox'
import { managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { SigningKeyActive, SigningKeyMissing, SigningKeyNotFound } from '../errors.ts'
import {
  EndpointUrl,
  Verification,
  WebhookEventType,
  WebhookSettings,
  WebhookSigningKey,
} from '../schemas.ts'
import { changeSettings, getSettings, removeSettings } from '../settings.ts'
import { listSigningKeys, revokeSigningKey, rotateSigningKey } from '../signing-keys.ts'
import { verifySettings } from '../verify.ts'

const route = section('Webhooks')

export const webhookSettingsRoutes = [
  route('GET /webhooks', {
    operationId: 'getWebhookSettings',
    summary: 'Get the webhook settings',
    description: 'Before the first change, `enabled` is false and `url` is null.',
    access: { scopes: ['webhook:read'], roles: managers },
    success: { status: 200, body: WebhookSettings },
    handle: ({ db, caller }) => getSettings(db, caller.tenantId),
  }),
  route('PATCH /webhooks', {
    operationId: 'updateWebhookSettings',
    summary: 'Update the webhook settings',
    description:
      'Changes the first of the endpoints at `/webhooks/endpoints`, or creates it. All members are optional. A new URL resets `verified`. A new URL and `enabled: true` resume paused deliveries immediately. All event types but `conversation.rated`, `inbox.updated`, `journey.updated` and `chatbot.updated` are delivered until `eventTypes` is set.',
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({
      enabled: Type.Optional(Type.Boolean()),
      url: Type.Optional(EndpointUrl),
      eventTypes: Type.Optional(Type.Array(WebhookEventType, { uniqueItems: true })),
    }),
    example: {
      url: 'https://example.com/hooks/parley',
      enabled: true,
      eventTypes: ['message.created', 'message.updated'],
    },
    success: { status: 200, body: WebhookSettings },
    handle: ({ write, caller, body, bus, outbound }) =>
      write(tx => changeSettings(tx, { caller, bus, outbound }, body)),
  }),
  route('DELETE /webhooks', {
    operationId: 'deleteWebhookSettings',
    summary: 'Delete the webhook settings',
    description: 'Stops delivery and deletes pending deliveries. Attempts and signing keys are kept.',
    access: { scopes: ['webhook:delete'], roles: managers },
    success: { status: 204 },
    handle: ({ write, caller, bus, outbound }) => write(tx => removeSettings(tx, { bus, outbound, caller })),
  }),
  route('POST /webhooks/verify', {
    operationId: 'verifyWebhook',
    summary: 'Send a signed test event',
    description:
      'Sends the event to `url`, by default to the saved URL. A 2xx response of the saved URL sets `verified` and resumes paused deliveries immediately; deliveries do not depend on `verified`.',
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({ url: Type.Optional(EndpointUrl) }),
    bodyOptional: true,
    example: { url: 'https://example.com/hooks/parley' },
    success: { status: 200, body: Verification },
    handle: context => verifySettings(context, context.caller, context.body.url),
  }),
  route('GET /webhooks/signing-keys', {
    operationId: 'listSigningKeys',
    summary: 'List signing keys',
    description:
      'The first call creates a key if there is none. The first call of a caller with `webhook:update` returns its plaintext, which later calls omit.',
    access: { scopes: ['webhook:read'], roles: managers },
    success: { status: 200, body: object({ keys: Type.Array(WebhookSigningKey) }) },
    handle: async ({ write, keys, caller }) => ({
      keys: await write(tx => listSigningKeys(tx, keys, caller)),
    }),
  }),
  route('POST /webhooks/signing-keys/rotate', {
    operationId: 'rotateSigningKey',
    summary: 'Rotate the signing key',
    description:
      'Each replaced key also signs for 24 hours, or until it is revoked; while ten are valid, the answer is 429. Only this response contains the plaintext of the new key.',
    access: { scopes: ['webhook:update'], roles: managers },
    success: { status: 200, body: object({ key: WebhookSigningKey }) },
    errors: [SigningKeyMissing],
    secretFields: ['plaintextKey'],
    handle: ({ write, keys, bus, caller }) =>
      write(async tx => {
        const { key, plaintextKey } = await rotateSigningKey(tx, { keys, bus }, caller)
        return { key: { ...key, plaintextKey } }
      }),
  }),
  route('POST /webhooks/signing-keys/{id}/revoke', {
    operationId: 'revokeSigningKey',
    summary: 'Revoke a replaced signing key',
    description: 'The key stops signing immediately. To revoke the active key, rotate it first.',
    extension: true,
    access: { scopes: ['webhook:update'], roles: managers },
    success: { status: 204 },
    errors: [SigningKeyNotFound, SigningKeyActive],
    handle: ({ write, bus, caller, params }) => write(tx => revokeSigningKey(tx, { bus }, caller, params.id)),
  }),
]
