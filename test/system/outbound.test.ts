/** URLs of a workspace that point to the machine of the service: by default, and with OUTBOUND_LOOPBACK=on. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, fresh, type Service, scratch, start } from './program.ts'

async function openPage() {
  const paths: string[] = []
  const page = createServer((request, response) => {
    paths.push(request.url!)
    response.end('internal')
  }).listen(0, '127.0.0.1')
  await once(page, 'listening')
  onTestFinished(() => void page.close().closeAllConnections())
  return { paths, port: (page.address() as AddressInfo).port }
}

const verify = async (service: Service, url: string) => {
  const response = await service.call('POST', '/webhooks/verify', { url })
  return { status: response.status, body: await response.text() }
}

test('an internal page is not reachable without the setting; with it neither the service nor its sandbox is', async () => {
  const root = scratch()
  const { paths, port } = await openPage()
  const shipped = await start({ dataDir: fresh(root, 'data') })
  await shipped.ready()
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
    const refused = await verify(shipped, `http://${host}:${port}/`)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('OUTBOUND_LOOPBACK')
  }
  expect(paths).toEqual([])
  await shipped.stop()

  const sandboxPort = await freePort()
  const env = { OUTBOUND_LOOPBACK: 'on', SANDBOX_URL: `http://127.0.0.1:${sandboxPort}` }
  await start({ dataDir: shipped.dataDir, command: ['sandbox', '--port', String(sandboxPort)] })
  const local = await start({ dataDir: shipped.dataDir, env })
  await local.ready()
  expect((await verify(local, `http://127.0.0.1:${port}/hook`)).status).toBe(200)
  expect(paths).toEqual(['/hook'])
  for (const own of [sandboxPort, Number(new URL(local.url).port)]) {
    const refused = await verify(local, `http://localhost:${own}/`)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('a port of this service')
  }
})
