/**
 * Publishers of versions as the engine sees them. Runs of a version reach what its publisher can see: everything, or for an
 * agent the contacts and conversations that the agent sees with their current teams.
 */
import { listVisibleContacts, type Viewer } from '../../../contacts/contact-views.ts'
import { listVisibleConversations } from '../../../conversations/conversations.ts'
import type { Queryable } from '../../../platform/db/db.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { listPublishers } from '../../store/rights.ts'
import type { Entry } from '../../triggers/trigger-type.ts'
import type { Publisher } from '../run/run.ts'

const unlimited: Publisher = { hasLostRights: false, viewer: undefined }

export async function loadPublishers(
  on: Queryable,
  tenantId: string,
  versionIds: readonly string[],
): Promise<Map<string, Publisher>> {
  const rows = await listPublishers(on, tenantId, versionIds)
  return new Map(
    rows.map(({ versionId, publisherId, hasLostRights, teamIds }) => [
      versionId,
      {
        hasLostRights,
        viewer:
          publisherId !== null && teamIds !== null
            ? { tenantId, id: publisherId, role: 'agent', teamIds }
            : undefined,
      },
    ]),
  )
}

export async function getPublisher(on: Queryable, tenantId: string, versionId: string): Promise<Publisher> {
  return (await loadPublishers(on, tenantId, [versionId])).get(versionId) ?? unlimited
}

interface Candidate {
  active: { versionId: string }
  entry: Pick<Entry, 'contactId' | 'conversationId'>
}

/** Removes the entries that the publisher of the version must not start: out of sight, or without the rights. */
export async function filterByPublisher<T extends Candidate>(
  on: Queryable,
  tenantId: string,
  candidates: readonly T[],
): Promise<T[]> {
  if (candidates.length === 0) return []
  const versionIds = [...new Set(candidates.map(({ active }) => active.versionId))]
  const publishers = await loadPublishers(on, tenantId, versionIds)
  const allowed = new Set<T>()
  for (const [versionId, group] of groupBy(candidates, ({ active }) => active.versionId)) {
    const { hasLostRights, viewer } = publishers.get(versionId) ?? unlimited
    if (hasLostRights) continue
    for (const candidate of viewer ? await filterVisible(on, viewer, group) : group) allowed.add(candidate)
  }
  return candidates.filter(candidate => allowed.has(candidate))
}

async function filterVisible<T extends Candidate>(
  on: Queryable,
  viewer: Viewer,
  candidates: readonly T[],
): Promise<T[]> {
  const conversationIds = candidates.flatMap(({ entry }) => entry.conversationId ?? [])
  const contactIds = candidates.flatMap(({ entry }) =>
    entry.conversationId === null ? [entry.contactId] : [],
  )
  const [conversations, contacts] = await Promise.all([
    listVisibleConversations(on, viewer, conversationIds),
    listVisibleContacts(on, viewer, contactIds),
  ])
  return candidates.filter(({ entry: { conversationId, contactId } }) =>
    conversationId === null ? contacts.has(contactId) : conversations.has(conversationId),
  )
}
