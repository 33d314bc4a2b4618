import { tagTrigger } from './tag-added.ts'

export const tagRemoved = tagTrigger('removedTagIds', {
  type: 'tag_removed',
  summary: 'A tag was removed from a contact',
  docs: 'Starts when one of the tags is removed from a contact. The run reads it as `event.tagId`.',
})
