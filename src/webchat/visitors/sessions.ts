/** Sessions of the web chat: the first request of the frame, which gets or continues a visitor. */
import type { IncomingMessage } from 'node:http'
import { type ConversationRow, loadConversationByAddress } from '../../conversations/conversations.ts'
import { countUnreadByCustomer } from '../../conversations/customer-view.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import type { Write } from '../../platform/http/route.ts'
import { buildWidgetConfig, checkOrigin, getWebchat, type WebchatInbox } from '../config.ts'
import { admitNewVisitor } from '../limits.ts'
import { loadWidgetConversations } from '../messages/message-view.ts'
import type { Session, SessionRequest, WidgetConversation } from '../schemas.ts'
import { findVisitor, updateVisitor } from '../store/visitors.ts'
import { createVisitor, findVisitorOfToken, toAddress, visitorToApi } from './visitors.ts'

interface SessionStart extends SessionRequest {
  inboxKey: string
  /** Continues its visitor if it is valid for this inbox. */
  token: string | undefined
  network: string
}

export async function startSession(
  deps: Deps,
  request: IncomingMessage,
  start: SessionStart,
  write: Write,
): Promise<Session> {
  const inbox = await getWebchat(deps.db, start.inboxKey)
  checkOrigin(deps, inbox, request)
  const known = start.token === undefined ? undefined : await findVisitorOfToken(deps, start.token)
  if (known?.inboxId === inbox.id) {
    const { locale, page, referrer } = start
    if (!known.isBlocked) await write(tx => updateVisitor(tx, known, { locale, page, referrer }))
    return describeSession(deps, inbox, known, null)
  }
  admitNewVisitor(deps, inbox, start)
  const { id, token } = await write(tx => createVisitor(tx, inbox, start))
  return describeSession(deps, inbox, (await findVisitor(deps.db, inbox.tenantId, id))!, token)
}

async function describeSession(
  deps: Deps,
  inbox: WebchatInbox,
  visitor: Visitor,
  visitorToken: string | null,
): Promise<Session> {
  const row = await findConversationOf(deps, visitor)
  const [config, conversation, unreadCount] = await Promise.all([
    buildWidgetConfig(deps, inbox),
    describeConversation(deps, visitor, row),
    row ? countUnreadByCustomer(deps.db, visitor.tenantId, row.id) : 0,
  ])
  const { expiresAt } = visitor
  return { visitorToken, expiresAt, visitor: visitorToApi(visitor), config, conversation, unreadCount }
}

/** Returns the conversation of the visitor; undefined before its first message. */
export function findConversationOf(
  { db }: Pick<Deps, 'db'>,
  visitor: Visitor,
): Promise<ConversationRow | undefined> {
  const { tenantId } = visitor
  return loadConversationByAddress(db, { tenantId, channel: 'webchat', address: toAddress(visitor) })
}

export async function describeConversation(
  deps: Pick<Deps, 'db' | 'clock'>,
  { tenantId }: Visitor,
  row: ConversationRow | undefined,
): Promise<WidgetConversation | null> {
  if (!row) return null
  return (await loadWidgetConversations(deps, tenantId, [row.id])).get(row.id) ?? null
}
