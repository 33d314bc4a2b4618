import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkout, fresh, parley, run, scratch, start } from './program.ts'

const root = scratch()
let dataDir: string

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await parley([...args, '--json'], { DATA_DIR: dataDir })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const anId = {
  key: expect.stringMatching(/^pk_/),
  apiKeyId: expect.any(String),
  serviceAccountId: expect.stringMatching(/^svc_/),
}

/** What an operator does with a workspace. */
async function makeThings(email: string) {
  const workspace = await json('workspace', 'create', '--name', 'Ours', '--email', email)
  const ids = { tenantId: expect.stringMatching(/^tn_/), ownerId: expect.stringMatching(/^usr_/) }
  expect(workspace).toEqual({ ...ids, password: expect.any(String) })
  const of = ['--tenant', workspace.tenantId]
  const key = await json('key', 'create', ...of, '--name', 'Robot', '--role', 'agent')
  expect(key).toEqual(anId)
  const invitation = await json('user', 'invite', ...of, '--email', `new-${email}`)
  expect(invitation).toMatchObject({ email: `new-${email}`, role: 'agent', token: expect.any(String) })
  return { workspace, key, invitation }
}

async function lookAtThings(): Promise<void> {
  const [listed, retried, discarded, applied] = await Promise.all([
    json('jobs', 'list'),
    json('jobs', 'retry', '--all'),
    json('jobs', 'discard', '--name', 'nothing'),
    json('migrate'),
  ])
  expect([listed, retried, discarded, applied]).toEqual([
    { jobs: [] },
    { retried: 0 },
    { discarded: 0 },
    { applied: [] },
  ])
}

test('every command works with the service stopped and running, for people and for programs', async () => {
  dataDir = fresh(root, 'data')
  const none = await parley(['jobs', 'list'], { DATA_DIR: dataDir })
  expect(none).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/there is no database in .*data/),
  })
  const made = await parley(['migrate'], { DATA_DIR: dataDir })
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^applied 0001_/) })
  const early = await makeThings('sam@example.com')
  const told = await parley(['jobs', 'list'], { DATA_DIR: dataDir })
  expect(told).toMatchObject({ code: 0, stdout: 'no dead jobs\n' })

  const service = await start({ dataDir })
  await service.ready()
  const [late] = await Promise.all([makeThings('kim@example.com'), lookAtThings()])
  const post = (at: string, body: object) =>
    fetch(`${service.url}/v1${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const [{ workspace, key, invitation }, email] of [
    [early, 'sam@example.com'],
    [late, 'kim@example.com'],
  ] as const) {
    expect((await post('/auth/login', { email, password: workspace.password })).status).toBe(200)
    const users = await fetch(`${service.url}/v1/users`, { headers: { authorization: `Bearer ${key.key}` } })
    expect(users.status).toBe(200)
    const { token } = invitation
    const joined = await post('/auth/invitations/accept', { token, name: 'New', password: 'correct horse' })
    expect(joined.status).toBe(200)
  }
  const taken = await parley(
    ['user', 'invite', '--tenant', late.workspace.tenantId, '--email', 'kim@example.com'],
    { DATA_DIR: dataDir },
  )
  expect(taken).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^parley: [^\n]*exists already[^\n]*\n$/),
  })
  const nobody = await parley(['key', 'create', '--tenant', 'tn_none', '--name', 'x'], { DATA_DIR: dataDir })
  expect(nobody).toMatchObject({ code: 1, stdout: '', stderr: 'parley: there is no workspace tn_none\n' })
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

describe.concurrent('a mistake', () => {
  test.for([
    [[], /No command/],
    [['cook'], /Unknown command .*cook/],
    [['key', 'burn'], /Unknown command .*burn/],
    [['key', 'create'], /--tenant/],
    [['jobs', 'list', '--colour'], /there is no --colour/],
    [['jobs', 'list', '--limit', 'many'], /--limit/],
    [['jobs', 'retry'], /say which/],
    [['jobs', 'list', 'everything'], /more words/],
    [['workspace', 'create', '--email', 'a@b.co', '--name', '--json'], /--name needs a value/],
    [
      ['workspace', 'create', '--name', 'x', '--email', 'nobody', '--password', 'short'],
      /e-mail.*at least 10/,
    ],
    [['key', 'create', '--tenant', 't', '--name', 'x', '--role', 'owner'], /--role/],
    [['backup'], /TARGET/],
  ] as [string[], RegExp][])('parley %s', async ([args, reason]) => {
    const { code, stdout, stderr } = await parley(args, { DATA_DIR: path.join(root, 'none') })
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(reason)
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})

test('help and version are answers; npx finds the command', async () => {
  for (const args of [['--help'], ['serve', '--help'], ['key', 'create', '-h']]) {
    const { code, stdout, stderr } = await parley(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('USAGE')
  }
  const { stdout } = await run(
    'npx',
    ['--no-install', 'parley', '--version'],
    { npm_config_loglevel: 'silent' },
    { cwd: checkout },
  )
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
})
