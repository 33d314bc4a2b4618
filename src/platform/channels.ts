/**
 * How each channel's provider is reached: fixed for a process, except that a sandbox which is still starting is
 * pointed at once it listens. Tenants' own credentials are not here, they belong to their inboxes.
 */
import type { Config } from './config.ts'
import type { Keys } from './keys.ts'

export const channels = ['chatapp', 'socialapp', 'sms'] as const
export type Channel = (typeof channels)[number]

export interface ChannelSettings {
  /** With the API's version where the provider has one in its addresses. */
  baseUrl: string
  /** The deployment's own token, shared by the workspaces that were granted a resource. */
  token: string | undefined
  /** What the provider may sign callbacks with; none where the account's own token is the key. */
  appSecrets: string[]
  /** Proves in the handshake that it was us who registered a callback. */
  verifyToken: string
  /** Messages per second that one inbox may send, whatever the provider says. */
  rate: number | undefined
  /** How long a send that may have been accepted waits for a sign of it before it is repeated. */
  sendReconcileMs: number
  isSandbox: boolean
  /** The sandbox, unless it is strict: every window is open, and numbers have no rate. */
  isLenient: boolean
}

export type Channels = Record<Channel, ChannelSettings>

const providerUrls: Record<Channel, string> = {
  chatapp: 'https://graph.facebook.com',
  socialapp: 'https://graph.instagram.com',
  sms: 'https://api.twilio.com',
}

/** The secrets of this installation's own sandbox; the same in every process, because they follow from its key. */
export function sandboxSecrets(keys: Keys): { appSecret: string; verifyToken: string; controlToken: string } {
  const secret = (purpose: string) => keys.current(purpose).toString('hex')
  return {
    appSecret: secret('sandbox-app-secret'),
    verifyToken: secret('callback-verification'),
    controlToken: secret('sandbox-control'),
  }
}

/** The sandbox tells of what it accepted within moments. */
const defaultReconcileSeconds = (isSandbox: boolean): number => (isSandbox ? 10 : 300)

export function resolveChannels(config: Config, keys: Keys): Channels {
  const resolveChannel = (channel: Channel): ChannelSettings => {
    const { baseUrl, apiVersion, token, appSecret, verifyToken, rate } = config.channels[channel]
    const isSandbox = config.sandbox && baseUrl === undefined
    const secrets = sandboxSecrets(keys)
    const ownAppSecrets = appSecret ? [appSecret] : []
    return {
      // Nobody listens on port 9; the sandbox's address comes in when it has one.
      baseUrl: withVersion(isSandbox ? 'http://127.0.0.1:9' : (baseUrl ?? providerUrls[channel]), apiVersion),
      token: isSandbox ? (token ?? 'sandbox') : token,
      appSecrets: isSandbox ? [secrets.appSecret] : ownAppSecrets,
      verifyToken: verifyToken ?? secrets.verifyToken,
      rate,
      sendReconcileMs: 1_000 * (config.sendReconcileSeconds ?? defaultReconcileSeconds(isSandbox)),
      isSandbox,
      isLenient: isSandbox && !config.sandboxStrict,
    }
  }
  return {
    chatapp: resolveChannel('chatapp'),
    socialapp: resolveChannel('socialapp'),
    sms: resolveChannel('sms'),
  }
}

/** From now on the channels without an address of their own are played by the sandbox at these. */
export function pointAtSandbox(config: Config, settings: Channels, urls: Record<Channel, string>): void {
  for (const channel of channels)
    if (settings[channel].isSandbox)
      settings[channel].baseUrl = withVersion(urls[channel], config.channels[channel].apiVersion)
}

function withVersion(baseUrl: string, version: string | undefined): string {
  return version === undefined ? baseUrl : `${baseUrl}/${version}`
}
