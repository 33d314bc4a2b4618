import { AnyId, object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const removeTag = defineNode({
  type: 'removeTag',
  summary: 'Remove a tag from the contact',
  docs: 'Has no effect on a contact without the tag. A tag deleted after publishing is skipped.',
  data: object({ tagId: AnyId }),
  example: { tagId: 'tag_…' },
  references: ({ tagId }) => [{ kind: 'tag', id: tagId, path: 'tagId' }],
  run: async ({ data: { tagId }, effects }) => {
    const exists = await effects.removeTag(tagId)
    return { to: 'next', ...(exists ? {} : { detail: { skipped: 'the tag was deleted' } }) }
  },
})
