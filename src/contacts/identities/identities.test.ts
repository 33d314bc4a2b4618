import { describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { eventually } from '../../../test/harness/wait.ts'
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { linkConversations, recordChats, recordInteractions, unlinkConversation } from '../activity.ts'
import { loadSnapshots } from '../contact-views.ts'
import { lockContact } from '../store/contacts.ts'
import { releasePhone } from '../store/identities.ts'
import { findContactByIdentity, findOrCreateContactByIdentity } from './identities.ts'
import { moveAddress } from './move-address.ts'

const api = await testApi()
const { db } = api.deps

describe('the contact of an address', () => {
  test('is one contact under concurrent calls from all channels', async () => {
    const { tenantId, owner } = await api.workspace()
    const ask = (channel: 'chatapp' | 'sms', externalId: string) =>
      transact(db, tx => findOrCreateContactByIdentity(tx, tenantId, { channel, externalId, name: 'Zé' }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ask(i % 2 ? 'sms' : 'chatapp', i % 3 ? '+5511987654321' : '+551187654321'),
      ),
    )
    expect(new Set(answers.map(answer => answer.contactId)).size).toBe(1)
    expect(answers.filter(answer => answer.created)).toHaveLength(1)
    const { contacts } = (await owner.get('/contacts')).body
    expect(contacts).toHaveLength(1)
    expect(contacts[0]).toMatchObject({ name: 'Zé' })
    expect(contacts[0].identities.map((one: { channel: string }) => one.channel).sort()).toEqual([
      'chatapp',
      'sms',
    ])
    const said = await db.rows(
      sql`select 1 from outbox where tenant_id = ${tenantId} and type = 'contact.created'`,
    )
    expect(said).toHaveLength(1)
  })

  test('a deleted contact is created again, an archived one stays archived', async () => {
    const { tenantId, owner } = await api.workspace()
    const address = { channel: 'socialapp', externalId: 'ig-1' } as const
    const ask = () => transact(db, tx => findOrCreateContactByIdentity(tx, tenantId, address))
    const first = await ask()
    await owner.post(`/contacts/${first.contactId}/archive`)
    expect(await ask()).toEqual({ contactId: first.contactId, created: false })
    expect((await owner.get(`/contacts/${first.contactId}`)).body.archivedAt).not.toBeNull()
    await owner.delete(`/contacts/${first.contactId}`)
    expect(await findContactByIdentity(db, tenantId, address)).toBeUndefined()
    const second = await ask()
    expect(second.created).toBe(true)
    expect(second.contactId).not.toBe(first.contactId)
  })

  test('is never a deleted contact under concurrent creation and deletion', async () => {
    const { tenantId, owner } = await api.workspace()
    const address = { channel: 'chatapp', externalId: '+14155550199' } as const
    for (let round = 0; round < 5; round++) {
      const { contactId } = await transact(db, tx => findOrCreateContactByIdentity(tx, tenantId, address))
      const [given] = await Promise.all([
        transact(db, async tx => {
          const answer = await findOrCreateContactByIdentity(tx, tenantId, address)
          await recordInteractions(tx, tenantId, [{ contactId: answer.contactId, at: tx.now }])
          const alive = await tx.rows(
            sql`select 1 from contacts where tenant_id = ${tenantId} and id = ${answer.contactId} and deleted_at is null`,
          )
          return alive.length
        }),
        owner.delete(`/contacts/${contactId}`),
      ])
      expect(given).toBe(1)
    }
  })

  /** Releases the number of a contact while the other transaction waits for the lock of the contact. */
  async function releaseWhile<T>(phone: string, wait: (tx: Tx, tenantId: string, id: string) => Promise<T>) {
    const { tenantId, owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', { phone })).body
    let released = () => {}
    const releasing = new Promise<void>(resolve => {
      released = resolve
    })
    const release = transact(db, async tx => {
      await lockContact(tx, tenantId, id)
      await releasePhone(tx, tenantId, id, phone)
      released()
      await eventually(async () =>
        expect(
          await db.rows(sql`
            select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from contacts where%'
              and datname = current_database()`),
        ).toHaveLength(1),
      )
    })
    await releasing
    const waiting = transact(db, tx => wait(tx, tenantId, id))
    await release
    return { tenantId, id, result: await waiting }
  }

  test('is not a contact that released the address while its lock was awaited', async () => {
    const address = { channel: 'chatapp', externalId: '+14155550198' } as const
    const { id, tenantId, result } = await releaseWhile(address.externalId, (tx, tenant) =>
      findOrCreateContactByIdentity(tx, tenant, address),
    )
    expect(result.created).toBe(true)
    expect(result.contactId).not.toBe(id)
    expect(await findContactByIdentity(db, tenantId, address)).toBe(result.contactId)
  })

  test('is claimed again by a contact that released it while its lock was awaited', async () => {
    const address = { channel: 'chatapp', externalId: '+14155550197' } as const
    const { id, tenantId, result } = await releaseWhile(address.externalId, (tx, tenant, contactId) =>
      moveAddress(tx, tenant, address, contactId),
    )
    expect(result).toEqual([{ contactId: id, changes: { phone: true } }])
    expect(await findContactByIdentity(db, tenantId, address)).toBe(id)
  })
})

describe('activity of conversations', () => {
  test('first and last interaction, chats, and visibility', async () => {
    const { tenantId, owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', {})).body
    const times = ['2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
    await Promise.all(
      times.map((at, i) =>
        transact(db, async tx => {
          await recordInteractions(tx, tenantId, [{ contactId: id, at }])
          await recordChats(tx, tenantId, [{ contactId: id, sessionId: `ses_${i}`, at }])
        }),
      ),
    )
    expect((await loadSnapshots(db, tenantId, [id]))[0]).toMatchObject({
      firstSeenAt: times[1],
      lastInteractionAt: times[2],
      chatCount: 3,
      chats: [times[1], times[0], times[2]],
    })
    const link = {
      contactId: id,
      conversationId: 'cnv_1',
      channel: 'chatapp',
      phone: null,
      teamId: null,
      ownerId: null,
    }
    const summary = async () =>
      (await owner.post('/contacts/search', { filter: { match: 'all', conditions: [] } })).body.items[0]
    await transact(db, tx => linkConversations(tx, tenantId, [link]))
    await transact(db, tx => linkConversations(tx, tenantId, [{ ...link, teamId: 'team_x' }]))
    expect(await summary()).toMatchObject({ hasConversations: true })
    await transact(db, tx => unlinkConversation(tx, tenantId, id, 'cnv_1'))
    expect(await summary()).toMatchObject({ hasConversations: false })
  })
})

describe('agents', () => {
  test('404 and not listed without a visible conversation', async () => {
    const { tenantId, teamId, owner, user } = await api.workspace()
    const agent = await user('agent', [teamId])
    const make = async (name: string, links: { teamId: string | null; ownerId: string | null }[]) => {
      const { id } = (await owner.post('/contacts', { name })).body
      for (const [i, link] of links.entries())
        await transact(db, tx =>
          linkConversations(tx, tenantId, [
            {
              contactId: id,
              conversationId: `cnv_${i}`,
              channel: 'sms',
              phone: null,
              ...link,
            },
          ]),
        )
      return id as string
    }
    const other = { teamId: 'team_other', ownerId: null }
    const hidden = await make('hidden', [other])
    const seen = [
      await make('alone', []),
      await make('open', [other, { teamId: null, ownerId: null }]),
      await make('team', [{ teamId, ownerId: null }]),
      await make('mine', [{ ...other, ownerId: agent.id }]),
    ]
    for (const answer of [
      await agent.get(`/contacts/${hidden}`),
      await agent.patch(`/contacts/${hidden}`, { name: 'x' }),
      await agent.post(`/contacts/${hidden}/archive`),
      await agent.delete(`/contacts/${hidden}`),
      await agent.put(`/contacts/${hidden}/opt-outs/sms`),
    ])
      expect(answer.status).toBe(404)
    for (const id of seen) expect((await agent.get(`/contacts/${id}`)).status).toBe(200)
    const ids = (items: { id: string }[]) => items.map(item => item.id).sort()
    const filter = { match: 'all', conditions: [] }
    expect(ids((await agent.get('/contacts')).body.contacts)).toEqual([...seen].sort())
    expect(ids((await agent.post('/contacts/search', { filter })).body.items)).toEqual([...seen].sort())
    expect((await agent.get('/contacts/count')).body).toEqual({ totalSize: 4 })
    expect((await agent.post('/contacts/search/count', { filter })).body).toEqual({ totalSize: 4 })
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 5 })
  })
})
