/**
 * The port to the providers. An adapter implements one provider's wire protocol and is independent of conversations: it
 * converts content to requests, responses to results, and webhooks to provider events. All adapters pass one test
 * suite, testing/provider-contract.ts.
 */
import type { Channel } from '../../platform/config.ts'
import type { Content } from '../content.ts'

export type { Channel } from '../../platform/config.ts'

/** Everything an adapter needs to act for an inbox. The token is never logged or returned. */
export interface Account {
  tenantId: string
  inboxId: string
  channel: Channel
  /** phoneNumberId, phoneNumberSid or account id */
  externalId: string
  /** Messages per second; null: unlimited. */
  rate: number | null
  config: Record<string, string>
  /** Empty if missing or not decryptable: every call then fails with kind `auth`. */
  token: string
  /** Base URL of the provider's API, including the version. */
  baseUrl: string
  /** URL of the provider's webhooks; the sms provider receives it with every message. */
  webhookUrl: string
  /** Response timeout; 15 s by default. */
  timeoutMs?: number
  /** Checked when the request is written, after waiting for a connection: if false, nothing is sent. */
  holdsLease?: () => boolean
}

export interface MediaFile {
  mediaId: string
  mimeType: string
  mediaType: 'image' | 'document' | 'video' | 'audio'
  filename: string
  /** Bytes. */
  size: number
  /** Short-lived URL for providers that fetch the file themselves. */
  url: string
  open(): Promise<NodeJS.ReadableStream>
}

export interface OutboundMessage {
  /** Our message id. Sent along, so that the send can be found at the provider after a crash. */
  messageId: string
  /** E.164 phone number, or the provider's user id. */
  to: string
  content: Content
  media?: MediaFile
  /** The provider's id of the message this one replies to. */
  replyTo?: string
  /** Sent by a user, not by an automation: some messaging windows are longer for humans. */
  sentByHuman: boolean
  /** The standard window has closed: only a human may still write, and the request must declare it. */
  outsideWindow?: boolean
  /** Set for a private reply to a comment. */
  commentId?: string
}

export interface OutboundReaction {
  to: string
  channelMessageId: string
  /** Absent: remove the reaction. */
  emoji?: string
}

/**
 * permanent: a retry cannot succeed. retryable: a retry may succeed. rate_limited: retry later; `scope` names what is
 * limited. auth: the credentials were rejected, so all calls of the inbox fail. uncertain: the request may have been
 * accepted.
 */
export interface Failure {
  kind: 'permanent' | 'retryable' | 'rate_limited' | 'auth' | 'uncertain'
  scope?: 'pair' | 'number' | 'app'
  /** Our own stable code: `recipient_unreachable`, `window_closed`, `template_unknown` … */
  code: string
  message: string
  providerCode?: string
  retryAfterMs?: number
}

export type SendResult = { ok: true; channelMessageId: string } | { ok: false; failure: Failure }

/** An event parsed from a provider's webhook. */
export type ProviderEvent =
  | InboundMessage
  | InboundEdit
  | StatusEvent
  | InboundReaction
  | InboundComment
  | InboundIdentity
  | AccountEvent

interface ProviderEventBase {
  /** externalId of the inbox. */
  accountId: string
  /** The provider's id of the event: events with the same key are duplicates. */
  dedupeKey: string
  at: string
}

export interface InboundMessage extends ProviderEventBase {
  type: 'message'
  /** E.164 phone number if known, otherwise the provider's user id. */
  from: string
  /** Other addresses of the same person (phone number, user id). */
  alsoKnownAs: string[]
  profileName?: string
  /** The name that the customer has chosen at the provider. */
  username?: string
  channelMessageId: string
  content: Content
  /** Media to fetch before the message is complete. */
  media?: { reference: string; mimeType?: string; filename?: string; caption?: string }
  replyTo?: string
  /** The story, ad or post that the message refers to. */
  resource?: { kind: string; id: string; url?: string; title?: string }
  /** Orders the messages of a sender whose address changes; `from` by default. */
  orderedBy?: string
  /** Set for a message sent from our side, reported back by the provider. */
  echo?: { to: string; messageId?: string }
}

/** The sender of a message, the customer or our side, edited or withdrew it. */
export interface InboundEdit extends ProviderEventBase {
  type: 'edit'
  from: string
  channelMessageId: string
  content: Extract<Content, { type: 'text' | 'deleted' }>
}

export interface StatusEvent extends ProviderEventBase {
  type: 'status'
  channelMessageId: string
  /** Our message id, if the provider returns it. */
  messageId?: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  failure?: Failure
  /** The status applies to this and all earlier messages (Instagram's seen). */
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

/** The provider learned that several addresses are of one customer. */
export interface InboundIdentity extends ProviderEventBase {
  type: 'identity'
  /** The address to go by. */
  from: string
  alsoKnownAs: string[]
  /** As in a message, so that it is applied after the messages before it. */
  orderedBy?: string
}

/** A change of the account's health; applied by `applyAccountEvent` in health.ts. */
export interface AccountEvent extends ProviderEventBase {
  type: 'account'
  /** Set if the provider does not name the inbox: all inboxes of the resource, or those of the phone number. */
  resourceId?: string
  phoneNumber?: string
  issue: 'payment_issue' | 'quality_low' | 'account_locked'
  isResolved: boolean
}

export interface WebhookRequest {
  method: string
  /** The public URL of the request, as registered. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  body: Buffer
  /** Used for events without a timestamp. */
  receivedAt: string
  /** externalId of the inbox, if the URL identifies it. */
  accountId?: string
}

/** Current state of the account at the provider. */
export type HealthCheck =
  | { ok: true; ratePerSecond?: number; lowQuality?: boolean; locked?: boolean }
  | { ok: false; failure: Failure }

export interface Provider {
  readonly channel: Channel
  send(account: Account, outgoing: OutboundMessage): Promise<SendResult>
  react(account: Account, reacting: OutboundReaction): Promise<SendResult>
  /**
   * Searches for a send that may have been accepted since the given time. Returns the provider's ids of all candidates,
   * oldest first; the match is the first one that no other message of ours has. Empty if none is listed (yet), or if
   * the provider reports our message id in a webhook instead. Throws ProviderCallError if the search fails.
   */
  findSent(account: Account, outgoing: OutboundMessage, since: string): Promise<string[]>
  checkHealth(account: Account): Promise<HealthCheck>
  /** Looks up a customer. Only providers that do not report the name with a message have it. Throws ProviderCallError. */
  getProfile?(account: Account, userId: string): Promise<{ name?: string; username?: string }>
  /** Registers `account.webhookUrl` with the provider. Throws ProviderCallError. */
  registerWebhook(account: Account, verifyToken: string): Promise<void>
  /**
   * Reads where the provider sends the account's events: to `account.webhookUrl`, nowhere, or to another URL. A provider
   * that does not report the URL is trusted once the account is subscribed. Throws ProviderCallError.
   */
  checkWebhook(account: Account): Promise<'registered' | 'missing' | 'elsewhere'>
  /** Downloads inbound media, from the provider's own hosts only. Throws ProviderCallError. */
  downloadMedia(
    account: Account,
    reference: string,
  ): Promise<{ body: NodeJS.ReadableStream; mimeType: string; filename?: string }>
  /** Verifies the signature with the secrets of `getWebhookSecrets`. */
  verifyWebhook(callback: WebhookRequest, secrets: readonly string[]): boolean
  /** Returns the events in order. Never throws: unreadable parts are skipped. */
  parseWebhook(callback: WebhookRequest): ProviderEvent[]
}
