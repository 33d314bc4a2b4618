/** How labels, tags and custom fields are read and written. */
import { api, call } from '../../api/client.ts'

export type KindName = 'label' | 'tag' | 'field'

export interface Item {
  id: string
  name: string
  color?: string | null
  type?: 'text' | 'date'
  isPredefined?: boolean
  /** Contacts that have the tag. */
  count?: number
}

export type Draft = Pick<Item, 'name' | 'color' | 'type'>
type Params = { header: { 'Idempotency-Key': string } }

export interface Kind {
  /** Prefix of its scopes. */
  scope: string
  /** In `changed` frames. */
  event: string
  load: () => Promise<Item[]>
  create: (draft: Draft, params: Params) => Promise<unknown>
  update: (id: string, draft: Draft) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
}

const byId = (id: string) => ({ path: { id } })

export const kinds: Record<KindName, Kind> = {
  label: {
    scope: 'label',
    event: 'label',
    load: async () => (await call(api.GET('/labels'))).labels,
    create: ({ name, color }, params) =>
      call(api.POST('/labels', { body: { name, ...(color ? { color } : {}) }, params })),
    update: (id, { name, color }) =>
      call(api.PATCH('/labels/{id}', { params: byId(id), body: { name, ...(color ? { color } : {}) } })),
    remove: id => call(api.DELETE('/labels/{id}', { params: byId(id) })),
  },
  tag: {
    scope: 'tag',
    event: 'tag',
    load: async () =>
      (await call(api.GET('/tags'))).tags.map(({ labeledCount, ...tag }) => ({
        ...tag,
        count: labeledCount,
      })),
    create: async ({ name, color }, params) => {
      const { id } = await call(api.POST('/tags', { body: { name }, params }))
      if (color) await call(api.PATCH('/tags/{id}', { params: byId(id), body: { color } }))
    },
    update: (id, { name, color }) =>
      call(api.PATCH('/tags/{id}', { params: byId(id), body: { name, color: color ?? null } })),
    remove: id => call(api.DELETE('/tags/{id}', { params: byId(id) })),
  },
  field: {
    scope: 'custom_field',
    event: 'custom_field',
    load: async () =>
      (await call(api.GET('/contacts/custom-fields'))).customFields.map(({ id, name, type, predefined }) => ({
        id,
        name,
        type,
        isPredefined: predefined,
      })),
    create: ({ name, type = 'text' }, params) =>
      call(api.POST('/contacts/custom-fields', { body: { name, type }, params })),
    update: (id, { name, type = 'text' }) =>
      call(api.PATCH('/contacts/custom-fields/{id}', { params: byId(id), body: { name, type } })),
    remove: id => call(api.DELETE('/contacts/custom-fields/{id}', { params: byId(id) })),
  },
}
