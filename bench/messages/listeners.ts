/**
 * `listeners.ts <url> <token> <sockets> <events>`: opens the sockets, prints a line, and counts until every
 * socket has received every event. Parses frames minimally: with a full client per socket this process would be slower
 * than the measured server. Speaks the necessary part of the socket.io protocol: hello, pongs and frames that start
 * with 42.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const [given, token, sockets, events] = process.argv.slice(2) as [string, string, string, string]
const url = new URL(given)
const wanted = Number(sockets) * Number(events)
const latencies: number[] = []
let count = 0
let first = 0
const socketIo = given.includes('/socket.io/')

function handle(socket: Socket, text: string): void {
  if (socketIo && text === '2') socket.write(asClient('3'))
  if (!text.includes('"message.updated"')) return
  if (count++ === 0) first = performance.now()
  if (count % 101 === 0) latencies.push(Date.now() - Number(/"at":(\d+)/.exec(text)![1]))
  if (count < wanted) return
  const rate = wanted / ((performance.now() - first) / 1000)
  process.stdout.write(`${JSON.stringify({ rate, latencies })}\n`, () => process.exit(0))
}

/** Builds a frame with a short text, masked with zeros as the protocol requires of clients. */
function asClient(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}

/** Returns the start and end of the payload of the frame at `at`; undefined while its header is incomplete. */
function frameAt(bytes: Buffer, at: number): [from: number, to: number] | undefined {
  if (bytes.length < at + 2) return undefined
  const short = bytes[at + 1]! & 127
  if (short < 126) return [at + 2, at + 2 + short]
  if (short === 127) throw new Error('a frame of more than 64 KB')
  return bytes.length < at + 4 ? undefined : [at + 4, at + 4 + bytes.readUInt16BE(at + 2)]
}

/** Handles every complete frame; returns the remaining bytes. */
function handleFrames(socket: Socket, bytes: Buffer): Buffer {
  let at = 0
  for (;;) {
    const [from, to] = frameAt(bytes, at) ?? [0, Number.POSITIVE_INFINITY]
    if (to > bytes.length) return bytes.subarray(at)
    if ((bytes[at]! & 15) === 1) handle(socket, bytes.toString('latin1', from, to))
    at = to
  }
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.once('error', reject)
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n` +
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    )
    let rest: Buffer = Buffer.alloc(0)
    let greeted = false
    socket.on('data', chunk => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (!greeted) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = rest.toString('latin1', 0, end)
        if (!head.startsWith('HTTP/1.1 101 ')) return reject(new Error(head))
        greeted = true
        rest = rest.subarray(end + 4)
        if (socketIo) socket.write(asClient('40'))
        resolve()
      }
      rest = handleFrames(socket, rest)
    })
  })
}

for (let opened = 0; opened < Number(sockets); opened += 100)
  await Promise.all(Array.from({ length: 100 }, open))
await new Promise(resolve => setTimeout(resolve, 500))
process.stdout.write('open\n')
