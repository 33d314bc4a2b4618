/** Tests how the console is served: its headers, its files, and which addresses are pages. */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { testDeps } from '../../../test/harness/deps.ts'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { createAuthenticator } from '../../identity/auth/authenticate.ts'
import { route } from '../../platform/http/route.ts'
import { buildServer } from '../../platform/http/server.ts'
import { type Console, loadConsole, registerConsole } from './console.ts'

const { deps } = await testDeps()
const folder = await newFolder('console')
const script = 'console.log("parley")\n'.repeat(200)
const manifest = {
  build: 'abc123',
  script: 'main-A.js',
  style: 'main-B.css',
  icon: 'icon-C.svg',
  preload: ['part-D.js'],
}
mkdirSync(folder, { recursive: true })
writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
writeFileSync(path.join(folder, 'main-A.js'), script)
writeFileSync(path.join(folder, 'main-A.js.gz'), gzipSync(script))
afterAll(() => removeFolder(folder))

const getThing = route({
  method: 'GET',
  path: '/things/{id}',
  tag: 't',
  summary: 's',
  access: 'public',
  success: { status: 204 },
  handle: async () => undefined,
})

async function serve(console: Console | undefined): Promise<string> {
  const app = await buildServer({
    deps,
    routes: [getThing],
    authenticate: createAuthenticator(deps),
    pageKey: deps.keys.current('page-tokens'),
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  await registerConsole(app, console)
  await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const url = await serve(loadConsole({ console: 'on' }, folder))

test('the inbox can be framed by the demo of this service only, and only while the sandbox is on', async () => {
  const withDemo = await serve(loadConsole({ console: 'on', sandbox: true }, folder))
  const readPolicy = async (at: string) =>
    (await fetch(`${at}/inbox`, { headers: html })).headers.get('content-security-policy')
  expect(await readPolicy(withDemo)).toContain("frame-ancestors 'self';")
  expect(await readPolicy(url)).toContain("frame-ancestors 'none';")
})

test('200: the page has a nonce of its own, a strict policy and the files of the build', async () => {
  const [first, second] = await Promise.all([
    fetch(`${url}/`, { headers: html }),
    fetch(`${url}/`, { headers: html }),
  ])
  const policy = first.headers.get('content-security-policy')!
  const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
  expect(policy.replace(nonce, 'N')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(second.headers.get('content-security-policy')).not.toContain(nonce)
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-parley-build': 'abc123',
  })
  const page = await first.text()
  expect(page).toContain(`nonce="${nonce}"`)
  for (const name of ['main-A.js', 'main-B.css', 'icon-C.svg', 'part-D.js'])
    expect(page).toContain(`/assets/${name}"`)
  expect(page).not.toContain('parley-kit')
})

test('200: files are cached for a year and sent compressed', async () => {
  const response = await fetch(`${url}/assets/main-A.js`, { headers: { 'accept-encoding': 'gzip' } })
  expect(await response.text()).toBe(script)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'content-type': 'application/javascript; charset=utf-8',
  })
})

test('414 for a parameter that is too long, beside the route for all pages', async () => {
  expect((await fetch(`${url}/v1/things/1`)).status).toBe(204)
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(`${url}/v1/things/${'y'.repeat(600)}`, { method })
    expect(response.status).toBe(414)
    expect(await response.text()).not.toContain('yyy')
  }
  expect((await fetch(`${url}/v1/things/1`, { method: 'DELETE' })).status).toBe(405)
})

test('200 for every address that may be a page, 404 as a problem for the others', async () => {
  for (const at of ['/', '/inbox', '/inbox/cnv_1?view=mine', '/v1x', '/settings'])
    expect((await fetch(url + at, { headers: html })).status, at).toBe(200)
  for (const at of [
    '/v1/unknown',
    '/v1',
    '/docs/unknown',
    '/metrics/x',
    '/assets/main-Z.js',
    '/widget.js',
    '/widget/x',
  ]) {
    const response = await fetch(url + at, { headers: html })
    expect(response.status, at).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'route_not_found' })
  }
  expect((await fetch(`${url}/inbox`, { headers: { accept: 'application/json' } })).status).toBe(404)
  expect((await fetch(`${url}/inbox`, { method: 'POST', headers: html })).status).toBe(404)
  expect((await fetch(`${url}/healthz`, { headers: html })).headers.get('x-parley-build')).toBe('abc123')
})

test('CONSOLE=off serves the API only: / leads to its reference', async () => {
  expect(loadConsole({ console: 'off' }, folder)).toBeUndefined()
  const off = await serve(undefined)
  const home = await fetch(off, { headers: html, redirect: 'manual' })
  expect([home.status, home.headers.get('location')]).toEqual([302, '/docs/'])
  expect(home.headers.get('x-parley-build')).toBeNull()
  expect((await fetch(`${off}/inbox`, { headers: html })).status).toBe(404)
})

test('503 with the way to build it while the console is not built', async () => {
  const missing = await serve(loadConsole({ console: 'on' }, path.join(folder, 'missing')))
  const response = await fetch(`${missing}/inbox`, { headers: html })
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm run build')
})
