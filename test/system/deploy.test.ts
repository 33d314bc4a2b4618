/** Checks that the files in deploy/ use existing settings, metrics and commands, and with their own tools if installed. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { processRoles } from '../../src/server/serve.ts'
import { listSettings } from '../harness/settings.ts'
import { fresh, scratch, start } from './program.ts'

const root = path.resolve(import.meta.dirname, '../..')
const file = (name: string) => readFileSync(path.join(root, 'deploy', name), 'utf8')
const installed = (tool: string, ...args: string[]) => spawnSync(tool, args).status === 0

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

test('compose.yaml and the unit trust the proxies that are in front of them, and not everybody', () => {
  const [, inCompose] = /^ {4}TRUST_PROXY: \$\{TRUST_PROXY:-(.*)\}$/m.exec(file('compose.yaml'))!
  const [, inUnit] = /^Environment=.*\bTRUST_PROXY=(\S+)/m.exec(file('parley.service'))!
  const read = (text: string | undefined) => readConfig({ TRUST_PROXY: text }).trustProxy
  expect([read(inCompose), read(inUnit)]).toEqual(['uniquelocal', 'loopback'])
})

const stages = file('Dockerfile')
  .split(/^FROM /m)
  .slice(1)
const listCopied = (stage: string, from: RegExp) =>
  [...stage.matchAll(from)].flatMap(match => match[1]!.split(' '))
const buildFiles = listCopied(stages[0]!, /^COPY (?!--)(.*) \S+$/gm)
const imageFiles = listCopied(stages[1]!, /^COPY --from=build \/app\/(\S+) \S+$/gm)

test('the roles in compose.yaml are valid, and no service disables its health check but the one that ends', () => {
  const roles = [...file('compose.yaml').matchAll(/'--roles', '([\w,]+)'/g)].flatMap(m => m[1]!.split(','))
  expect(roles.sort()).toEqual([...processRoles].sort())
  const disabled = file('compose.yaml')
    .split(/^ {2}(?=\w+:\n)/m)
    .filter(part => part.includes('disable: true'))
  expect(disabled.map(part => part.split(':')[0])).toEqual(['bucket'])
})

test('the files of the image start after a pull: without sources, and with times cut to seconds', async () => {
  const folder = scratch()
  const [build, image] = [fresh(folder, 'build'), fresh(folder, 'image')]
  mkdirSync(build)
  mkdirSync(image)
  expect(buildFiles).toContain('src')
  for (const name of buildFiles) cpSync(path.join(root, name), path.join(build, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(build, 'node_modules'))
  const built = spawnSync(process.execPath, ['bin/parley.js', '--build-only'], { cwd: build })
  expect({ status: built.status, stderr: String(built.stderr) }).toEqual({ status: 0, stderr: '' })

  expect(imageFiles).not.toContain('src')
  const layers = path.join(folder, 'layers.tar')
  const names = imageFiles.filter(name => name !== 'node_modules')
  // This format has whole seconds, as the layers of an image have.
  expect(spawnSync('tar', ['--format=ustar', '-cf', layers, ...names], { cwd: build }).status).toBe(0)
  expect(spawnSync('tar', ['-xf', layers], { cwd: image }).status).toBe(0)
  symlinkSync(path.join(root, 'node_modules'), path.join(image, 'node_modules'))
  rmSync(build, { recursive: true })
  const before = readdirSync(path.join(image, 'dist'), { recursive: true }).sort()
  const service = await start({ at: image, dataDir: fresh(folder, 'data') })
  await service.ready()
  expect((await service.call('GET', '/users')).status).toBe(200)
  expect(readdirSync(path.join(image, 'dist'), { recursive: true }).sort()).toEqual(before)
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

test('sources with other times are not bundled again, edited sources are', () => {
  const copy = fresh(scratch(), 'checkout')
  mkdirSync(copy)
  for (const name of buildFiles) cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  const stamp = path.join(copy, 'dist/.built')
  const bundle = () => {
    expect(spawnSync(process.execPath, ['bin/parley.js', '--build-only'], { cwd: copy }).status).toBe(0)
    return { content: readFileSync(stamp, 'utf8'), at: statSync(stamp).mtimeMs }
  }
  const first = bundle()
  const source = path.join(copy, 'src/main.ts')
  utimesSync(source, 1_000_000_000, 1_000_000_000)
  expect(bundle()).toEqual(first)
  writeFileSync(source, `${readFileSync(source, 'utf8')}\n// edited\n`)
  expect(bundle().content).not.toBe(first.content)
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
