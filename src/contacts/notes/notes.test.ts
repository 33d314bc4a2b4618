/** Tests notes about contacts over HTTP and realtime. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { testService } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let numbers = 5_582_000

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
})

const createContact = async (name = 'Ada') => (await owner.post('/contacts', { name })).body.id as string
const write = (client: Client, id: string, text: string) => client.post(`/contacts/${id}/notes`, { text })
const texts = async (id: string, query = '') =>
  (await owner.get(`/contacts/${id}/notes${query}`)).body.notes.map((note: { text: string }) => note.text)

/** Creates a contact that only the members of the team see. */
async function createTeamContact(): Promise<string> {
  const chatapp = { resourceIds: ['5582'], phoneNumberIds: [String(++numbers)] }
  const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
  await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
  const recipient = { type: 'phone', phoneNumber: `+141${++numbers}0` }
  const content = { type: 'text', text: { body: 'Hello' } }
  const { body } = await owner.post('/messages', { recipient, inboxId, content })
  return body.conversation.contactId
}

test('newest first, in pages, with author and times', async () => {
  const id = await createContact()
  for (const n of [1, 2, 3, 4, 5]) expect((await write(owner, id, `n${n}`)).status).toBe(201)
  const found: string[] = []
  let token = ''
  do {
    const { body } = await owner.get(`/contacts/${id}/notes?pageSize=2&pageToken=${token}`)
    found.push(...body.notes.map((note: { text: string }) => note.text))
    token = body.nextPageToken ?? ''
  } while (token)
  expect(found).toEqual(['n5', 'n4', 'n3', 'n2', 'n1'])
  const [note] = (await owner.get(`/contacts/${id}/notes`)).body.notes
  expect(note).toMatchObject({ contactId: id, authorType: 'user', authorId: owner.id })
  expect(note.createdAt).toBe(note.updatedAt)
  const key = await workspace.key({ scopes: ['contact:read', 'note:create'] })
  expect((await write(key, id, 'from a service')).body).toMatchObject({ authorType: 'service' })
  expect((await key.get(`/contacts/${id}/notes`)).status).toBe(403)
})

test('400 for a text that is empty, blank or too long, and 404 for unknown contacts and notes', async () => {
  const id = await createContact()
  for (const text of ['', ' \n', 'x'.repeat(10_001), 7, 'a\u0000b'])
    expect((await owner.post(`/contacts/${id}/notes`, { text })).status).toBe(400)
  expect((await write(owner, id, 'x'.repeat(10_000))).status).toBe(201)
  expect((await write(owner, 'con_none', 'x')).body.code).toBe('contact_not_found')
  expect((await owner.get('/contacts/con_none/notes')).status).toBe(404)
  const note = (await write(owner, id, 'mine')).body
  const other = await createContact('Other')
  for (const path of [`/contacts/${other}/notes/${note.id}`, `/contacts/${id}/notes/cnote_none`]) {
    expect((await owner.patch(path, { text: 'x' })).body.code).toBe('contact_note_not_found')
    expect((await owner.delete(path)).body.code).toBe('contact_note_not_found')
  }
  expect(await texts(id)).toContain('mine')
})

test('403 for changes by others; the author, owners and admins delete', async () => {
  const id = await createContact()
  const [author, colleague] = [await workspace.user('agent'), await workspace.user('agent')]
  const note = (await write(author, id, 'first')).body
  const path = `/contacts/${id}/notes/${note.id}`
  expect((await owner.patch(path, { text: 'x' })).body.code).toBe('contact_note_not_yours')
  expect((await colleague.delete(path)).body.code).toBe('contact_note_not_yours')
  const changed = await author.patch(path, { text: 'second' })
  expect(changed.body).toMatchObject({ id: note.id, text: 'second', authorId: author.id })
  expect((await owner.delete(path)).status).toBe(204)
  expect((await author.patch(path, { text: 'x' })).status).toBe(404)
  const own = (await write(author, id, 'own')).body
  expect((await author.delete(`/contacts/${id}/notes/${own.id}`)).status).toBe(204)
  expect(await texts(id)).toEqual([])
})

test('404 and no frame for agents who cannot see the contact; others read it again after each change', async () => {
  const id = await createTeamContact()
  const member = await workspace.user('agent', [workspace.teamId])
  const outsider = await workspace.user('agent')
  const [seen, hidden] = [await openFrames(member), await openFrames(outsider)]
  const changes = (frames: typeof seen) =>
    frames.filter(({ type, data }) => type === 'changed' && data.kind === 'contact_notes')
  const note = (await write(member, id, 'team only')).body
  const path = `/contacts/${id}/notes/${note.id}`
  expect((await write(outsider, id, 'x')).status).toBe(404)
  expect((await outsider.get(`/contacts/${id}/notes`)).status).toBe(404)
  expect((await outsider.patch(path, { text: 'x' })).status).toBe(404)
  expect((await outsider.delete(path)).status).toBe(404)
  await member.patch(path, { text: 'changed' })
  await member.patch(path, { text: 'changed' })
  await member.delete(path)
  await eventually(() => expect(changes(seen)).toHaveLength(3))
  expect(changes(seen)[0]!.data).toMatchObject({ kind: 'contact_notes', id })
  expect(JSON.stringify(seen)).not.toContain('team only')
  expect(changes(hidden)).toEqual([])
})

test('merged: the survivor has the notes of both, and both ids find them', async () => {
  const [from, into] = [await createContact('From'), await createContact('Into')]
  const old = (await write(owner, from, 'of the first')).body
  await write(owner, into, 'of the second')
  expect((await owner.post(`/contacts/${from}/merge`, { intoContactId: into })).status).toBe(200)
  expect(await texts(into)).toEqual(['of the second', 'of the first'])
  expect(await texts(from)).toEqual(['of the second', 'of the first'])
  const changed = await owner.patch(`/contacts/${from}/notes/${old.id}`, { text: 'moved' })
  expect(changed.body).toMatchObject({ text: 'moved', contactId: into })
})

test('notes written during a merge are kept', async () => {
  const [from, into] = [await createContact('From'), await createContact('Into')]
  const [, ...written] = await Promise.all([
    owner.post(`/contacts/${from}/merge`, { intoContactId: into }),
    ...[1, 2, 3, 4].map(n => write(owner, from, `during ${n}`)),
  ])
  const kept = written.filter(({ status }) => status === 201)
  // A contact that is merged between the lookup and the lock is not found; a repetition finds the survivor.
  expect(written.every(({ status }) => status === 201 || status === 404)).toBe(true)
  expect(await texts(into)).toHaveLength(kept.length)
})

test('erased: the notes are deleted with the contact', async () => {
  const [id, other] = [await createContact(), await createContact('Other')]
  await write(owner, id, 'personal')
  await write(owner, other, 'of another')
  expect((await owner.post(`/contacts/${id}/erase`)).status).toBe(202)
  expect((await owner.get(`/contacts/${id}/notes`)).status).toBe(404)
  const rows = await service.deps.db.rows<{ text: string }>(
    sql`select text from contact_notes where tenant_id = ${workspace.tenantId}`,
  )
  expect(rows).toEqual([{ text: 'of another' }])
})
