/**
 * Sends messages to random contacts over HTTP from a separate process: `load.ts <url> <token> <inbox> <people> <seconds>
 * <connections> <path: reply|message> [messages per second]`
 */
import { Pool } from 'undici'
import { toConversationId, toPhone } from './accounts.ts'

const [url, token, inboxId, people, seconds, connections, kind, pace] = process.argv.slice(2) as string[]
const pool = new Pool(url!, { connections: Number(connections), pipelining: 1 })
const content = { type: 'text', text: { body: 'A message of ordinary length' } }
const latencies: number[] = []
/** At a fixed rate only response times count, not the start of this process. */
const warmUntil = performance.now() + (pace ? 1_500 : 0)
const end = performance.now() + Number(seconds) * 1000

async function one(): Promise<void> {
  const i = Math.floor(Math.random() * Number(people))
  const startedAt = performance.now()
  const reply = kind === 'reply'
  const body = reply
    ? { content }
    : { content, inboxId, recipient: { type: 'phone', phoneNumber: toPhone(i) } }
  const answer = await pool.request({
    method: 'POST',
    path: reply ? `/v1/conversations/${toConversationId(i)}/messages` : '/v1/messages',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.body.dump()
  if (answer.statusCode !== 202) throw new Error(`the answer was ${answer.statusCode}`)
  if (startedAt >= warmUntil) latencies.push(performance.now() - startedAt)
}

if (pace) {
  const under = new Set<Promise<void>>()
  for (let n = 0, startedAt = performance.now(); performance.now() < end; n++) {
    const due = startedAt + (n * 1000) / Number(pace)
    if (due > performance.now()) await new Promise(resolve => setTimeout(resolve, due - performance.now()))
    const work = one().finally(() => under.delete(work))
    under.add(work)
  }
  await Promise.all(under)
} else
  await Promise.all(
    Array.from({ length: Number(connections) }, async () => {
      while (performance.now() < end) await one()
    }),
  )
latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
console.log(JSON.stringify({ rate: latencies.length / Number(seconds), p50: at(0.5), p99: at(0.99) }))
await pool.close()
