/** Measures the additional memory of ten concurrent uploads of 100 MiB over slow connections. */
import type { AddressInfo } from 'node:net'
import { routes } from '../src/app.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { openAccounts } from './messages/accounts.ts'
import { run } from './messages/run.ts'
import { benchDeps, report } from './support/environment.ts'

const { deps, close } = await benchDeps()
const { token } = await openAccounts(deps)
const app = await buildServer({
  deps,
  routes,
  authenticate: createAuthenticator(deps),
  pageKey: deps.keys.current('page-tokens'),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/media/uploads`
const mebibytes = () => process.memoryUsage().rss / 2 ** 20

await run('uploader.ts', [url, token, 1, 20])
const before = mebibytes()
let most = before
const watching = setInterval(() => {
  most = Math.max(most, mebibytes())
}, 50)
await run('uploader.ts', [url, token, 10, 100])
clearInterval(watching)
const value = most - before
report({
  name: 'uploads.memory_of_1000_mib',
  unit: 'MiB',
  value,
  limit: 100,
  ratio: value / 100,
  wanted: '<= 1',
})
await app.close()
await close()
