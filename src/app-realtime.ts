/** Connects the sockets of a process to the domains, and relays the signals of this process to the sockets of all. */
import type { IncomingMessage } from 'node:http'
import { listVisibleConversations } from './conversations/conversations.ts'
import { draftsChanged } from './conversations/drafts/drafts.ts'
import type { DraftNotice } from './conversations/drafts/schemas.ts'
import { countMatches } from './conversations/lists/lists.ts'
import { ConversationFilter } from './conversations/lists/schemas.ts'
import { getUnread } from './conversations/read-state.ts'
import { createCallerLoader } from './identity/auth/authenticate.ts'
import { locateCaller } from './identity/auth/locate.ts'
import { callersChanged } from './identity/rights/reauthorize.ts'
import { type AvailabilityNotice, availabilityChanged } from './identity/users/availability.ts'
import type { Config } from './platform/config.ts'
import type { Cells, Deps } from './platform/deps.ts'
import { relayProgress } from './platform/events/changed.ts'
import { publishFrame } from './platform/events/transient-frames.ts'
import { readTokenTenant } from './platform/http/locate.ts'
import { findSocketToken, refuse } from './realtime/admission.ts'
import { type Realtime, startRealtime } from './realtime/sockets.ts'
import { isVisitorSocket, startVisitorRealtime } from './webchat/realtime/sockets.ts'
import { listExistingWorkflows } from './workflows/workflows.ts'

const accessTopic = 'identity.access'

/** Starts the sockets of each cell. A connection belongs to the cell of its ticket or token. */
export function openCellSockets(
  cells: readonly Deps[],
  options: { getBuild?: () => string | undefined } = {},
): Realtime {
  const ofCell = new Map(cells.map(deps => [deps, openRealtime(deps, options)]))
  const all = [...ofCell.values()]
  const [only] = all
  const { cells: port, config } = cells[0]!
  if (only && port.size === 1) return only
  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy())
      locateSocket(port, config, request).then(
        deps => ofCell.get(deps)!.upgrade(request, socket, head),
        error => refuse(socket, error),
      )
    },
    count: () => all.reduce((sum, sockets) => sum + sockets.count(), 0),
    stop: async () => void (await Promise.all(all.map(sockets => sockets.stop()))),
  }
}

/** Returns any cell for a connection without a token that is known, so that its sockets refuse it. */
async function locateSocket(cells: Cells, config: Config, request: IncomingMessage): Promise<Deps> {
  const token = findSocketToken(request, config)
  const tenantId = token === undefined ? undefined : readTokenTenant(token)
  if (tenantId !== undefined) return cells.of(tenantId)
  return (token && (await locateCaller({ cells, config }, token))) || cells.usable()[0]!
}

/** Publishes hints of this process to the sockets of all processes: for every process that serves the API or sockets. */
export function relaySignals({ db: { signals }, bus }: Pick<Deps, 'db' | 'bus'>): () => void {
  const relayAccess = (tenantId: string) => bus.publish(accessTopic, { tenantId })
  const relayDraft = ({ tenantId, userId, ...data }: DraftNotice) =>
    publishFrame(bus, { tenantId, userIds: [userId], scope: 'message:create', type: 'draft_changed', data })
  const relayAvailability = ({ tenantId, ...data }: AvailabilityNotice) =>
    publishFrame(bus, { tenantId, scope: 'user:list', type: 'availability_changed', data })
  const relays = [
    [callersChanged, relayAccess],
    [draftsChanged, relayDraft],
    [availabilityChanged, relayAvailability],
  ] as const
  for (const [topic, relay] of relays) signals.on(topic, relay)
  const stopProgress = relayProgress({ db: { signals }, bus })
  return () => {
    stopProgress()
    for (const [topic, relay] of relays) signals.off(topic, relay)
  }
}

/**
 * Starts the sockets of a process that serves HTTP: those of callers, with unread counts and changes of access rights, and
 * those of visitors. `getBuild` returns the console's build, so that open tabs notice a newer one.
 */
export function openRealtime(
  deps: Deps,
  { socketsPerCaller, getBuild }: { socketsPerCaller?: number; getBuild?: () => string | undefined } = {},
): Realtime {
  const stopRelaying = relaySignals(deps)
  const sockets = startRealtime(deps, {
    authenticate: createCallerLoader(deps),
    ...(socketsPerCaller === undefined ? {} : { socketsPerCaller }),
    ...(getBuild === undefined ? {} : { getBuild }),
    unread: caller => getUnread(deps, caller),
    views: {
      filter: ConversationFilter,
      count: (caller, filters) => countMatches(deps.db, caller, filters as ConversationFilter[]),
    },
    listVisible: {
      conversation: (caller, ids) => listVisibleConversations(deps.db, caller, ids),
      workflow: ({ tenantId }, ids) => listExistingWorkflows(deps.db, tenantId, ids),
    },
    onAccessChanged: notify =>
      deps.bus.subscribe<{ tenantId: string }>(
        accessTopic,
        ({ tenantId }) => notify(tenantId),
        () => notify(),
      ),
  })
  const visitors = startVisitorRealtime(deps)
  return {
    upgrade: (request, socket, head) =>
      (isVisitorSocket(request) ? visitors : sockets).upgrade(request, socket, head),
    count: () => sockets.count() + visitors.count(),
    async stop() {
      stopRelaying()
      await Promise.all([sockets.stop(), visitors.stop()])
    },
  }
}
