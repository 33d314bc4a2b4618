/** Creates, publishes and observes workflows in tests. */
import { expect } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { until } from '../../../test/harness/service.ts'
import { type Outline, text, toDefinition } from '../templates/outline.ts'

export { buildDefinition, type Outline as WorkflowInput, text } from '../templates/outline.ts'

type Data = Record<string, unknown>

export async function expectStatus(answer: Promise<{ status: number; body: unknown }>, status: number) {
  const { status: got, body } = await answer
  expect(got, JSON.stringify(body)).toBe(status)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return body as any
}

/** Creates, publishes and activates a journey; returns its id. */
export async function createJourney(client: Client, drawing: Outline): Promise<string> {
  const { id } = await expectStatus(
    client.post('/journeys', { name: 'A journey', definition: toDefinition(drawing) }),
    201,
  )
  await expectStatus(client.post(`/journeys/${id}/publish`), 200)
  await expectStatus(client.post(`/journeys/${id}/activate`), 200)
  return id
}

export async function createChatbot(
  client: Client,
  drawing: Outline,
  teamIds: string[] = [],
): Promise<string> {
  const { id } = await expectStatus(
    client.post('/chatbots', { name: 'A bot', teamIds, draft: toDefinition(drawing) }),
    201,
  )
  await expectStatus(client.post(`/chatbots/${id}/publish`), 200)
  await expectStatus(client.post(`/chatbots/${id}/activate`), 200)
  return id
}

/** Creates, publishes and activates a journey from a template; returns its id. */
export async function createFromTemplate(
  client: Client,
  templateId: string,
  parameters: Record<string, string>,
): Promise<string> {
  const { id } = await expectStatus(client.post('/journeys/from-template', { templateId, parameters }), 201)
  await expectStatus(client.post(`/journeys/${id}/publish`), 200)
  await expectStatus(client.post(`/journeys/${id}/activate`), 200)
  return id
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Run = any

export async function listRuns(client: Client, journeyId: string, query = ''): Promise<Run[]> {
  return (await expectStatus(client.get(`/journeys/${journeyId}/runs${query}`), 200)).runs
}

/** Waits until all runs of the journey have the status and returns the first. */
export async function waitForRun(
  client: Client,
  journeyId: string,
  status: string,
  contactId?: string,
): Promise<Run> {
  const query = contactId ? `?contactId=${contactId}` : ''
  const [run] = await until(
    () => listRuns(client, journeyId, query),
    runs => runs.length > 0 && runs.every(one => one.status === status),
  )
  return expectStatus(client.get(`/runs/${run.id}`), 200)
}

export function getPath(run: Run): string[] {
  return run.path.map((line: Run) => (line.output === null ? line.nodeId : `${line.nodeId}:${line.output}`))
}

let people = 0

export function newPhone(): string {
  return `+1415555${String(2000 + people++).padStart(4, '0')}`
}

export async function createContact(client: Client, more: Data = {}): Promise<{ id: string; phone: string }> {
  const phone = newPhone()
  const { id } = await expectStatus(client.post('/contacts', { name: 'Ann', phone, ...more }), 201)
  return { id, phone }
}

let connected = 0

/** Connects a unique phone number, so that tests can run again. */
export async function connectInbox(client: Client, waba: string): Promise<string> {
  const number = `${waba}${String(++connected).padStart(3, '0')}`
  const made = await expectStatus(
    client.post('/inboxes', { chatapp: { resourceIds: [waba], phoneNumberIds: [number] } }),
    200,
  )
  return made.inboxes[0].id
}

/** Connects an sms number of an account of its own. */
export async function connectSms(client: Client): Promise<string> {
  const account = `AC${String(++connected).padStart(32, '6')}`
  const listed = await expectStatus(
    client.post(`/smsprovider/${account}/phone-numbers`, { authToken: 'token' }),
    200,
  )
  const { pendingCredentialId, phoneNumbers } = listed
  const sms = { pendingCredentialId, phoneNumberSids: [phoneNumbers[0].phoneNumberSid] }
  return (await expectStatus(client.post('/inboxes', { sms }), 200)).inboxes[0].id
}

/** Lists the texts that the provider has delivered to a phone number. */
export async function listSentTexts(client: Client, inboxId: string, to: string): Promise<string[]> {
  const query = `inboxId=${inboxId}&to=${encodeURIComponent(to)}`
  const { items } = await expectStatus(client.get(`/sandbox/sent?${query}`), 200)
  return items.map(
    ({ payload }: Run) => payload.text?.body ?? payload.interactive?.body?.text ?? payload.type,
  )
}

export async function receiveMessage(
  client: Client,
  inboxId: string,
  from: string,
  what: string | Data,
): Promise<void> {
  const content = typeof what === 'string' ? text(what) : what
  await expectStatus(client.post('/sandbox/inbound', { inboxId, from, content }), 202)
}
