import Type from 'typebox'
import { type ContactChanges, contactUpdated } from '../../contacts/events.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { contactEntry } from './event-data.ts'
import { defineTrigger } from './trigger-type.ts'

export const TagIds = Type.Array(AnyId, { minItems: 1, maxItems: 100 })

export const tagAdded = defineTrigger({
  type: 'tag_added',
  kinds: ['journey'],
  summary: 'A tag was added to a contact',
  docs: 'Starts when one of the tags is added to a contact that did not have it. The run reads it as `event.tagId`.',
  config: object({ type: Type.Literal('tag_added'), tagIds: TagIds, conditions: Conditions }),
  references: ({ tagIds }) => tagIds.map((id, i) => ({ kind: 'tag', id, path: `tagIds[${i}]` })),
  events: [contactUpdated.type],
  index: {
    config: ({ tagIds }) => tagIds,
    event: event => (event.data as { contactChanges: ContactChanges }).contactChanges.addedTagIds ?? [],
  },
  match: ({ tagIds }, event) => {
    const { addedTagIds = [] } = (event.data as { contactChanges: ContactChanges }).contactChanges
    const tagId = addedTagIds.find(id => tagIds.includes(id))
    return tagId === undefined ? undefined : contactEntry(event, { tagId })
  },
})
