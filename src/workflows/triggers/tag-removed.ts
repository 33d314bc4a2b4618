import Type from 'typebox'
import { type ContactChanges, contactUpdated } from '../../contacts/events.ts'
import { object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { contactEntry } from './event-data.ts'
import { TagIds } from './tag-added.ts'
import { defineTrigger } from './trigger-type.ts'

export const tagRemoved = defineTrigger({
  type: 'tag_removed',
  kinds: ['journey'],
  summary: 'A tag was removed from a contact',
  docs: 'Starts when one of the tags is removed from a contact. The run reads it as `event.tagId`.',
  config: object({ type: Type.Literal('tag_removed'), tagIds: TagIds, conditions: Conditions }),
  references: ({ tagIds }) => tagIds.map((id, i) => ({ kind: 'tag', id, path: `tagIds[${i}]` })),
  events: [contactUpdated.type],
  index: {
    config: ({ tagIds }) => tagIds,
    event: event => (event.data as { contactChanges: ContactChanges }).contactChanges.removedTagIds ?? [],
  },
  match: ({ tagIds }, event) => {
    const { removedTagIds = [] } = (event.data as { contactChanges: ContactChanges }).contactChanges
    const tagId = removedTagIds.find(id => tagIds.includes(id))
    return tagId === undefined ? undefined : contactEntry(event, { tagId })
  },
})
