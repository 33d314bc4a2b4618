/**
 * Measures the limit: 32 plain connections, each sending the one statement that accepts a message, as fast as possible.
 * `node bare.ts <connection> <tenant> <people> <seconds>`
 */

import pg from 'pg'
import { MessageId } from '../../src/conversations/schemas.ts'
import { buildAcceptMessages, toAssignmentKey } from '../../src/conversations/store/insert-messages.ts'
import { type ConnectionConfig, connectionConfig } from '../../src/platform/db/db.ts'
import { Sql, sql, toStatement } from '../../src/platform/db/sql.ts'
import { EventId } from '../../src/platform/events/event.ts'
import { insertOutboxFromSelect } from '../../src/platform/events/store/outbox.ts'
import { insertJobsFromSelect } from '../../src/platform/jobs/store/insert.ts'
import { toContactId, toConversationId, toSessionId } from './accounts.ts'

const [connection, tenantId, people, seconds] = process.argv.slice(2) as [string, string, string, string]
const clients = 32

function accepting(i: number): Sql {
  const id = MessageId.create()
  const content = JSON.stringify({ type: 'text', text: { body: 'A message of ordinary length' } })
  const row = {
    id,
    tenantId,
    conversationId: toConversationId(i),
    sessionId: toSessionId(i),
    contactId: toContactId(i),
    direction: 'out',
    senderType: 'user',
    senderId: 'usr_1',
    content,
    context: null,
    status: 'pending',
    channelMessageId: null,
    clientMessageId: null,
    clientFingerprint: null,
    preview: 'A message of ordinary length',
    event: JSON.stringify({ message: { id, content }, conversation: { id: toConversationId(i) } }),
    audience: null,
    eventId: EventId.create(),
    assignmentKey: toAssignmentKey({
      teamId: null,
      ownerType: null,
      ownerId: null,
      revision: 0,
      customerCount: 0,
    }),
  } as Parameters<typeof buildAcceptMessages>[1][number]
  const accept = buildAcceptMessages(
    { now: new Date().toISOString(), causationDepth: 0 },
    [row],
    insertOutboxFromSelect,
  )
  const end = accept.strings.at(-1)!.replace(/\s*select id from inserted\s*$/, '')
  const opening = new Sql([...accept.strings.slice(0, -1), end], accept.values)
  return sql`${opening}, ${insertJobsFromSelect(sql`
    select 'conversations.deliver_message'::text as name, tenant_id, conversation_id as ordering_key, true as ordered, false as background, 'ready'::text as state,
      json_build_object('messageId', id) as payload, 1 as ord, clock_timestamp() as at from inserted`)}
    select id from inserted`
}

let count = 0
const end = performance.now() + Number(seconds) * 1000
await Promise.all(
  Array.from({ length: clients }, async () => {
    const client = new pg.Client(connectionConfig(JSON.parse(connection) as ConnectionConfig))
    await client.connect()
    while (performance.now() < end) {
      const { rows } = await client.query(toStatement(accepting(Math.floor(Math.random() * Number(people)))))
      if (rows.length !== 1) throw new Error('a message was not accepted')
      count++
    }
    await client.end()
  }),
)
console.log(JSON.stringify({ rate: count / Number(seconds) }))
