/**
 * `visitors.ts <url>`: reads one query per line from standard input, opens a socket for each, prints a line, and counts
 * until every socket has received one message. Prints when each arrived, by its text.
 */
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'

const [url] = process.argv.slice(2) as [string]
const queries = (await text(process.stdin)).trim().split('\n')
const arrivals: Record<string, number> = {}
let count = 0

function handle(frame: string): void {
  const body = /"body":"(\d+)"/.exec(frame)?.[1]
  if (body === undefined || arrivals[body] !== undefined) return
  arrivals[body] = Date.now()
  if (++count === queries.length) process.stdout.write(`${JSON.stringify(arrivals)}\n`, () => process.exit(0))
}

const open = (query: string) =>
  new Promise<void>((resolve, reject) => {
    const ws = new WebSocket(`${url}?${query}`, { perMessageDeflate: false })
    ws.on('message', data => handle(String(data)))
    ws.once('open', () => resolve())
    ws.once('error', reject)
  })

for (let opened = 0; opened < queries.length; opened += 50)
  await Promise.all(queries.slice(opened, opened + 50).map(open))
await new Promise(resolve => setTimeout(resolve, 1_000))
process.stdout.write('open\n')
