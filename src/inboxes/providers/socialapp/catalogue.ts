/** Reads a socialapp account and its published media. */
import { asText, fetchPage, type GraphAccess, type GraphPage, type Json, readGraph } from '../graph.ts'
import { classifySocialappError } from './errors.ts'

export async function findSocialAccount(
  access: GraphAccess,
  id: string,
): Promise<{ id: string; username: string; name: string }> {
  const query = { fields: 'id,username,name' }
  const node = await readGraph(access, { path: encodeURIComponent(id), query }, classifySocialappError)
  const username = asText(node.username) ?? id
  return { id, username, name: asText(node.name) ?? username }
}

const fields = 'id,caption,media_type,media_product_type,media_url,permalink,thumbnail_url,timestamp'
/** Fixed page size: page tokens contain positions within a page. */
const pageSize = '50'

/** Newest first. */
export function fetchMediaPage(
  access: GraphAccess,
  accountId: string,
  edge: 'media' | 'stories',
  after: string | undefined,
): Promise<GraphPage> {
  const call = { path: `${encodeURIComponent(accountId)}/${edge}`, query: { fields, limit: pageSize } }
  return fetchPage(access, call, classifySocialappError, after)
}

export function toMediaType({ media_product_type: product }: Json): 'post' | 'reel' | 'story' {
  if (product === 'STORY') return 'story'
  return product === 'REELS' ? 'reel' : 'post'
}
