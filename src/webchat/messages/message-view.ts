/** Messages and conversations as a visitor sees them. */
import {
  type CustomerConversationRow,
  type CustomerFileRow,
  type CustomerMessageRow,
  listCustomerConversations,
  listCustomerFiles,
} from '../../conversations/customer-view.ts'
import { mediaUrlForVisitor } from '../../conversations/media/urls.ts'
import { type Content, listMediaReferences } from '../../inboxes/content.ts'
import type { Deps } from '../../platform/deps.ts'
import type { WidgetConversation, WidgetFile, WidgetMessage } from '../schemas.ts'

type ViewDeps = Pick<Deps, 'db' | 'keys' | 'clock'>

/** Separates the visitor from its own id of a message, in the id of the message on the channel. */
const separator = ':'

export const toChannelMessageId = (visitorId: string, clientMessageId: string): string =>
  `${visitorId}${separator}${clientMessageId}`

function toClientMessageId({ direction, channelMessageId }: CustomerMessageRow): string | null {
  if (direction === 'out' || channelMessageId === null) return null
  return channelMessageId.slice(channelMessageId.indexOf(separator) + 1)
}

export async function toWidgetMessages(
  deps: ViewDeps,
  tenantId: string,
  rows: readonly CustomerMessageRow[],
): Promise<WidgetMessage[]> {
  const ids = rows.flatMap(({ content }) => listMediaReferences(content).map(({ mediaId }) => mediaId))
  const files = ids.length === 0 ? [] : await listCustomerFiles(deps.db, tenantId, ids)
  const byId = new Map(files.map(file => [file.id, toWidgetFile(deps, tenantId, file)]))
  return rows.map(row => toWidgetMessage(row, byId))
}

export function toWidgetFile(
  deps: Pick<Deps, 'keys' | 'clock'>,
  tenantId: string,
  { id, mimeType, size, filename }: Pick<CustomerFileRow, 'id' | 'mimeType' | 'size' | 'filename'>,
): WidgetFile {
  return { mediaId: id, url: mediaUrlForVisitor(deps, tenantId, id), mimeType, size, filename }
}

function toWidgetMessage(row: CustomerMessageRow, files: ReadonlyMap<string, WidgetFile>): WidgetMessage {
  const quoted = row.context?.find(item => item.type === 'message')
  return {
    id: row.id,
    clientMessageId: toClientMessageId(row),
    seq: row.position,
    createdAt: row.createdAt,
    author: toAuthor(row),
    status: row.status === 'delivered' || row.status === 'read' ? row.status : 'sent',
    replyTo: quoted?.messageId ?? null,
    content: withFile(row.content, files),
  }
}

function toAuthor({ senderType, senderName, senderAvatarUrl }: CustomerMessageRow): WidgetMessage['author'] {
  if (senderType === 'customer') return { kind: 'visitor', name: null, avatarUrl: null }
  const isPerson = senderType === 'user' || senderType === 'service'
  return { kind: isPerson ? 'agent' : 'bot', name: senderName, avatarUrl: senderAvatarUrl }
}

type ShownContent = { type: string } & Record<string, unknown>

function withFile(content: Content, files: ReadonlyMap<string, WidgetFile>): ShownContent {
  if (content.type === 'media') {
    const file = files.get(content.media.mediaId)
    return file ? { ...content, media: { ...content.media, ...file } } : content
  }
  if (content.type !== 'rich' || content.rich.header?.type !== 'media') return content
  const { header } = content.rich
  const file = files.get(header.media.mediaId)
  if (!file) return content
  return { ...content, rich: { ...content.rich, header: { ...header, media: { ...header.media, ...file } } } }
}

export async function loadWidgetConversations(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, WidgetConversation>> {
  if (ids.length === 0) return new Map()
  const rows = await listCustomerConversations(db, tenantId, ids, clock.now().toISOString())
  return new Map(rows.map(row => [row.id, toWidgetConversation(row)]))
}

function toWidgetConversation(row: CustomerConversationRow): WidgetConversation {
  const { id, status, rating, agentName, agentAvatarUrl, surveySessionId, seenPosition } = row
  return {
    id,
    status,
    canRate: surveySessionId !== null && rating === null,
    rating,
    agent: agentName === null ? null : { name: agentName, avatarUrl: agentAvatarUrl },
    seenUpTo: seenPosition,
  }
}
