import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApi, type Workspace } from '../../test/harness/api.ts'
import { playProviders } from '../../test/harness/sandbox.ts'
import { sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { startWorkers, type Workers } from '../platform/jobs/workers.ts'
import { getAccount, grantProviderAccount } from './accounts/accounts.ts'
import { inboxes } from './domain.ts'

const api = await testApi()
await playProviders(api)
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

describe('POST /inboxes', () => {
  test('200 one inbox per number, in the order of the request', async () => {
    const numbers = [fresh('z'), fresh('a')]
    const answer = await workspace.owner.post('/inboxes', chatapp(numbers))
    expect(answer.status).toBe(200)
    expect(answer.body.inboxes.map((one: { externalId: string }) => one.externalId)).toEqual(numbers)
    expect(answer.body.inboxes[0]).toMatchObject({
      tenantId: workspace.tenantId,
      channel: 'chatapp',
      createdBy: workspace.owner.id,
      teamId: null,
      status: { state: 'active', reasons: [] },
      config: {
        phoneNumberId: numbers[0],
        wabaId: 'waba-1',
        displayPhoneNumber: expect.stringMatching(/^\+1/),
      },
    })
    expect((await workspace.owner.get('/inboxes')).body.inboxes).toEqual(
      expect.arrayContaining(answer.body.inboxes),
    )
    const audit = await workspace.owner.get('/audit-log')
    expect(JSON.stringify(audit.body)).toContain(answer.body.inboxes[1].id)
  })

  test('200 with an API key: createdBy is the service account', async () => {
    const key = await workspace.key()
    const answer = await key.post('/inboxes', chatapp([fresh('number')]))
    expect(answer.body.inboxes[0].createdBy).toBe(key.id)
  })

  test('400 names the index of a number that belongs to none of the resources', async () => {
    const other = fresh('number')
    await workspace.owner.post('/inboxes', chatapp([other], ['waba-other']))
    const answer = await workspace.owner.post('/inboxes', chatapp([fresh('number'), 'missing-1', other]))
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(answer.body.violations.map((one: { field: string }) => one.field)).toEqual([
      'chatapp.phoneNumberIds[1]',
      'chatapp.phoneNumberIds[2]',
    ])
  })

  test('400 names the resource that does not exist', async () => {
    const chat = await workspace.owner.post('/inboxes', chatapp([fresh('n')], ['waba-1', 'missing-waba']))
    expect(chat).toMatchObject({ status: 400, body: { violations: [{ field: 'chatapp.resourceIds[1]' }] } })
    const social = await workspace.owner.post('/inboxes', { socialapp: { resourceIds: ['missing-x'] } })
    expect(social).toMatchObject({
      status: 400,
      body: { violations: [{ field: 'socialapp.resourceIds[0]' }] },
    })
  })

  test.each([
    [{}],
    [{ chatapp: { resourceIds: ['w'], phoneNumberIds: ['1'] }, socialapp: { resourceIds: ['a'] } }],
    [{ chatapp: { resourceIds: ['w'] } }],
    [{ chatapp: { resourceIds: [], phoneNumberIds: ['1'] } }],
    [{ chatapp: { resourceIds: ['w'], phoneNumberIds: ['1', '1'] } }],
    [{ chatapp: { resourceIds: ['..'], phoneNumberIds: ['1'] } }],
    [{ chatapp: { resourceIds: ['a/b'], phoneNumberIds: ['1'] } }],
    [{ socialapp: { resourceIds: ['a?b=c'] } }],
    [{ sms: { phoneNumberSids: ['PN1'] } }],
    [{ telegram: { id: '1' } }],
  ])('400 for %j', async body => {
    expect(await workspace.owner.post('/inboxes', body)).toMatchObject({ status: 400 })
  })

  test('409 if one number is connected in any workspace; none is connected, and the response does not name the workspace', async () => {
    const elsewhere = await api.workspace()
    const taken = await connected(elsewhere)
    const free = fresh('number')
    const answer = await workspace.owner.post('/inboxes', chatapp([free, taken.externalId]))
    expect(answer).toMatchObject({ status: 409, body: { code: 'inbox_already_connected' } })
    expect(JSON.stringify(answer.body)).not.toContain(elsewhere.tenantId)
    expect(JSON.stringify(answer.body)).not.toContain(taken.id)
    await connected(workspace, free)
  })

  test('one of twenty concurrent requests for the same two numbers gets both', async () => {
    const numbers = [fresh('race'), fresh('race')]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        workspace.owner.post('/inboxes', chatapp(i % 2 ? numbers : [...numbers].reverse())),
      ),
    )
    expect(answers.map(one => one.status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('200 for social accounts', async () => {
    const accounts = [fresh('account'), fresh('account')]
    const answer = await workspace.owner.post('/inboxes', { socialapp: { resourceIds: accounts } })
    expect(answer.body.inboxes[1]).toMatchObject({
      channel: 'socialapp',
      externalId: accounts[1],
      config: { accountId: accounts[1], username: expect.stringMatching(/^sandbox\./) },
    })
  })

  test('409 if the provider rejects the token; tokens are never returned', async () => {
    const body = { socialapp: { resourceIds: [fresh('account')], authToken: 'expired-1' } }
    expect(await workspace.owner.post('/inboxes', body)).toMatchObject({
      status: 409,
      body: { code: 'inbox_provider_refused' },
    })
    body.socialapp.authToken = 'my-own-secret'
    const answer = await workspace.owner.post('/inboxes', body)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    const { id } = answer.body.inboxes[0]
    expect((await getAccount(deps, workspace.tenantId, id)).token).toBe('my-own-secret')
    const row = await deps.db.one<{ credential: Buffer }>(
      sql`select credential from inboxes where id = ${id}`,
    )
    expect(row.credential.includes('my-own-secret')).toBe(false)
  })

  test('503 with Retry-After when the provider cannot be reached', async () => {
    const { baseUrl } = deps.channels.chatapp
    deps.channels.chatapp.baseUrl = 'http://127.0.0.1:9'
    const answer = await workspace.owner.post('/inboxes', chatapp([fresh('number')]))
    deps.channels.chatapp.baseUrl = baseUrl
    expect(answer).toMatchObject({ status: 503, body: { code: 'inbox_provider_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('5')
  })
})

describe('sms', () => {
  const pending = async (authToken = 'auth-token', accountSid = 'AC1') =>
    workspace.owner.post(`/smsprovider/${accountSid}/phone-numbers`, { authToken })
  const use = (pendingCredentialId: string, ...phoneNumberSids: string[]) =>
    workspace.owner.post('/inboxes', { sms: { pendingCredentialId, phoneNumberSids } })

  test('200 lists the numbers and stores the token for one use', async () => {
    const accountSid = fresh('AC')
    const { status, body } = await pending('auth-token', accountSid)
    expect(status).toBe(200)
    expect(body.pendingCredentialId).toMatch(/^pcr_/)
    expect(body.phoneNumbers[0]).toEqual({
      phoneNumberSid: expect.stringMatching(/^PN/),
      phoneNumber: expect.stringMatching(/^\+1/),
      friendlyName: expect.any(String),
      capabilities: { sms: true, mms: true, voice: true },
    })
    const [first, second] = body.phoneNumbers
    const answer = await use(body.pendingCredentialId, first.phoneNumberSid)
    expect(answer.body.inboxes[0]).toMatchObject({
      channel: 'sms',
      externalId: first.phoneNumberSid,
      config: { phoneNumberSid: first.phoneNumberSid, accountSid, phoneNumber: first.phoneNumber },
    })
    const again = await use(body.pendingCredentialId, second.phoneNumberSid)
    expect(again).toMatchObject({ status: 400, body: { violations: [{ field: 'sms.pendingCredentialId' }] } })
  })

  test('a conflict does not use the token; concurrent requests use it once', async () => {
    const { body } = await pending('auth-token', fresh('AC'))
    const sids = body.phoneNumbers.map((one: { phoneNumberSid: string }) => one.phoneNumberSid)
    const id = body.pendingCredentialId
    const answers = await Promise.all([use(id, sids[0]), use(id, sids[1])])
    expect(answers.map(one => one.status).sort()).toEqual([200, 400])
  })

  test('400 after 15 minutes and for a token of another workspace', async () => {
    const { body } = await pending('auth-token', fresh('AC'))
    const sid = body.phoneNumbers[0].phoneNumberSid
    const other = await api.workspace()
    const foreign = await other.owner.post('/inboxes', {
      sms: { pendingCredentialId: body.pendingCredentialId, phoneNumberSids: [sid] },
    })
    expect(foreign.status).toBe(400)
    await deps.db.run(
      sql`update pending_credentials set expires_at = ${deps.clock.now().toISOString()} where id = ${body.pendingCredentialId}`,
    )
    expect((await use(body.pendingCredentialId, sid)).status).toBe(400)
  })

  test('400 for an unknown number or one without sms', async () => {
    const { body } = await pending('auth-token', fresh('AC'))
    const [able, , , mute] = body.phoneNumbers.map((one: { phoneNumberSid: string }) => one.phoneNumberSid)
    const unknown = await use(body.pendingCredentialId, able, 'missing-1')
    expect(unknown).toMatchObject({
      status: 400,
      body: { violations: [{ field: 'sms.phoneNumberSids[1]' }] },
    })
    const silent = await use(body.pendingCredentialId, mute)
    expect(silent).toMatchObject({ status: 400, body: { violations: [{ code: 'not_capable' }] } })
  })

  test('409 for a rejected token, 404 for an invalid account id', async () => {
    expect(await pending('expired')).toMatchObject({ status: 409, body: { code: 'inbox_provider_refused' } })
    expect((await pending('auth-token', 'missing-1')).status).toBe(404)
    expect((await pending('auth-token', '..')).status).toBe(404)
  })
})

describe('DELETE /inboxes/{id}', () => {
  test('204 releases the number and emits inbox.deleted', async () => {
    const inbox = await connected()
    expect((await workspace.owner.delete(`/inboxes/${inbox.id}`)).status).toBe(204)
    expect((await workspace.owner.delete(`/inboxes/${inbox.id}`)).status).toBe(404)
    expect(await shown(inbox.id)).toBeUndefined()
    await expect(getAccount(deps, workspace.tenantId, inbox.id)).rejects.toMatchObject({
      kind: { status: 404 },
    })
    await connected(await api.workspace(), inbox.externalId)
    expect(await outbox('inbox.deleted', inbox.id)).toHaveLength(1)
  })
})

describe('team', () => {
  test('200 routes to a team, which cannot be deleted until the route changes', async () => {
    const inbox = await connected()
    const team = (await workspace.owner.post('/teams', { name: fresh('Team') })).body.id
    const routed = await workspace.owner.put(`/inboxes/${inbox.id}/team`, { teamId: team })
    expect(routed).toMatchObject({ status: 200, body: { teamId: team } })
    expect((await workspace.owner.delete(`/teams/${team}`)).status).toBe(409)
    const back = await workspace.owner.delete(`/inboxes/${inbox.id}/team`)
    expect(back).toMatchObject({ status: 200, body: { teamId: null } })
    expect((await workspace.owner.delete(`/teams/${team}`)).status).toBe(204)
  })

  test('a team of a deleted inbox can be deleted', async () => {
    const inbox = await connected()
    const team = (await workspace.owner.post('/teams', { name: fresh('Team') })).body.id
    await workspace.owner.put(`/inboxes/${inbox.id}/team`, { teamId: team })
    await workspace.owner.delete(`/inboxes/${inbox.id}`)
    expect((await workspace.owner.delete(`/teams/${team}`)).status).toBe(204)
  })

  test('400 for a team of another workspace', async () => {
    const inbox = await connected()
    const { teamId } = await api.workspace()
    const answer = await workspace.owner.put(`/inboxes/${inbox.id}/team`, { teamId })
    expect(answer).toMatchObject({ status: 400, body: { violations: [{ field: 'teamId' }] } })
  })
})

describe("with the deployment's own token", () => {
  test('only granted accounts can be listed and connected', async () => {
    deps.channels.chatapp.isSandbox = false
    try {
      const [number, waba] = [fresh('number'), fresh('waba-granted')]
      const refused = await workspace.owner.post('/inboxes', chatapp([number], ['waba-1', waba]))
      expect(refused).toMatchObject({
        status: 400,
        body: { violations: [{ field: 'chatapp.resourceIds[0]' }, {}] },
      })
      expect((await workspace.owner.get(`/chatapp/${waba}/phone-numbers`)).status).toBe(404)
      await transact(deps.db, tx => grantProviderAccount(tx, workspace.tenantId, 'chatapp', waba))
      expect((await workspace.owner.get(`/chatapp/${waba}/phone-numbers`)).status).toBe(200)
      const granted = await workspace.owner.post('/inboxes', chatapp([number], [waba]))
      expect(granted.status).toBe(200)
      const own = {
        chatapp: { resourceIds: ['waba-1'], phoneNumberIds: [fresh('number')], authToken: 'mine' },
      }
      expect((await workspace.owner.post('/inboxes', own)).status).toBe(200)
    } finally {
      deps.channels.chatapp.isSandbox = true
    }
  })
})
