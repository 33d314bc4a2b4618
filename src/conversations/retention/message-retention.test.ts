/** Tests that messages, notes, files and closed conversations are deleted after the retention of their workspace only. */
import { expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { listRetentions } from '../../identity/workspace/retention.ts'
import { readConfig } from '../../platform/config.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import { mediaBlobKey } from '../store/media/media.ts'
import { purgeMessages } from './message-retention.ts'
import { purgeMedia } from './retention.ts'

const service = await testService()
const day = 86_400_000
let numbers = 5_000

const text = (body: string) => ({ type: 'text', text: { body } })

async function upload(client: Client, name: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([`%PDF-1.7 ${name}`], `${name}.pdf`, { type: 'application/pdf' }))
  const response = await fetch(`${service.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: form,
  })
  const body = (await response.json()) as { mediaId: string }
  expect(response.status, JSON.stringify(body)).toBe(201)
  return body.mediaId
}

/** Sends messages with a key, which does not expire when the clock advances. */
async function openDesk(workspace: Workspace) {
  const client = await workspace.key()
  const waba = String(numbers++)
  const chatapp = { resourceIds: [waba], phoneNumberIds: [`${waba}1`] }
  const inboxId = (await client.post('/inboxes', { chatapp })).body.inboxes[0].id
  const send = async (phoneNumber: string, content: object): Promise<string> => {
    const recipient = { type: 'phone', phoneNumber }
    const { status, body } = await client.post('/messages', { recipient, inboxId, content })
    expect(status, JSON.stringify(body)).toBe(202)
    await eventually(async () =>
      expect((await client.get(`/messages/${body.message.id}`)).body.deliveryStatus).not.toBe('pending'),
    )
    return body.conversation.id
  }
  const read = async (id: string) =>
    (await client.get(`/conversations/${id}/timeline`)).body.items
      .filter(({ type }: { type: string }) => type !== 'event')
      .map((entry: { message?: { content: { text?: object } }; note?: { text: string } }) =>
        entry.note ? entry.note.text : entry.message!.content,
      )
  return { client, send, read }
}

async function runPurge(deps: Deps): Promise<void> {
  await purgeMessages.job.handle(deps, { at: '' }, { holdsLease: () => true } as never)
  await purgeMedia.job.handle(deps, { at: '' }, undefined as never)
}

test('what is older is deleted, what is younger stays, and so does everything of another workspace', async () => {
  const { deps } = service
  const workspaces = [await service.workspace(), await service.workspace()] as const
  const desks = [await openDesk(workspaces[0]), await openDesk(workspaces[1])] as const
  const setUp = async ({ client, send }: (typeof desks)[number]) => {
    const files = [await upload(client, 'old'), await upload(client, 'both')]
    const document = (mediaId: string) => ({ type: 'media', media: { mediaId } })
    const busy = await send('+14155586001', text('an old orchid'))
    for (const file of files) await send('+14155586001', document(file))
    await client.post(`/conversations/${busy}/notes`, { text: 'an old note' })
    const quiet = await send('+14155586002', text('goodbye'))
    await client.post(`/conversations/${quiet}/close`)
    const open = await send('+14155586003', text('still open'))
    return { files, busy, quiet, open, document }
  }
  const before = [await setUp(desks[0]), await setUp(desks[1])] as const
  deps.clock.advance(20 * day)
  for (const [i, { client, send }] of desks.entries()) {
    await send('+14155586001', before[i]!.document(before[i]!.files[1]!))
    await client.post(`/conversations/${before[i]!.busy}/notes`, { text: 'a new note' })
  }
  const settings = await desks[0].client.patch('/workspace', { retention: { messageDays: 30 } })
  expect(settings.status).toBe(200)

  // 29 days after the first messages, and 31.
  const untouched = await desks[0].read(before[0].busy)
  expect(untouched).toHaveLength(6)
  deps.clock.advance(9 * day)
  await runPurge(deps)
  expect(await desks[0].read(before[0].busy)).toEqual(untouched)
  deps.clock.advance(2 * day)
  await runPurge(deps)

  const [ours, theirs] = desks
  const [{ busy, quiet, open, files }, other] = before
  expect(await ours.read(busy)).toMatchObject(['a new note', { media: { mediaId: files[1] } }])
  expect((await ours.client.get(`/conversations/${quiet}`)).status).toBe(404)
  expect((await ours.client.get(`/conversations/${open}`)).body).toMatchObject({
    status: 'open',
    lastMessagePreview: null,
  })
  expect((await ours.client.get('/messages/search?q=orchid')).body.items).toEqual([])
  const hasBytes = async (tenantId: string, id: string) =>
    (await deps.blobs.stat(mediaBlobKey(tenantId, id))) !== null
  const [tenantId, otherTenantId] = workspaces.map(({ tenantId: id }) => id) as [string, string]
  expect(await Promise.all(files.map(id => hasBytes(tenantId, id)))).toEqual([false, true])

  expect(await theirs.read(other.busy)).toHaveLength(6)
  expect((await theirs.client.get(`/conversations/${other.quiet}`)).body.status).toBe('closed')
  expect(await theirs.read(other.open)).toHaveLength(1)
  expect(await Promise.all(other.files.map(id => hasBytes(otherTenantId, id)))).toEqual([true, true])

  // The contact stays, and a message to it starts a new conversation.
  const again = await ours.send('+14155586002', text('hello again'))
  expect(again).not.toBe(quiet)
  expect(await ours.read(again)).toEqual([text('hello again')])
})

test('the limit of the installation applies to all workspaces, and to what they may set', async () => {
  const limited = await testApi({ MAX_RETENTION_DAYS: '90' })
  const { owner, tenantId } = await limited.workspace()
  const patch = (messageDays: number | null) => owner.patch('/workspace', { retention: { messageDays } })
  const refused = await patch(91)
  expect([refused.status, refused.body.violations?.[0]?.field]).toEqual([400, 'retention.messageDays'])
  const getDays = async (config: { maxRetentionDays: number | undefined }) =>
    (await listRetentions(limited.deps.db, config)).find(each => each.tenantId === tenantId)?.days
  expect((await patch(null)).status).toBe(200)
  expect(await getDays({ maxRetentionDays: 90 })).toBe(90)
  expect(await getDays({ maxRetentionDays: undefined })).toBeUndefined()
  expect((await patch(60)).status).toBe(200)
  expect(await getDays({ maxRetentionDays: 90 })).toBe(60)
  // A setting from before the limit.
  await limited.deps.db.run(sql`update tenants set message_retention_days = 365 where id = ${tenantId}`)
  expect(await getDays({ maxRetentionDays: 90 })).toBe(90)
  expect(() => readConfig({ MAX_RETENTION_DAYS: '13' })).toThrow('MAX_RETENTION_DAYS')
})
