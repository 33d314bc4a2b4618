import { AnyId, object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'
import { next } from './shared.ts'

export const addTag = defineNode({
  type: 'addTag',
  kinds: ['journey', 'chatbot'],
  summary: 'Put a tag on the contact',
  docs: 'A contact that has the tag already stays as it is. A tag that was deleted since is passed over.',
  data: object({ tagId: AnyId }),
  example: { tagId: 'tag_…' },
  outputs: () => [next],
  references: ({ tagId }) => [{ kind: 'tag', id: tagId, path: 'tagId' }],
  run: async ({ data: { tagId }, effects }) => {
    const there = await effects.addTag(tagId)
    return { to: 'next', ...(there ? {} : { detail: { skipped: 'the tag was deleted' } }) }
  },
})
