/**
 * Reads pages on 16 connections as fast as possible: over HTTP, or on plain connections with a hand-written statement.
 * `reader.ts http|bare <url or connection> <token or tenant> <people> <seconds> <kind>`
 */
import pg from 'pg'
import { Pool } from 'undici'
import { type ConnectionConfig, connectionConfig } from '../../src/platform/db/db.ts'
import { toConversationId } from './accounts.ts'

const [mode, at, who, people, seconds, kind] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  'conversations' | 'messages',
]
const connections = 16
const someone = () => toConversationId(Math.floor(Math.random() * Number(people)))

const statements = {
  conversations: {
    name: 'conversations',
    text: `select c.id, c.channel, c.external_id, s.inbox_id, c.name, c.contact_id, k.name as contact_name, s.status,
        s.owner_type, s.owner_id, s.last_message_at, s.last_message_preview, s.last_message_sender
      from conversation_states s
      join conversations c on c.tenant_id = s.tenant_id and c.id = s.conversation_id
      left join contacts k on k.tenant_id = c.tenant_id and k.id = c.contact_id
      where s.tenant_id = $1 order by s.last_message_at desc, s.conversation_id desc limit 51`,
  },
  messages: {
    name: 'messages',
    text: `select id, created_at, updated_at, conversation_id, sender_type, sender_id, content, status, error,
        channel_message_id, client_message_id, context
      from messages where tenant_id = $1 and conversation_id = $2 order by position desc limit 51`,
  },
}

async function plainly(): Promise<() => Promise<void>> {
  const client = new pg.Client(connectionConfig(JSON.parse(at) as ConnectionConfig))
  await client.connect()
  return async () => {
    const values = kind === 'conversations' ? [who] : [who, someone()]
    const { rows } = await client.query({ ...statements[kind], values })
    if (rows.length === 0) throw new Error('nothing was read')
  }
}

function overHttp(): () => Promise<void> {
  const pool = new Pool(at, { connections: 1 })
  return async () => {
    const path = kind === 'conversations' ? '/v1/conversations' : `/v1/conversations/${someone()}/messages`
    const answer = await pool.request({
      method: 'GET',
      path: `${path}?pageSize=50`,
      headers: { authorization: `Bearer ${who}` },
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`the answer was ${answer.statusCode}`)
  }
}

const readers = await Promise.all(
  Array.from({ length: connections }, () => (mode === 'http' ? overHttp() : plainly())),
)
let count = 0
const end = performance.now() + Number(seconds) * 1000
await Promise.all(
  readers.map(async read => {
    for (; performance.now() < end; count++) await read()
  }),
)
process.stdout.write(`${JSON.stringify({ rate: count / Number(seconds) })}\n`, () => process.exit(0))
