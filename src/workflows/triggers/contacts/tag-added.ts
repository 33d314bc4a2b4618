import Type from 'typebox'
import { type ContactChanges, contactUpdated } from '../../../contacts/events.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { AnyId } from '../../../platform/http/schemas.ts'
import { contactEntry } from '../event-data.ts'
import { defineTrigger, type TriggerType } from '../trigger-type.ts'

type TagChange = 'addedTagIds' | 'removedTagIds'

export function tagTrigger(changed: TagChange, texts: Pick<TriggerType, 'type' | 'summary' | 'docs'>) {
  const getTagIds = (event: LogEvent) =>
    (event.data as { contactChanges: ContactChanges }).contactChanges[changed] ?? []
  return defineTrigger({
    ...texts,
    config: { tagIds: Type.Array(AnyId, { minItems: 1, maxItems: 100 }) },
    references: ({ tagIds }) => tagIds.map((id, i) => ({ kind: 'tag', id, path: `tagIds[${i}]` })),
    events: [contactUpdated.type],
    index: { config: ({ tagIds }) => tagIds, event: getTagIds },
    match: ({ tagIds }, event) => {
      const tagId = getTagIds(event).find(id => tagIds.includes(id))
      return tagId === undefined ? undefined : contactEntry(event, { tagId })
    },
  })
}

export const tagAdded = tagTrigger('addedTagIds', {
  type: 'tag_added',
  summary: 'A tag was added to a contact',
  docs: 'Starts when one of the tags is added to a contact that did not have it. The run reads it as `event.tagId`.',
})
