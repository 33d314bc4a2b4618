import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApi, type Workspace } from '../../test/harness/api.ts'
import { playProviders } from '../../test/harness/sandbox.ts'
import { sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { startWorkers, type Workers } from '../platform/jobs/workers.ts'
import { getAccount } from './accounts/accounts.ts'
import { reregisterChanged } from './accounts/webhook-registration.ts'
import { inboxes } from './domain.ts'
import { applyAccountEvent, markDegraded, resolveIssues } from './health.ts'
import { waitFor } from './testing/provider-harness.ts'

const api = await testApi()
const sandbox = await playProviders(api)
const { deps } = api
let workers: Workers
let workspace: Workspace
beforeAll(async () => {
  workers = startWorkers(deps, inboxes.jobs)
  workspace = await api.workspace()
})
afterAll(() => workers.stop(1_000))

let made = 0
const fresh = (name: string) => `${name}-${++made}`
const chatapp = (numbers: string[], resourceIds = ['waba-1']) => ({
  chatapp: { resourceIds, phoneNumberIds: numbers },
})
async function connected(of = workspace, number = fresh('number')) {
  const answer = await of.owner.post('/inboxes', chatapp([number]))
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body.inboxes[0]
}
const shown = async (id: string) =>
  (await workspace.owner.get('/inboxes')).body.inboxes.find((one: { id: string }) => one.id === id)
const outbox = (type: string, id: string) =>
  deps.db.rows<{ data: { inbox: { id: string } } }>(
    sql`select data from outbox where type = ${type} and data::jsonb->'inbox'->>'id' = ${id}`,
  )

describe('webhook registration', () => {
  test('registers webhooks automatically, with the handshake', async () => {
    const inbox = await connected()
    const registration = await waitFor(async () => {
      const row = await deps.db.one<{ registration: string | null }>(
        sql`select registration from inboxes where id = ${inbox.id}`,
      )
      return row.registration ?? undefined
    }, 'a registration')
    expect(registration).toContain(`${api.url}/v1/channels/chatapp/webhook at `)
  })

  test('200 handshake with the verify token; 403 otherwise', async () => {
    const ask = (token: string) =>
      fetch(
        `${api.url}/v1/channels/socialapp/webhook?hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${token}`,
      )
    const right = await ask(deps.channels.socialapp.verifyToken)
    expect([right.status, await right.text()]).toEqual([200, '12345'])
    expect(right.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await ask('wrong')).status).toBe(403)
    expect((await fetch(`${api.url}/v1/channels/chatapp/webhook`)).status).toBe(403)
  })

  test('webhook_failing if registration fails; a new public URL registers again', async () => {
    const { publicUrl } = deps.config
    deps.config.publicUrl = 'http://127.0.0.1:9'
    const inbox = await connected(workspace, fresh('unreachable'))
    const state = () => shown(inbox.id).then(one => one.status)
    await waitFor(
      async () => ((await state()).reasons.includes('webhook_failing') ? true : undefined),
      'webhook_failing',
    )
    deps.config.publicUrl = publicUrl
    expect(await reregisterChanged(deps)).toBeGreaterThan(0)
    await waitFor(async () => ((await state()).state === 'active' ? true : undefined), 'recovery')
  })
})

