import { describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { foldDeltas } from '../store/counts.ts'

const api = await testApi()

describe('tags', () => {
  test('201, and 409 for the same name in another case', async () => {
    const { owner } = await api.workspace()
    const answer = await owner.post('/tags', { name: 'VIP' })
    expect(answer).toMatchObject({ status: 201, body: { name: 'VIP', createdBy: owner.id, labeledCount: 0 } })
    expect((await owner.post('/tags', { name: 'vip' })).body).toMatchObject({
      status: 409,
      code: 'tag_name_taken',
    })
    expect((await owner.get('/tags')).body).toEqual({ tags: [answer.body] })
  })

  test('201 with the name trimmed, and 409 for the name with blanks around it', async () => {
    const { owner } = await api.workspace()
    expect(await owner.post('/tags', { name: ' VIP\t' })).toMatchObject({
      status: 201,
      body: { name: 'VIP' },
    })
    expect((await owner.post('/tags', { name: 'vip ' })).body).toMatchObject({ code: 'tag_name_taken' })
  })

  test('labeledCount is exact under concurrent tagging and folding of deltas', async () => {
    const { owner } = await api.workspace()
    const tag = (await owner.post('/tags', { name: 'vip' })).body
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) => owner.post('/contacts', { name: `n${i}` })),
    )
    const ids = made.map(answer => answer.body.id as string)
    const path = (id: string) => `/contacts/${id}/tags/${tag.id}`
    let folding = true
    const folder = (async () => {
      while (folding) await foldDeltas(api.deps.db, 3)
    })()
    await Promise.all(
      ids.map(async (id, i) => {
        await Promise.all([owner.post(path(id)), owner.post(path(id))])
        if (i % 3 === 0) await Promise.all([owner.delete(path(id)), owner.delete(path(id))])
      }),
    )
    folding = false
    await folder
    const count = async () => (await owner.get('/tags')).body.tags[0].labeledCount
    expect(await count()).toBe(8)
    await owner.post(`/contacts/${ids[1]}/archive`) // still labelled
    await owner.delete(`/contacts/${ids[2]}`)
    expect(await count()).toBe(7)
    while ((await foldDeltas(api.deps.db, 100)) > 0);
    expect(await count()).toBe(7)
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 10 })
  })

  test('404 for an unknown tag or contact', async () => {
    const [here, there] = [await api.workspace(), await api.workspace()]
    const contact = (await here.owner.post('/contacts', {})).body
    const foreign = (await there.owner.post('/tags', { name: 'x' })).body
    for (const method of ['POST', 'DELETE']) {
      const tagged = await here.owner.request(method, `/contacts/${contact.id}/tags/${foreign.id}`)
      expect(tagged.body.code).toBe('tag_not_found')
      const nobody = await there.owner.request(method, `/contacts/${contact.id}/tags/${foreign.id}`)
      expect(nobody.body.code).toBe('contact_not_found')
    }
  })
})

describe('custom field definitions', () => {
  test('200 with the predefined fields in every workspace, for contacts only', async () => {
    const { owner } = await api.workspace()
    const predefined = (await owner.get('/contacts/custom-fields')).body.customFields
    expect(predefined).toMatchObject([
      { id: 'cf_email', name: 'cf_email', type: 'text', predefined: true, entityType: 'contact' },
      { id: 'cf_phone', name: 'cf_phone', type: 'text', predefined: true, entityType: 'contact' },
      {
        id: 'cf_external_ref',
        name: 'cf_external_ref',
        type: 'text',
        predefined: true,
        entityType: 'contact',
      },
    ])
    expect((await owner.get('/properties/custom-fields')).body).toEqual({ customFields: [] })
  })

  test.each(['contact', 'property'] as const)(
    '201, rename, and 400 for another type: %s',
    async entityType => {
      const { owner } = await api.workspace()
      const base = entityType === 'contact' ? '/contacts/custom-fields' : '/properties/custom-fields'
      const made = await owner.post(base, { name: 'Plan', type: 'text' })
      expect(made).toMatchObject({
        status: 201,
        body: { name: 'Plan', type: 'text', predefined: false, entityType, createdBy: owner.id },
      })
      expect((await owner.post(base, { name: 'plan', type: 'date' })).body.code).toBe(
        'custom_field_name_taken',
      )
      const renamed = await owner.patch(`${base}/${made.body.id}`, { name: 'Tier', type: 'text' })
      expect(renamed).toMatchObject({ status: 200, body: { ...made.body, name: 'Tier' } })
      const trimmed = await owner.patch(`${base}/${made.body.id}`, { name: ' Tier ', type: 'text' })
      expect(trimmed.body).toEqual(renamed.body)
      const retyped = await owner.patch(`${base}/${made.body.id}`, { name: 'Tier', type: 'date' })
      expect(retyped.body).toMatchObject({ status: 400, violations: [{ field: 'type' }] })
      expect((await owner.patch(`${base}/cf_none`, { name: 'X', type: 'text' })).status).toBe(404)
      const other = await owner.post(base, { name: 'Other', type: 'text' })
      const clash = await owner.patch(`${base}/${other.body.id}`, { name: 'TIER', type: 'text' })
      expect(clash.body).toMatchObject({ status: 409, code: 'custom_field_name_taken' })
      // Nobody could give it a value: bodies with such a member are refused.
      for (const refused of [
        await owner.post(base, { name: ' __proto__ ', type: 'text' }),
        await owner.patch(`${base}/${other.body.id}`, { name: '__proto__', type: 'text' }),
      ])
        expect(refused.body).toMatchObject({ status: 400, violations: [{ field: 'name', code: 'reserved' }] })
    },
  )

  test('a renamed field keeps its values under the new name', async () => {
    const { owner } = await api.workspace()
    const field = (await owner.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body
    const { id } = (await owner.post('/contacts', { customFields: { Plan: 'gold' } })).body
    await owner.patch(`/contacts/custom-fields/${field.id}`, { name: 'Tier', type: 'text' })
    expect((await owner.get(`/contacts/${id}`)).body.customFields).toEqual({ Tier: 'gold' })
    expect((await owner.get('/contacts?customFields[Tier]=gold')).body.contacts).toHaveLength(1)
  })

  test('409 for renaming, deleting or shadowing a predefined field', async () => {
    const { owner } = await api.workspace()
    const path = '/contacts/custom-fields/cf_email'
    expect((await owner.patch(path, { name: 'Mail', type: 'text' })).body.code).toBe(
      'custom_field_predefined',
    )
    expect((await owner.delete(path)).body.code).toBe('custom_field_predefined')
    expect((await owner.post('/contacts/custom-fields', { name: 'CF_Email', type: 'text' })).status).toBe(409)
  })
})
