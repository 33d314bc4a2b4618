/**
 * `listeners.ts <url> <token> <sockets> <events>`: opens the sockets, says so, and counts until all have heard all. With
 * a socket.io server it speaks as much of its protocol as it takes: hello, answers to its pings, and frames that begin
 * with 42.
 */
import { WebSocket } from 'ws'

const [url, token, sockets, events] = process.argv.slice(2) as [string, string, string, string]
const wanted = Number(sockets) * Number(events)
const latencies: number[] = []
let count = 0
let first = 0
const socketIo = url.includes('/socket.io/')

function hear(this: WebSocket, data: unknown): void {
  const text = String(data)
  if (socketIo && text === '2') this.send('3')
  if (!text.includes('"message.updated"')) return
  if (count++ === 0) first = performance.now()
  if (count % 101 === 0) {
    const { data: told } = (socketIo ? JSON.parse(text.slice(2))[1] : JSON.parse(text)) as {
      data: { at: number }
    }
    latencies.push(Date.now() - told.at)
  }
  if (count < wanted) return
  const rate = wanted / ((performance.now() - first) / 1000)
  process.stdout.write(`${JSON.stringify({ rate, latencies })}\n`, () => process.exit(0))
}

for (let opened = 0; opened < Number(sockets); opened += 100)
  await Promise.all(
    Array.from({ length: 100 }, () => {
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
      socket.on('message', hear)
      if (socketIo) socket.once('open', () => socket.send('40'))
      return new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    }),
  )
await new Promise(resolve => setTimeout(resolve, 500))
process.stdout.write('open\n')
