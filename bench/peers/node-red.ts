/** Runs the flow in Node-RED: http in, change, switch, change, http response. In memory only: a crash loses it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { put } from './loads.ts'
import { freePort, startPeer } from './peer.ts'
import type { Server } from './server.ts'

const node = (id: string, type: string, wires: string[][], data: object) => ({
  id,
  type,
  z: 'flow',
  x: 100,
  y: 100,
  wires,
  ...data,
})
const set = (p: string, to: string, tot: string) => ({ rules: [{ t: 'set', p, pt: 'msg', to, tot }] })

const flow = [
  { id: 'flow', type: 'tab', label: 'Three steps' },
  node('in', 'http in', [['set']], { url: '/order', method: 'post' }),
  node('set', 'change', [['branch']], set('total', 'payload.data.total', 'msg')),
  node('branch', 'switch', [['tag']], {
    property: 'total',
    propertyType: 'msg',
    rules: [{ t: 'eq', v: '10', vt: 'str' }],
    checkall: 'false',
    outputs: 1,
  }),
  node('tag', 'change', [['out']], set('payload.tag', 'Bought', 'str')),
  node('out', 'http response', [], { statusCode: '200' }),
]

/** No telemetry, no editor, no installation of nodes. */
const settings = (port: number) => ({
  uiHost: '127.0.0.1',
  uiPort: port,
  httpAdminRoot: false,
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { autoInstall: false, palette: { allowInstall: false }, modules: { allowInstall: false } },
  logging: { console: { level: 'error', metrics: false, audit: false } },
})

export async function startNodeRed(server: Server) {
  const port = await freePort()
  const dir = path.join(server.dir, 'node-red')
  mkdirSync(dir)
  const [flows, file] = [path.join(dir, 'flows.json'), path.join(dir, 'settings.cjs')]
  writeFileSync(flows, JSON.stringify(flow))
  writeFileSync(file, `module.exports = ${JSON.stringify(settings(port))}`)
  const url = `http://127.0.0.1:${port}`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ data: { total: '10' } })
  const args = ['--userDir', dir, '--settings', file, flows]
  const stop = await startPeer({ file: 'node-red/red.js', args, env: {}, dir }, async () => {
    const answer = await fetch(`${url}/order`, { method: 'POST', headers, body })
    return (await answer.text()).includes('Bought')
  })
  let done = 0
  return {
    stop,
    finished: async () => done,
    start: async (from: number, count: number) => {
      const load = await put({
        url,
        method: 'POST',
        path: '/order',
        headers,
        body,
        connections: 32,
        from,
        count,
      })
      done += load.count
      return load
    },
  }
}
