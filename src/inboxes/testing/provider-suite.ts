/** Describes a provider to the contract suite of the providers, and connects its tests with it. */
import type { Content } from '../content.ts'
import type { Account, Failure, Provider, ProviderEvent, StatusEvent } from '../providers/provider.ts'
import type { file, ProviderHarness } from './provider-harness.ts'

export interface Traits {
  /** One example of each supported content type, and the expected part of the provider's request. */
  contents: { content: Content; media?: ReturnType<typeof file>; request: Record<string, unknown> }[]
  /** Statuses of a delivered message; empty for a channel that reports an echo instead. */
  statuses: StatusEvent['status'][]
  supportsReactions: boolean
  /** Whether the provider lists sent messages, so that a send without a response can be found. */
  canListSent: boolean
  /** Expected failure by scenario of the recipient, in the response or in a later status. */
  failures: [scenario: string, failure: Partial<Failure>, when: 'immediately' | 'later'][]
}

export type CustomerInput = Parameters<ProviderHarness['customer']>[0]

/** The context of the tests of a provider that is not remote. */
export interface LocalHarness
  extends Pick<ProviderHarness, 'account' | 'events' | 'waitForEvent' | 'customer' | 'received' | 'close'> {
  /** Reads a file as the customer that sent it does. */
  openMedia(from: string, mediaId: string): Promise<{ bytes: Buffer; mimeType: string }>
  /** Lets the process die in the next send, before or after the adapter is called. */
  dieOnce(moment: 'before' | 'after'): void
  /** The ids of the messages that the customer has been sent, oldest first. */
  listReceived(to: string): Promise<string[]>
  /** Waits until the conversation of the customer has that many messages. */
  waitForReceived(to: string, count: number): Promise<void>
  waitForStatus(channelMessageId: string, status: string): Promise<void>
  /** Sends the last message of a customer again, with the same id. */
  repeatCustomer(): Promise<void>
  report(to: string, channelMessageId: string, status: 'delivered' | 'read'): Promise<void>
}

/** How the tests reach a provider that is not remote. */
export interface LocalSetup {
  start(): Promise<LocalHarness>
  /** The name of the simulated customer with this scenario. */
  to(scenario: string): string
}

export interface Suite {
  provider: Provider
  traits: Traits
  /** Available inside tests only: started before each one. */
  harness: ProviderHarness & Partial<Pick<LocalHarness, 'openMedia'>>
  to(scenario: string): string
  failureOf(scenario: string, account?: Account): Promise<Failure>
  /** Waits for the echo or the first status with our message id. */
  evidence(messageId: string): Promise<ProviderEvent>
}
