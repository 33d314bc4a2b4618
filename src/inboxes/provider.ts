/**
 * The port to the outside channels. An adapter speaks one provider's wire protocol and knows nothing of conversations:
 * it turns our content into the provider's request, the provider's answers into results, and its callbacks into
 * happenings. All adapters pass one suite, provider.contract.ts.
 */
import type { Channel } from '../platform/config.ts'
import type { Content } from './content.ts'

export type { Channel } from '../platform/config.ts'

/** What an adapter needs to act for an inbox. The token never leaves it. */
export interface Account {
  tenantId: string
  inboxId: string
  channel: Channel
  /** phoneNumberId, phoneNumberSid or account id */
  externalId: string
  /** Messages per second; null: no limit is known. */
  rate: number | null
  config: Record<string, string>
  /** Empty when there is none, or none that can be decrypted: every call then fails as `auth`. */
  token: string
  /** Where the provider is, the API's version included. */
  baseUrl: string
  /** Where its callbacks come to; the sms provider is told with every message. */
  callbackUrl: string
  /** How long the provider may take to answer; 15 s when left out. */
  timeoutMs?: number
  /** Asked in the moment a request leaves, not before it waits for a connection: false, and it does not leave. */
  mayCall?: () => boolean
}

export interface MediaFile {
  mediaId: string
  mimeType: string
  mediaType: 'image' | 'document' | 'video' | 'audio'
  filename: string
  /** Bytes. */
  size: number
  /** Where the provider may fetch it, for those that take a link; valid for a short while. */
  url: string
  open(): Promise<NodeJS.ReadableStream>
}

export interface OutboundMessage {
  /** Our message id: travels with the send as its only evidence after a crash. */
  messageId: string
  /** E.164, or the provider's id of the person. */
  to: string
  content: Content
  media?: MediaFile
  /** The provider's id of the message this one replies to. */
  replyTo?: string
  /** A person writes, not a machine: some windows are longer for people. */
  sentByHuman: boolean
  /** The usual window is over: only a person may still write, and the provider must be told that one does. */
  outsideWindow?: boolean
  /** An answer to a comment, sent privately. */
  commentId?: string
}

export interface OutboundReaction {
  to: string
  channelMessageId: string
  /** Absent: take it back. */
  emoji?: string
}

/**
 * permanent: will never work as it is. retryable: may work later. rate_limited: later, and `scope` says who must wait.
 * auth: our credentials are refused, nothing of this inbox will work. uncertain: the request may have been accepted.
 */
export interface Failure {
  kind: 'permanent' | 'retryable' | 'rate_limited' | 'auth' | 'uncertain'
  scope?: 'pair' | 'number' | 'app'
  /** Ours, stable: `recipient_unreachable`, `window_closed`, `template_unknown` … */
  code: string
  message: string
  providerCode?: string
  retryAfterMs?: number
}

export type SendResult = { ok: true; channelMessageId: string } | { ok: false; failure: Failure }

/** What a callback tells, in the order it tells it. */
export type ProviderEvent = InboundMessage | StatusEvent | InboundReaction | InboundComment | AccountEvent

interface ProviderEventBase {
  /** Which inbox: its externalId on the channel. */
  accountId: string
  /** The provider's id of this happening; the same one twice is the same happening. */
  dedupeKey: string
  at: string
}

export interface InboundMessage extends ProviderEventBase {
  type: 'message'
  /** E.164 when known, else the provider's id of the person. */
  from: string
  /** Every other name the provider has for the same person (a phone and a user id). */
  alsoKnownAs: string[]
  profileName?: string
  channelMessageId: string
  content: Content
  /** Media to fetch before the message is complete. */
  media?: { reference: string; mimeType?: string; filename?: string; caption?: string }
  replyTo?: string
  /** What it is about, where that is no message: the story answered to, the ad or post it came from. */
  resource?: { kind: string; id: string; url?: string; title?: string }
  /** A message we sent ourselves, seen from outside (an echo). */
  echo?: { to: string; messageId?: string }
}

export interface StatusEvent extends ProviderEventBase {
  type: 'status'
  channelMessageId: string
  /** Our id, where the provider gives it back. */
  messageId?: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  failure?: Failure
  /** Instagram's seen: everything up to this message. */
  upTo?: boolean
  recipient?: string
}

export interface InboundReaction extends ProviderEventBase {
  type: 'reaction'
  from: string
  alsoKnownAs: string[]
  channelMessageId: string
  emoji?: string
}

export interface InboundComment extends ProviderEventBase {
  type: 'comment'
  from: string
  profileName?: string
  commentId: string
  mediaId: string
  text: string
}

/** News of the account itself: hand it to `applyAccountUpdate` of status.ts. */
export interface AccountEvent extends ProviderEventBase {
  type: 'account'
  /** Whom it concerns where the provider does not name the inbox: all inboxes of a resource, or one phone number. */
  resourceId?: string
  phoneNumber?: string
  trouble: 'payment_issue' | 'quality_low' | 'account_locked'
  /** It is over. */
  over: boolean
}

export interface WebhookRequest {
  method: string
  /** The public URL it came to, as registered. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  body: Buffer
  /** For what the provider gives no time of. */
  receivedAt: string
  /** The externalId of the inbox, where the address it came to already says which one is meant. */
  accountId?: string
}

/** What the provider says about the account right now. */
export type HealthCheck =
  | { ok: true; ratePerSecond?: number; lowQuality?: boolean; locked?: boolean }
  | { ok: false; failure: Failure }

export interface Provider {
  readonly channel: Channel
  send(account: Account, outgoing: OutboundMessage): Promise<SendResult>
  react(account: Account, reacting: OutboundReaction): Promise<SendResult>
  /**
   * Looks for a send that may have been accepted since then: the provider's ids of all that could be it, oldest first.
   * It is the first one that no other message of ours has. Empty where there is no sign of it (yet), or where the
   * evidence comes by itself, in a callback that names our message. Throws CallFailed when it could not be looked for.
   */
  findSent(account: Account, outgoing: OutboundMessage, since: string): Promise<string[]>
  /** Whether the token works now, and what else the provider says. */
  checkHealth(account: Account): Promise<HealthCheck>
  /** Tells the provider that callbacks of this account go to `account.callbackUrl`. Throws CallFailed. */
  registerWebhook(account: Account, verifyToken: string): Promise<void>
  /** The bytes of inbound media; only from the provider's own hosts. Throws CallFailed. */
  downloadMedia(
    account: Account,
    reference: string,
  ): Promise<{ body: NodeJS.ReadableStream; mimeType: string; filename?: string }>
  /** Whether the provider sent it; `callbackSecrets` of accounts.ts has the secrets. */
  verifyWebhook(callback: WebhookRequest, secrets: readonly string[]): boolean
  /** Never throws: what cannot be read is left out. */
  parseWebhook(callback: WebhookRequest): ProviderEvent[]
}
