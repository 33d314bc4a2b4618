/** Checks that the files in deploy/ use existing settings, metrics and commands, and with their own tools if installed. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { processRoles } from '../../src/server/serve.ts'
import { fresh, scratch, start } from './program.ts'

const root = path.resolve(import.meta.dirname, '../..')
const file = (name: string) => readFileSync(path.join(root, 'deploy', name), 'utf8')
const installed = (tool: string, ...args: string[]) => spawnSync(tool, args).status === 0

/** Lists the environment variables that the service reads. */
function listSettings(): Set<string> {
  const names = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }))
  return names
}

test('the service reads every setting in the files', () => {
  const settings = listSettings()
  const lines = [
    ...file('compose.yaml')
      .split('services:')[0]!
      .matchAll(/^ {4}([A-Z0-9_]+):/gm),
    ...file('Dockerfile').matchAll(/^ENV (.*)$/gm),
    ...file('parley.service').matchAll(/^Environment=(.*)$/gm),
  ].map(match => match[1]!)
  const names = lines.flatMap(line => line.split(' ').map(assignment => assignment.split('=')[0]!))
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => name !== 'NODE_ENV' && !settings.has(name))).toEqual([])
})

test('the files copied into the image exist, and the roles in compose.yaml are valid', () => {
  const copied = [...file('Dockerfile').matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(match =>
    match[1]!.split(' '),
  )
  expect(copied).toContain('src')
  for (const name of copied) expect(spawnSync('test', ['-e', path.join(root, name)]).status, name).toBe(0)
  const roles = [...file('compose.yaml').matchAll(/'--roles', '([\w,]+)'/g)].flatMap(m => m[1]!.split(','))
  expect(roles.sort()).toEqual([...processRoles].sort())
})

test('every metric used by alerts and the dashboard exists', async () => {
  const service = await start({ dataDir: fresh(scratch(), 'data') })
  await service.ready()
  await service.call('GET', '/users')
  const page = await (await fetch(`${service.url}/metrics`)).text()
  const named = `${file('alerts.yml')}${file('dashboard.json')}`.match(/\b(parley|process)_[a-z_]+/g)!
  expect(new Set(named).size).toBeGreaterThan(8)
  for (const name of new Set(named))
    expect(page, name).toMatch(new RegExp(`^${name}(_bucket)?[ {]|^# TYPE ${name} `, 'm'))
  const dead = /^parley_jobs_dead (\S+)$/m.exec(page)
  expect(dead?.[1]).toBe('0')
})

test.skipIf(!installed('docker', 'compose', 'version'))('docker compose accepts its file', () => {
  const env = {
    ...process.env,
    ...Object.fromEntries(
      ['SECRET_KEY', 'POSTGRES_PASSWORD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map(name => [
        name,
        'x',
      ]),
    ),
  }
  const { status, stderr } = spawnSync('docker', ['compose', '-f', 'deploy/compose.yaml', 'config', '-q'], {
    cwd: root,
    env,
  })
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
})

test.skipIf(!installed('systemd-analyze', '--version'))('systemd accepts the unit', () => {
  const { stderr } = spawnSync('systemd-analyze', [
    'verify',
    '--man=no',
    path.join(root, 'deploy/parley.service'),
  ])
  const problems = String(stderr)
    .split('\n')
    .filter(line => line.includes('parley.service') && !/is not executable|does not exist/.test(line))
  expect(problems).toEqual([])
})

test.skipIf(!installed('promtool', '--version'))('Prometheus accepts the rules', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', path.join(root, 'deploy/alerts.yml')])
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
})
