/**
 * Preloaded into every program of a comparison: it can connect to this machine only, whatever its settings say. Refused
 * connections are reported once per address, so that a forgotten setting shows.
 */
import net from 'node:net'

const local = /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::)$/
const reported = new Set()

function refusal(host) {
  if (!reported.has(host)) process.stderr.write(`loopback only: refused a call to ${host}\n`)
  reported.add(host)
  return Object.assign(new Error(`loopback only: ${host}`), { code: 'ECONNREFUSED' })
}

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  // (options), (path), (port, host), or the array that net.connect has already made of them.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  const host = typeof first === 'object' ? first.host : typeof second === 'string' ? second : undefined
  const isPath = typeof first === 'object' ? first.path : typeof first === 'string' && Number.isNaN(+first)
  if (isPath || host === undefined || host === null || local.test(host)) return connect.apply(this, args)
  process.nextTick(() => this.destroy(refusal(host)))
  return this
}
