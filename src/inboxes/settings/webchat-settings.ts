/** Settings of a web chat: which pages may embed it, how it looks, and what it asks visitors first. */
import { randomBytes } from 'node:crypto'
import { type Violation, violation } from '../../platform/errors.ts'
import type { InboxRow, ProviderAccount } from '../store/inboxes.ts'
import type { CreateWebchatRequest, WebchatPatch, WebchatSettings } from './webchat-schemas.ts'

export type { WebchatSettings } from './webchat-schemas.ts'

const defaultAppearance: WebchatSettings['appearance'] = {
  accent: '#2563eb',
  position: 'right',
  theme: 'auto',
  title: 'Chat',
  subtitle: null,
  launcherText: null,
}

/** Returns the account of a new web chat. Its key is public and random, so that it cannot be guessed from another one. */
export function buildWebchatAccount({ name, allowedOrigins }: CreateWebchatRequest): ProviderAccount {
  const inboxKey = `wcx_${randomBytes(15).toString('hex')}`
  return {
    channel: 'webchat',
    externalId: inboxKey,
    resourceId: inboxKey,
    name,
    config: {},
    rate: null,
    credential: null,
    webchat: {
      allowedOrigins: normalizeOrigins(allowedOrigins),
      appearance: { ...defaultAppearance, title: [...name].slice(0, 60).join('') },
      preChat: null,
      identity: { keyId: null, isRequired: false },
    },
  }
}

const normalizeOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map(origin => (URL.canParse(origin) ? new URL(origin).origin : origin))),
]

export function applyWebchatPatch(before: WebchatSettings, patch: WebchatPatch): WebchatSettings {
  const { allowedOrigins, appearance, preChat, identity } = patch
  return {
    allowedOrigins: allowedOrigins ? normalizeOrigins(allowedOrigins) : before.allowedOrigins,
    appearance: { ...before.appearance, ...appearance },
    preChat: preChat === undefined ? before.preChat : preChat,
    identity: { ...before.identity, ...identity },
  }
}

export function listWebchatViolations(
  { channel, webchat }: InboxRow,
  patch: WebchatPatch | undefined,
): Violation[] {
  if (!patch) return []
  if (!webchat)
    return [violation('webchat', 'unsupported', `must not be set: the channel of the inbox is ${channel}`)]
  const keys = (patch.preChat?.fields ?? []).map(field => field.key)
  return [
    ...listOriginViolations(patch.allowedOrigins ?? [], 'webchat.allowedOrigins'),
    ...(new Set(keys).size < keys.length
      ? [violation('webchat.preChat.fields', 'duplicate', 'must have unique keys')]
      : []),
    ...(patch.identity?.isRequired && webchat.identity.keyId === null
      ? [violation('webchat.identity.isRequired', 'key_missing', 'needs a key that signs identities')]
      : []),
  ]
}

export function listOriginViolations(origins: readonly string[], field: string): Violation[] {
  return origins.flatMap((origin, i) =>
    URL.canParse(origin) && !new URL(origin).username
      ? []
      : [violation(`${field}[${i}]`, 'invalid_origin', 'must be a scheme, a host and perhaps a port')],
  )
}