describe('status', () => {
  test('degrades once and recovers automatically after a successful check', async () => {
    const inbox = await connected()
    const { tenantId } = workspace
    const mark = () => transact(deps.db, tx => markDegraded(tx, tenantId, inbox.id, 'auth_expired'))
    expect([await mark(), await mark()]).toEqual([true, false])
    expect((await shown(inbox.id)).status).toEqual({ state: 'degraded', reasons: ['auth_expired'] })
    await waitFor(
      async () => ((await shown(inbox.id)).status.state === 'active' ? true : undefined),
      'recovery',
    )
    expect(await outbox('inbox.updated', inbox.id)).toHaveLength(2)
  })

  test('stays degraded while the provider rejects the token', async () => {
    const inbox = await connected()
    const ref = { channel: 'chatapp', account: inbox.externalId } as const
    await sandbox.control.setFaults({ requests: [{ answer: 'tokenExpired' }] }, [ref])
    await transact(deps.db, tx => markDegraded(tx, workspace.tenantId, inbox.id, 'auth_expired'))
    const asked = async () =>
      (await sandbox.control.requests()).filter(one => JSON.stringify(one).includes(`/${inbox.externalId}`))
        .length
    const before = await asked()
    await waitFor(async () => ((await asked()) > before ? true : undefined), 'a check')
    expect((await shown(inbox.id)).status.reasons).toEqual(['auth_expired'])
    await sandbox.control.clearFaults([ref])
    await waitFor(
      async () => ((await shown(inbox.id)).status.state === 'active' ? true : undefined),
      'recovery',
    )
  })

  test('account events apply to all inboxes of the account', async () => {
    const waba = fresh('waba')
    const answer = await workspace.owner.post('/inboxes', chatapp([fresh('n'), fresh('n')], [waba]))
    const ids = answer.body.inboxes.map((one: { id: string }) => one.id)
    const event = { type: 'account', accountId: '', resourceId: waba, dedupeKey: '', at: '' } as const
    const apply = (isResolved: boolean) =>
      transact(deps.db, tx =>
        applyAccountEvent(tx, 'chatapp', { ...event, issue: 'account_locked', isResolved }),
      )
    const states = async () => Promise.all(ids.map(async (id: string) => (await shown(id)).status.state))
    await apply(false)
    expect(await states()).toEqual(['disconnected', 'disconnected'])
    await apply(true)
    expect(await states()).toEqual(['active', 'active'])
  })

  test('issues are opened and resolved independently', async () => {
    const { id } = await connected()
    const { tenantId } = workspace
    await transact(deps.db, tx => markDegraded(tx, tenantId, id, 'payment_issue'))
    await transact(deps.db, tx => markDegraded(tx, tenantId, id, 'quality_low'))
    expect((await shown(id)).status.reasons).toEqual(['payment_issue', 'quality_low'])
    await transact(deps.db, tx => resolveIssues(tx, tenantId, id, ['payment_issue']))
    expect((await shown(id)).status.reasons).toEqual(['quality_low'])
  })
})

describe('PUT /inboxes/{id}/credentials', () => {
  const listCredentialChanges = async (id: string): Promise<object[]> =>
    (await workspace.owner.get(`/audit-log?action=inbox.credentials_changed&targetId=${id}`)).body.items

  test('200 stores the token, resolves auth_expired and uses the token', async () => {
    const inbox = await connected()
    await transact(deps.db, tx => markDegraded(tx, workspace.tenantId, inbox.id, 'auth_expired'))
    expect((await getAccount(deps, workspace.tenantId, inbox.id)).token).toBe('sandbox')
    const answer = await workspace.owner.put(`/inboxes/${inbox.id}/credentials`, {
      authToken: 'a-better-one',
    })
    expect(answer).toMatchObject({ status: 200, body: { status: { state: 'active', reasons: [] } } })
    expect(JSON.stringify(answer.body)).not.toContain('better')
    expect((await getAccount(deps, workspace.tenantId, inbox.id)).token).toBe('a-better-one')
    expect(await listCredentialChanges(inbox.id)).toMatchObject([{ actorId: workspace.owner.id }])
  })

  test('409 if the provider rejects the token; nothing changes', async () => {
    const inbox = await connected()
    const answer = await workspace.owner.put(`/inboxes/${inbox.id}/credentials`, { authToken: 'expired' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'inbox_provider_refused' } })
    expect((await getAccount(deps, workspace.tenantId, inbox.id)).token).toBe('sandbox')
    expect(await listCredentialChanges(inbox.id)).toEqual([])
  })

  test('404 for an account of another workspace', async () => {
    const inbox = await connected()
    const other = await api.workspace()
    await expect(getAccount(deps, other.tenantId, inbox.id)).rejects.toMatchObject({ kind: { status: 404 } })
  })
})
