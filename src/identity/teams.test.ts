/** Teams, their members, and what keeps them from going. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, testApi } from '../../test/harness/api.ts'
import { raw, sql } from '../platform/db/sql.ts'

const api = await testApi()
const other = await api.another()
const { db } = api.deps
const said = (answer: ApiResponse) => `${answer.status} ${answer.body.code ?? ''}`.trim()
const make = async (owner: Client, name: string) => (await owner.post('/teams', { name })).body

describe('GET and POST /teams', () => {
  test('a new workspace has Support, with its owner in it', async () => {
    const { owner, teamId } = await api.workspace()
    expect((await owner.get('/teams')).body.teams).toMatchObject([
      { id: teamId, name: 'Support', memberIds: [owner.id] },
    ])
  })
  test('201 adds one that everybody sees, newest first', async () => {
    const ws = await api.workspace()
    const team = await make(await ws.user('admin'), 'Sales 🙂 ‮x')
    expect(team).toMatchObject({ name: 'Sales 🙂 ‮x', memberIds: [] })
    const seen = (await (await ws.user('agent')).get('/teams')).body.teams
    expect(seen.map((one: { id: string }) => one.id)).toEqual([team.id, ws.teamId])
  })
  test.each([
    ['Support', 'SUPPORT'],
    ['Ärzte', 'äRZTE'],
    ['Μάρκετινγκ', 'ΜΆΡΚΕΤΙΝΓΚ'],
    ['Cafe\u0301', 'CAF\u00c9'],
  ])('409 for %s beside %s, in this workspace only', async (name, alike) => {
    const [ws, theirs] = [await api.workspace(), await api.workspace()]
    if (name !== 'Support') await make(ws.owner, name)
    expect(said(await ws.owner.post('/teams', { name: alike }))).toBe('409 team_name_taken')
    if (name !== 'Support') expect(said(await theirs.owner.post('/teams', { name: alike }))).toBe('201')
  })
  test('201 once of ten of the same name at the same time', async () => {
    const { owner } = await api.workspace()
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? owner : other.as(owner)).post('/teams', { name: 'Race' }),
      ),
    )
    expect(ten.map(said).sort()).toEqual(['201', ...Array(9).fill('409 team_name_taken')])
  })
  test.each([
    {},
    { name: '' },
    { name: ' ' },
    { name: null },
    { name: 'x'.repeat(201) },
    { name: 'x', memberIds: [] },
  ])('400 for %j', async body => {
    const { owner } = await api.workspace()
    expect(said(await owner.post('/teams', body))).toBe('400 validation_failed')
  })
})

describe('PATCH /teams/{id}', () => {
  test('200 renames, also to another case of its own name, and does nothing for nothing', async () => {
    const { owner, teamId } = await api.workspace()
    const rename = (body: object) => owner.patch(`/teams/${teamId}`, body)
    expect((await rename({ name: 'SUPPORT' })).body.name).toBe('SUPPORT')
    expect((await rename({})).body.name).toBe('SUPPORT')
    expect((await rename({ name: 'Care' })).body).toMatchObject({ name: 'Care', memberIds: [owner.id] })
    await make(owner, 'Support')
    expect(said(await rename({ name: 'sUpport' }))).toBe('409 team_name_taken')
    expect(said(await rename({ name: null }))).toBe('400 validation_failed')
    expect(said(await owner.patch('/teams/team_none', { name: 'X' }))).toBe('404 team_not_found')
  })
})

describe('members', () => {
  test('204 in and out, as often as one likes, seen from both sides', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    const path = `/teams/${ws.teamId}/members/${agent.id}`
    const teamIds = async () => (await agent.get('/users/me')).body.teamIds
    for (let i = 0; i < 2; i++) expect((await ws.owner.put(path)).status).toBe(204)
    expect(await teamIds()).toEqual([ws.teamId])
    expect((await ws.owner.get('/teams')).body.teams[0].memberIds.sort()).toEqual(
      [ws.owner.id, agent.id].sort(),
    )
    for (let i = 0; i < 2; i++) expect((await ws.owner.delete(path)).status).toBe(204)
    expect(await teamIds()).toEqual([])
  })
  test('404 for a team or a user that is not of this workspace', async () => {
    const [ws, theirs] = [await api.workspace(), await api.workspace()]
    const ask = async (team: string, user: string) =>
      said(await ws.owner.put(`/teams/${team}/members/${user}`))
    expect(await ask(theirs.teamId, ws.owner.id)).toBe('404 team_not_found')
    expect(await ask(ws.teamId, theirs.owner.id)).toBe('404 auth_user_not_found')
    expect(await ask('team_none', 'usr_none')).toBe('404 team_not_found')
    expect(await ask(ws.teamId, (await ws.key()).id)).toBe('404 auth_user_not_found')
    const rows = await db.rows(
      sql`select 1 from team_members where tenant_id <> ${ws.tenantId} and user_id = ${ws.owner.id}`,
    )
    expect(rows).toEqual([])
  })
  test('204 for an admin who puts an owner into a team: teams are for admins to make up', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const team = await make(admin, 'Escalations')
    expect((await admin.put(`/teams/${team.id}/members/${ws.owner.id}`)).status).toBe(204)
  })
  test('never a 5xx while the team is being deleted', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    const rounds = Array.from({ length: 12 }, async (_, i) => {
      const team = await make(ws.owner, `Doomed ${i}`)
      const [put, gone] = await Promise.all([
        other.as(ws.owner).put(`/teams/${team.id}/members/${agent.id}`),
        ws.owner.delete(`/teams/${team.id}`),
      ])
      expect([204, 404]).toContain(put.status)
      expect(gone.status).toBe(204)
    })
    await Promise.all(rounds)
    expect((await agent.get('/users/me')).body.teamIds).toEqual([])
  })
})

describe('DELETE /teams/{id}', () => {
  test('204 takes the memberships along; a second time it is 404', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent', [ws.teamId])
    expect((await ws.owner.delete(`/teams/${ws.teamId}`)).status).toBe(204)
    expect((await agent.get('/users/me')).body.teamIds).toEqual([])
    expect(said(await ws.owner.delete(`/teams/${ws.teamId}`))).toBe('404 team_not_found')
    expect((await ws.owner.get('/teams')).body.teams).toEqual([])
  })
  test('409 team_in_use while something refers to it, which leaves it whole', async () => {
    const ws = await api.workspace()
    const table = raw(`uses_${ws.tenantId}`)
    await db.run(sql`create table ${table} (tenant_id text collate "C", team_id text collate "C",
      foreign key (tenant_id, team_id) references teams)`)
    await db.run(sql`insert into ${table} values (${ws.tenantId}, ${ws.teamId})`)
    expect(said(await ws.owner.delete(`/teams/${ws.teamId}`))).toBe('409 team_in_use')
    expect((await ws.owner.get('/teams')).body.teams).toMatchObject([{ memberIds: [ws.owner.id] }])
    await db.run(sql`delete from ${table}`)
    expect((await ws.owner.delete(`/teams/${ws.teamId}`)).status).toBe(204)
  })
  test('204 once of ten at the same time', async () => {
    const { owner, teamId } = await api.workspace()
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? owner : other.as(owner)).delete(`/teams/${teamId}`)),
    )
    expect(ten.map(one => one.status).sort()).toEqual([204, ...Array(9).fill(404)])
    expect((await owner.get('/audit-log?action=team.deleted')).body.items).toHaveLength(1)
  })
})
