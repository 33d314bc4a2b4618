/** Tests saved replies over HTTP and realtime: who sees and changes them, their files, and their placeholders. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { testService, until } from '../../../test/harness/service.ts'

const api = await testService()
let workspace: Workspace
let owner: Client
let member: Client
let outsider: Client

async function upload(client: Client, content: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), 'prices.txt')
  const response = await fetch(`${api.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: form,
  })
  return ((await response.json()) as { mediaId: string }).mediaId
}

const shortcuts = async (client: Client, query = '') =>
  (await client.get(`/saved-replies${query}`)).body.savedReplies.map(
    ({ shortcut }: { shortcut: string }) => shortcut,
  )

beforeEach(async () => {
  workspace = await api.workspace('Harbor Lights')
  owner = workspace.owner
  member = await workspace.user('agent', [workspace.teamId])
  outsider = await workspace.user('agent')
})

describe('who sees and changes a saved reply', () => {
  test('200 lists own, team and workspace replies by shortcut, in pages', async () => {
    const team = { scope: 'team', teamIds: [workspace.teamId] }
    await member.post('/saved-replies', { shortcut: 'mine', text: 'Mine' })
    await member.post('/saved-replies', { shortcut: 'Bye', text: 'Good bye', ...team })
    await owner.post('/saved-replies', { shortcut: 'all', text: 'For everyone', scope: 'workspace' })
    await owner.post('/saved-replies', { shortcut: 'private', text: 'Of the owner' })
    expect(await shortcuts(member)).toEqual(['all', 'Bye', 'mine'])
    expect(await shortcuts(owner)).toEqual(['all', 'Bye', 'private'])
    expect(await shortcuts(outsider)).toEqual(['all'])
    expect(await shortcuts(member, '?search=GOOD')).toEqual(['Bye'])
    const first = (await member.get('/saved-replies?pageSize=2')).body
    expect(first.savedReplies).toHaveLength(2)
    expect(await shortcuts(member, `?pageSize=2&pageToken=${first.nextPageToken}`)).toEqual(['mine'])
  })

  test('403 for agents who change what others share; 404 for what they do not see', async () => {
    const team = { scope: 'team', teamIds: [workspace.teamId] }
    const everyone = (await owner.post('/saved-replies', { shortcut: 'w', text: 'x', scope: 'workspace' }))
      .body
    const ofTeam = (await owner.post('/saved-replies', { shortcut: 't', text: 'x', ...team })).body
    const mine = (await member.post('/saved-replies', { shortcut: 'm', text: 'x' })).body
    for (const body of [{ scope: 'workspace' }, team])
      expect((await outsider.post('/saved-replies', { shortcut: 'o', text: 'x', ...body })).body.code).toBe(
        'sharing_forbidden',
      )
    expect((await member.patch(`/saved-replies/${everyone.id}`, { text: 'y' })).body.code).toBe(
      'sharing_forbidden',
    )
    expect((await member.delete(`/saved-replies/${everyone.id}`)).status).toBe(403)
    expect((await member.patch(`/saved-replies/${mine.id}`, { scope: 'workspace' })).status).toBe(403)
    expect((await outsider.patch(`/saved-replies/${ofTeam.id}`, { text: 'y' })).status).toBe(404)
    expect((await owner.patch(`/saved-replies/${mine.id}`, { text: 'y' })).status).toBe(404)
    const changed = await member.patch(`/saved-replies/${ofTeam.id}`, { text: 'y' })
    expect(changed.body).toMatchObject({ text: 'y', revision: 2, scope: 'team' })
    expect((await member.patch(`/saved-replies/${ofTeam.id}`, { scope: 'me' })).body).toMatchObject({
      scope: 'me',
      teamIds: [],
    })
    expect((await owner.patch(`/saved-replies/${ofTeam.id}`, { text: 'z' })).status).toBe(404)
    expect((await member.delete(`/saved-replies/${ofTeam.id}`)).status).toBe(204)
    expect((await member.delete(`/saved-replies/${ofTeam.id}`)).status).toBe(404)
  })

  test('409 for a shortcut that is taken; private ones of others do not count', async () => {
    const body = { shortcut: 'Hours', text: 'x' }
    expect((await owner.post('/saved-replies', body)).status).toBe(201)
    expect((await owner.post('/saved-replies', { ...body, shortcut: 'HOURS' })).body.code).toBe(
      'saved_reply_shortcut_taken',
    )
    expect((await member.post('/saved-replies', body)).status).toBe(201)
    expect((await owner.post('/saved-replies', { ...body, scope: 'workspace' })).status).toBe(201)
    const other = (await owner.post('/saved-replies', { ...body, shortcut: 'other' })).body
    expect((await owner.patch(`/saved-replies/${other.id}`, { shortcut: 'hours' })).status).toBe(409)
  })

  test('a change reaches those who see it before or after, and nobody else', async () => {
    const [ofOwner, ofMember, ofOutsider] = [
      await openFrames(owner),
      await openFrames(member),
      await openFrames(outsider),
    ]
    const { id } = (await member.post('/saved-replies', { shortcut: 'live', text: 'x' })).body
    const changes = (frames: typeof ofOwner) =>
      frames
        .filter(({ type, data }) => type === 'changed' && data.id === id)
        .map(({ data }) => [data.kind, data.revision])
    await member.patch(`/saved-replies/${id}`, { scope: 'team', teamIds: [workspace.teamId] })
    await owner.patch(`/saved-replies/${id}`, { scope: 'workspace' })
    await owner.delete(`/saved-replies/${id}`)
    const found = await until(
      async () => [changes(ofOutsider), changes(ofOwner), changes(ofMember)],
      lists => lists.every(list => list.at(-1)?.[1] === null),
    )
    const kind = 'saved_reply'
    expect(found).toEqual([
      [3, null].map(revision => [kind, revision]),
      [2, 3, null].map(revision => [kind, revision]),
      [1, 2, 3, null].map(revision => [kind, revision]),
    ])
  })
})

describe('files', () => {
  test('those who see the reply see its files and send them; the last use deletes a file', async () => {
    const [kept, dropped] = [await upload(owner, 'kept'), await upload(owner, 'dropped')]
    const stolen = await outsider.post('/saved-replies', { shortcut: 'stolen', mediaIds: [kept] })
    expect(stolen.body.violations).toMatchObject([{ field: 'mediaIds[0]', code: 'unknown_media' }])
    const reply = await owner.post('/saved-replies', {
      shortcut: 'files',
      mediaIds: [kept, dropped],
      scope: 'team',
      teamIds: [workspace.teamId],
    })
    expect(reply.body).toMatchObject({ text: '', mediaIds: [kept, dropped] })
    expect((await member.get(`/media/${kept}`)).status).toBe(200)
    expect((await outsider.get(`/media/${kept}`)).status).toBe(404)
    const path = `/saved-replies/${reply.body.id}`
    expect((await member.patch(path, { mediaIds: [kept] })).status).toBe(200)
    expect((await owner.get(`/media/${dropped}`)).status).toBe(404)
    const { id: conversationId } = await startConversation('+14155563001')
    const content = { type: 'media', media: { mediaId: kept } }
    expect((await member.post(`/conversations/${conversationId}/messages`, { content })).status).toBe(202)
    await owner.patch(path, { scope: 'workspace' })
    expect((await outsider.get(`/media/${kept}`)).status).toBe(200)
    const copy = await owner.post('/saved-replies', {
      shortcut: 'only',
      mediaIds: [await upload(owner, 'x')],
    })
    const [only] = copy.body.mediaIds
    await owner.delete(`/saved-replies/${copy.body.id}`)
    expect((await owner.get(`/media/${only}`)).status).toBe(404)
    await owner.delete(path)
    expect((await member.get(`/media/${kept}`)).status).toBe(200)
  })

  test('a file of a saved reply survives the erasure of a contact that received it', async () => {
    const mediaId = await upload(owner, 'survives')
    await owner.post('/saved-replies', { shortcut: 'survives', mediaIds: [mediaId], scope: 'workspace' })
    const { id, contactId } = await startConversation('+14155563002')
    await owner.post(`/conversations/${id}/messages`, { content: { type: 'media', media: { mediaId } } })
    expect((await owner.post(`/contacts/${contactId}/erase`)).status).toBeLessThan(300)
    await until(
      async () => (await owner.get(`/conversations/${id}`)).status,
      status => status === 404,
    )
    expect((await outsider.get(`/media/${mediaId}`)).status).toBe(200)
  })
})

describe('POST /saved-replies/{id}/render', () => {
  test('200 fills the placeholders; values without a default are reported as missing', async () => {
    const field = (await owner.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body
    const { id: conversationId, contactId } = await startConversation('+14155563003')
    await owner.patch(`/contacts/${contactId}`, { name: 'Ada Lovelace' })
    await owner.put(`/contacts/${contactId}/custom-fields/${field.id}`, { value: 'Gold' })
    const text = `Hi {{contact.firstName}} ({{contact.phone}}, {{contact.customFields.Plan}}), {{user.name}} of
      {{workspace.name}}: {{contact.email}}{{contact.customFields.cf_email | default: "no address"}}`
    const { id } = (await owner.post('/saved-replies', { shortcut: 'hi', text, scope: 'workspace' })).body
    const rendered = await member.post(`/saved-replies/${id}/render`, { conversationId })
    expect(rendered.body).toEqual({
      text: `Hi Ada (+14155563003, Gold), A agent of
      Harbor Lights: no address`,
      mediaIds: [],
      missing: ['contact.email'],
    })
    await owner.put(`/conversations/${conversationId}/owner`, { type: 'team', id: workspace.teamId })
    expect((await outsider.post(`/saved-replies/${id}/render`, { conversationId })).body.code).toBe(
      'conversation_not_found',
    )
  })

  test.each([
    ['invalid_placeholder', 'Hi {{contact.name'],
    ['unknown_value', 'Hi {{contact.secret}}'],
    ['unknown_value', 'Hi {{constructor.name}}'],
    ['unknown_value', 'Hi {{contact.name.first}}'],
    ['unknown_custom_field', 'Hi {{contact.customFields.Nothing}}'],
    ['required', '  '],
  ])('400 %s for the text %j', async (code, text) => {
    const { status, body } = await owner.post('/saved-replies', { shortcut: 'bad', text })
    expect([status, body.violations[0]]).toMatchObject([400, { field: 'text', code }])
  })

  test('400 for teams without their scope, a scope without teams, and teams of another workspace', async () => {
    const other = await api.workspace()
    for (const [scope, teamIds] of [
      ['team', []],
      ['me', [workspace.teamId]],
      ['team', [other.teamId]],
    ])
      expect((await owner.post('/saved-replies', { shortcut: 's', text: 'x', scope, teamIds })).status).toBe(
        400,
      )
  })
})

let inboxes = 0
async function startConversation(phoneNumber: string): Promise<{ id: string; contactId: string }> {
  const chatapp = { resourceIds: ['5563'], phoneNumberIds: [`5563${++inboxes}`] }
  const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return body.conversation
}
