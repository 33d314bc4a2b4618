/**
 * Settings of each channel's provider, fixed for a process. Only the sandbox URL is filled in later, once the sandbox
 * listens. Credentials of workspaces are not here; they belong to their inboxes.
 */
import { type Channel, type Config, type RemoteChannel, remoteChannels } from '../platform/config.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { getPort } from '../platform/outbound/urls.ts'

declare module '../platform/deps.ts' {
  interface Deps {
    channels: Channels
  }
}

export interface ChannelSettings {
  /** Includes the API version for providers that have it in their URLs. */
  baseUrl: string
  /** The token of this installation, used for the provider accounts granted to workspaces. */
  token: string | undefined
  /** Secrets that callbacks may be signed with; empty if the account's own token is the key. */
  appSecrets: string[]
  /** Sent back by the provider in the webhook handshake, to prove that we registered the webhook. */
  verifyToken: string
  /** Maximum messages per second of one inbox; overrides the provider's limit. */
  rate: number | undefined
  /** How long to search for evidence of a send with an unknown outcome before it is repeated. */
  sendReconcileMs: number
  isSandbox: boolean
  /** True for the sandbox unless it is strict: no messaging windows and no rate limits. */
  isLenient: boolean
}

export type Channels = Record<Channel, ChannelSettings>

const providerUrls: Record<RemoteChannel, string> = {
  chatapp: 'https://graph.facebook.com',
  socialapp: 'https://graph.instagram.com',
  sms: 'https://api.twilio.com',
}

/** Returns the secrets of this installation's sandbox. All processes derive the same ones from the installation key. */
export function sandboxSecrets(keys: Keys): { appSecret: string; verifyToken: string; controlToken: string } {
  const secret = (purpose: string) => keys.current(purpose).toString('hex')
  return {
    appSecret: secret('sandbox-app-secret'),
    verifyToken: secret('callback-verification'),
    controlToken: secret('sandbox-control'),
  }
}

/** The sandbox reports accepted messages within moments. */
const defaultReconcileSeconds = (isSandbox: boolean): number => (isSandbox ? 10 : 300)

export function resolveChannels(config: Config, keys: Keys): Channels {
  const resolveChannel = (channel: RemoteChannel): ChannelSettings => {
    const { baseUrl, apiVersion, token, appSecret, verifyToken, rate } = config.channels[channel]
    const isSandbox = config.sandbox && baseUrl === undefined
    const secrets = sandboxSecrets(keys)
    const ownAppSecrets = appSecret ? [appSecret] : []
    return {
      // Nothing listens on port 9; pointAtSandbox() replaces the URL.
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
    webchat: ownChannel,
  }
}

/** The provider is this service: nothing is called, and nothing has an unknown outcome. */
const ownChannel: ChannelSettings = {
  baseUrl: '',
  token: undefined,
  appSecrets: [],
  verifyToken: '',
  rate: undefined,
  sendReconcileMs: 0,
  isSandbox: false,
  isLenient: false,
}

/** Points the channels without a configured URL at the sandbox. */
export function pointAtSandbox(
  config: Config,
  settings: Channels,
  urls: Record<RemoteChannel, string>,
): void {
  for (const channel of remoteChannels)
    if (settings[channel].isSandbox)
      settings[channel].baseUrl = withVersion(urls[channel], config.channels[channel].apiVersion)
}

/** Returns the ports of the sandbox, whose control surface no URL of a workspace may reach. */
export function getSandboxPorts(settings: Channels): number[] {
  return remoteChannels
    .filter(channel => settings[channel].isSandbox)
    .map(channel => getPort(new URL(settings[channel].baseUrl)))
}

function withVersion(baseUrl: string, version: string | undefined): string {
  return version === undefined ? baseUrl : `${baseUrl}/${version}`
}
