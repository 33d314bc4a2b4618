/** A minimal webhook endpoint in a separate process; reports arrivals to its parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let arrivals: [string, number][] = []
const now = () => performance.timeOrigin + performance.now()

const server = createServer((request, response) => {
  arrivals.push([request.headers['webhook-id'] as string, now()])
  request.resume()
  request.on('end', () => response.end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
setInterval(() => {
  if (arrivals.length > 0) process.send!({ arrivals })
  arrivals = []
}, 20)
process.on('disconnect', () => process.exit())
