/** The configuration of the web chat for a page, and the pages that may embed it. */
import type { IncomingMessage } from 'node:http'
import { findNextOpening, isWithinHours } from '../identity/workspace/business-hours.ts'
import { getWorkspace } from '../identity/workspace/tenants.ts'
import { type InboxRow, listInboxesByExternal } from '../inboxes/inboxes.ts'
import type { Queryable } from '../platform/db/db.ts'
import type { Cells, Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import { getOwnOrigin } from '../platform/http/session-cookie.ts'
import { OriginNotAllowed, WebchatNotFound } from './errors.ts'
import { maxUploadBytes } from './messages/uploads.ts'
import type { WidgetConfig } from './schemas.ts'

export type WebchatInbox = InboxRow & { webchat: NonNullable<InboxRow['webchat']> }

export async function getWebchat(on: Queryable, inboxKey: string): Promise<WebchatInbox> {
  return (await findWebchat(on, inboxKey)) ?? fail(WebchatNotFound)
}

export async function findWebchat(on: Queryable, inboxKey: string): Promise<WebchatInbox | undefined> {
  const [inbox] = await listInboxesByExternal(on, [{ channel: 'webchat', externalId: inboxKey }])
  return inbox?.webchat ? (inbox as WebchatInbox) : undefined
}

/** Returns the cell of a web chat; any cell for an unknown key, so that the operation refuses it. */
export async function locateWebchat(cells: Cells, inboxKey: string): Promise<Deps> {
  const found = await cells.find(
    `webchat ${inboxKey}`,
    async ({ db }) => (await findWebchat(db, inboxKey))?.tenantId,
  )
  return found ?? cells.usable()[0]!
}

/** Returns the origin of the page that sent the request, if it names one. Throws unless the web chat allows it. */
export function checkOrigin(
  { config }: Pick<Deps, 'config'>,
  { webchat }: WebchatInbox,
  request: IncomingMessage,
): string | undefined {
  const { origin } = request.headers
  if (origin === undefined) return undefined
  const own = [new URL(config.publicUrl).origin, getOwnOrigin(request, config).origin]
  if (!own.includes(origin) && !webchat.allowedOrigins.includes(origin))
    fail(OriginNotAllowed, `add ${origin.slice(0, 300)} to the allowed origins of the inbox`)
  return origin
}

export async function buildWidgetConfig(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  inbox: WebchatInbox,
): Promise<WidgetConfig> {
  const workspace = await getWorkspace(db, inbox.tenantId)
  const hours = inbox.businessHours ?? workspace.businessHours
  const now = clock.now()
  const isOpen = isWithinHours(hours, workspace.timezone, now)
  const opensAt = isOpen || hours === null ? undefined : findNextOpening(hours, workspace.timezone, now)
  return {
    inboxKey: inbox.externalId,
    workspaceName: workspace.name,
    appearance: inbox.webchat.appearance,
    greeting: inbox.greeting,
    availability: { isOpen, opensAt: opensAt?.toISOString() ?? null },
    preChat: inbox.webchat.preChat,
    maxUploadBytes,
    csat: inbox.csat !== null,
    isIdentityRequired: inbox.webchat.identity.isRequired,
  }
}
