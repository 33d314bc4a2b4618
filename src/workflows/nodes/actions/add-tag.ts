import { AnyId, object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const addTag = defineNode({
  type: 'addTag',
  summary: 'Add a tag to the contact',
  docs: 'Has no effect on a contact that already has the tag. A tag deleted after publishing is skipped.',
  data: object({ tagId: AnyId }),
  example: { tagId: 'tag_…' },
  references: ({ tagId }) => [{ kind: 'tag', id: tagId, path: 'tagId' }],
  run: async ({ data: { tagId }, effects }) => {
    const exists = await effects.addTag(tagId)
    return { to: 'next', ...(exists ? {} : { detail: { skipped: 'the tag was deleted' } }) }
  },
})
