import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkout, fresh, parley, query, run, scratch, start } from './program.ts'

const root = scratch()
let dataDir: string

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await parley([...args, '--json'], { DATA_DIR: dataDir })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const keyShape = {
  key: expect.stringMatching(/^pk_/),
  apiKeyId: expect.any(String),
  serviceAccountId: expect.stringMatching(/^svc_/),
}

/** Creates a workspace, a key and an invitation with the command line. */
async function createWorkspace(email: string) {
  const workspace = await json('workspace', 'create', '--name', 'Ours', '--email', email)
  const ids = { tenantId: expect.stringMatching(/^tn_/), ownerId: expect.stringMatching(/^usr_/) }
  expect(workspace).toEqual({ ...ids, password: expect.any(String) })
  const tenant = ['--tenant', workspace.tenantId]
  const key = await json('key', 'create', ...tenant, '--name', 'Robot', '--role', 'agent')
  expect(key).toEqual(keyShape)
  const invitation = await json('user', 'invite', ...tenant, '--email', `new-${email}`)
  expect(invitation).toMatchObject({ email: `new-${email}`, role: 'agent', token: expect.any(String) })
  return { workspace, key, invitation }
}

async function expectNothingToDo(): Promise<void> {
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

test('all commands work with the service stopped and running, with text and JSON output', async () => {
  dataDir = fresh(root, 'data')
  const none = await parley(['jobs', 'list'], { DATA_DIR: dataDir })
  expect(none).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/no database found in .*data/),
  })
  const migrated = await parley(['migrate'], { DATA_DIR: dataDir })
  expect(migrated).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^applied 0001_/) })
  const stopped = await createWorkspace('sam@example.com')
  const listed = await parley(['jobs', 'list'], { DATA_DIR: dataDir })
  expect(listed).toMatchObject({ code: 0, stdout: 'no dead jobs\n' })

  const service = await start({ dataDir })
  await service.ready()
  const [running] = await Promise.all([createWorkspace('kim@example.com'), expectNothingToDo()])
  const post = (at: string, body: object) =>
    fetch(`${service.url}/v1${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const [{ workspace, key, invitation }, email] of [
    [stopped, 'sam@example.com'],
    [running, 'kim@example.com'],
  ] as const) {
    expect((await post('/auth/login', { email, password: workspace.password })).status).toBe(200)
    const users = await fetch(`${service.url}/v1/users`, { headers: { authorization: `Bearer ${key.key}` } })
    expect(users.status).toBe(200)
    const { token } = invitation
    const joined = await post('/auth/invitations/accept', { token, name: 'New', password: 'correct horse' })
    expect(joined.status).toBe(200)
  }
  // A command does not know the PORT of the service: the printed line has to lead there all the same.
  const ofKim = ['--tenant', running.workspace.tenantId, '--email', 'kim@example.com']
  for (const [env, url] of [
    [{}, service.url],
    [{ PUBLIC_URL: 'https://parley.example' }, 'https://parley.example'],
  ] as const) {
    const printed = await parley(['user', 'reset-password', ...ofKim], { DATA_DIR: dataDir, ...env })
    expect(printed.stdout).toContain(`POST ${url}/v1/auth/password-reset`)
  }
  const reset = await parley(
    [
      'user',
      'reset-password',
      '--tenant',
      running.workspace.tenantId,
      '--email',
      'KIM@example.com',
      '--json',
    ],
    { DATA_DIR: dataDir },
  )
  const { token } = JSON.parse(reset.stdout) as { token: string }
  expect((await post('/auth/password-reset', { token, password: 'entirely other words' })).status).toBe(204)
  const withNew = { email: 'kim@example.com', password: 'entirely other words' }
  expect((await post('/auth/login', withNew)).status).toBe(200)
  const taken = await parley(
    ['user', 'invite', '--tenant', running.workspace.tenantId, '--email', 'kim@example.com'],
    { DATA_DIR: dataDir },
  )
  expect(taken).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^parley: [^\n]*already exists[^\n]*\n$/),
  })
  const unknown = await parley(['key', 'create', '--tenant', 'tn_none', '--name', 'x'], { DATA_DIR: dataDir })
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: 'parley: workspace tn_none not found\n' })
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

test('inbox register enqueues registrations of one inbox, of a workspace, or of all', async () => {
  dataDir = fresh(root, 'inboxes')
  // Without a worker the registrations stay enqueued.
  const service = await start({ dataDir, args: ['--roles', 'http,realtime'] })
  await service.ready()
  const { tenantId } = service.credentials()
  const all = (await (await service.call('GET', '/inboxes')).json()) as {
    inboxes: { id: string; channel: string }[]
  }
  // Nothing is registered for a web chat.
  const inboxes = all.inboxes.filter(({ channel }) => channel !== 'webchat')
  expect(inboxes.length).toBeGreaterThan(1)
  /** Lists the number of registrations that wait, by inbox. */
  const countEnqueued = async () => {
    const rows = await query<{ id: string; n: number }>(
      dataDir,
      `select ordering_key as id, sum(pending)::int as n from job_lanes
        where name = 'inboxes.register_webhook' group by ordering_key`,
    )
    return inboxes.map(({ id }) => rows.find(row => row.id === id)?.n ?? 0)
  }
  const first = inboxes[0]!
  for (const [args, selected] of [
    [['--id', first.id], [first]],
    [['--tenant', tenantId], inboxes],
    [['--id', first.id, '--tenant', tenantId], [first]],
    [['--all'], inboxes],
  ] as const) {
    const before = await countEnqueued()
    expect(await json('inbox', 'register', ...args)).toEqual({ enqueued: selected.length })
    const expected = inboxes.map((inbox, i) => before[i]! + (selected.includes(inbox) ? 1 : 0))
    expect(await countEnqueued()).toEqual(expected)
  }
  const printed = await parley(['inbox', 'register', '--id', first.id], { DATA_DIR: dataDir })
  expect(printed).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^1 registrations enq/),
  })
  const stranger = await createWorkspace('lee@example.com')
  for (const args of [
    ['--id', 'ibx_none'],
    ['--tenant', stranger.workspace.tenantId],
    ['--id', first.id, '--tenant', stranger.workspace.tenantId],
  ]) {
    const refused = await parley(['inbox', 'register', ...args], { DATA_DIR: dataDir })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: 'parley: no such inbox\n' })
  }
  await service.stop()
})

describe.concurrent('explains a mistake in the arguments', () => {
  test.for([
    [[], /No command/],
    [['cook'], /Unknown command .*cook/],
    [['key', 'burn'], /Unknown command .*burn/],
    [['key', 'create'], /--tenant/],
    [['jobs', 'list', '--colour'], /unknown option --colour/],
    [['jobs', 'list', '--limit', 'many'], /--limit/],
    [['jobs', 'retry'], /select jobs/],
    [['inbox', 'register'], /select inboxes/],
    [['jobs', 'list', 'everything'], /too many arguments/],
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

test('help and version go to standard output; npx finds the command', async () => {
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
