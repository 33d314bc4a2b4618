/** Packs the client and uses it in an empty project, as an integrator would. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testApi } from '../harness/api.ts'
import { checkout } from '../system/program.ts'

const execute = promisify(execFile)

test('@parley/client works in an empty project, with types', { timeout: 300_000 }, async () => {
  const api = await testApi()
  const { owner } = await api.workspace()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const packed = await execute('npm', [
    'pack',
    path.join(checkout, 'client'),
    '--pack-destination',
    folder,
    '--json',
  ])
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module","private":true}')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts']
  await execute('npm', ['install', ...options, `./${filename}`], { cwd: folder })
  await writeFile(path.join(folder, 'use.mjs'), script)
  const env = { ...process.env, BASE: api.url, TOKEN: owner.token }
  const { stdout } = await execute(process.execPath, ['use.mjs'], { cwd: folder, env })
  expect(JSON.parse(stdout)).toEqual({ id: owner.id, status: 201, name: 'Ada' })
  await writeFile(path.join(folder, 'use.ts'), typed)
  const compiler = path.join(checkout, 'node_modules/@typescript/native/bin/tsc')
  const strict = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
    'use.ts',
  ]
  await execute(process.execPath, [compiler, ...strict], { cwd: folder })
})

const script = `
import { createClient } from '@parley/client'
const client = createClient({ baseUrl: process.env.BASE, token: process.env.TOKEN })
const me = await client.GET('/me')
const created = await client.POST('/contacts', { body: { name: 'Ada' } })
console.log(JSON.stringify({ id: me.data.id, status: created.response.status, name: created.data.name }))
`

const typed = `
import { createClient } from '@parley/client'
const client = createClient({ baseUrl: 'http://127.0.0.1', token: 'x' })
const { data } = await client.GET('/contacts/{id}', { params: { path: { id: 'con_1' } } })
export const name: string | undefined = data?.name ?? undefined
// @ts-expect-error: no such operation
await client.GET('/nothing')
`
