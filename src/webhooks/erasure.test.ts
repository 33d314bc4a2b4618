/** Tests that the responses of endpoints to events about an erased contact are cleared, and no others. */
import { afterAll, expect, test } from 'vitest'
import { transact } from '../platform/db/transact.ts'
import { emit, event } from '../platform/events/event.ts'
import { startSubscriptions } from '../platform/events/subscriptions.ts'
import { startWorkers } from '../platform/jobs/workers.ts'
import { eraseResponses, eraseResponsesOfContacts } from './erasure.ts'
import type { Responder } from './testing/endpoint.ts'
import { eventually, startHarness, types } from './testing/harness.ts'

const harness = await startHarness()
const { deps, connection } = harness.api
const feeds = startSubscriptions(deps, [eraseResponsesOfContacts], { connection })
const workers = startWorkers(deps, [eraseResponses])
afterAll(() => Promise.all([feeds.stop(), workers.stop(1_000)]))
const erased = event<{ contactIds: string[]; conversationIds: string[] }>({ type: 'contact.erased' })

/** Answers without the id, as an endpoint that copies names or phone numbers into its log line does. */
const greet: Responder = (response, { event: { data } }) => response.end(`Hello ${data.contact.name}`)

test('erasing a contact clears the stored responses to its events, also of calls in flight', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(greet)
  const contactEvent = (id: string, name: string) =>
    transact(deps.db, tx =>
      emit(tx, types['contact.created'], { tenantId, data: { contact: { id, name, conversations: [] } } }),
    )
  const bodies = async () =>
    (await harness.attempts(client)).map(({ responseBody }: { responseBody: string }) => responseBody)
  await contactEvent('con_ada', 'Ada')
  await contactEvent('con_bob', 'Bob')
  await eventually(async () => expect((await bodies()).sort()).toEqual(['Hello Ada', 'Hello Bob']))
  let release = () => {}
  endpoint.respond = (...call) => {
    release = () => greet(...call)
  }
  await contactEvent('con_ada', 'Ada again')
  await eventually(() => expect(endpoint.received).toHaveLength(3))
  await transact(deps.db, tx =>
    emit(tx, erased, { tenantId, data: { contactIds: ['con_ada'], conversationIds: [] } }),
  )
  await eventually(async () => expect((await bodies()).sort()).toEqual(['Hello Bob', null]))
  release()
  await eventually(async () =>
    expect((await bodies()).sort()).toEqual(['Hello Ada again', 'Hello Bob', null]),
  )
  harness.advance(121_000)
  await eventually(async () => expect((await bodies()).sort()).toEqual(['Hello Bob', null, null]))
})
