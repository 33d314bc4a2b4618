/** What an account has at the social provider: its name, its posts and reels, its stories. */
import { type GraphAccess, type GraphPage, graphPage, graphRead, type Json, textIn } from '../graph.ts'
import { socialappMeaning } from './errors.ts'

export async function findAccountNode(
  access: GraphAccess,
  id: string,
): Promise<{ id: string; username: string; name: string }> {
  const query = { fields: 'id,username,name' }
  const node = await graphRead(access, { path: encodeURIComponent(id), query }, socialappMeaning)
  const username = textIn(node.username) ?? id
  return { id, username, name: textIn(node.name) ?? username }
}

const fields = 'id,caption,media_type,media_product_type,media_url,permalink,thumbnail_url,timestamp'
/** Always pages of this size: positions in them are remembered between calls. */
const pageSize = '50'

/** Newest first, as the provider gives them. */
export function mediaPage(
  access: GraphAccess,
  accountId: string,
  edge: 'media' | 'stories',
  after: string | undefined,
): Promise<GraphPage> {
  const call = { path: `${encodeURIComponent(accountId)}/${edge}`, query: { fields, limit: pageSize } }
  return graphPage(access, call, socialappMeaning, after)
}

export function mediaTypeOf({ media_product_type: product }: Json): 'post' | 'reel' | 'story' {
  if (product === 'STORY') return 'story'
  return product === 'REELS' ? 'reel' : 'post'
}
