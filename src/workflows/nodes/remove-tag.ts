import { AnyId, object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'
import { next } from './shared.ts'

export const removeTag = defineNode({
  type: 'removeTag',
  kinds: ['journey', 'chatbot'],
  summary: 'Take a tag off the contact',
  docs: 'A contact without the tag stays as it is.',
  data: object({ tagId: AnyId }),
  example: { tagId: 'tag_…' },
  outputs: () => [next],
  references: ({ tagId }) => [{ kind: 'tag', id: tagId, path: 'tagId' }],
  run: async ({ data: { tagId }, effects }) => {
    const there = await effects.removeTag(tagId)
    return { to: 'next', ...(there ? {} : { detail: { skipped: 'the tag was deleted' } }) }
  },
})
