/**
 * Exchanges presence between processes over the bus, which may lose messages: changes immediately, and a complete report
 * of each workspace every second and a half, so that a lost change is repaired and a process that died is forgotten.
 */
import { randomBytes } from 'node:crypto'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Place } from './places.ts'
import type { Registry, Report } from './registry.ts'

interface PresenceMessage {
  origin: string
  tenantId: string
  report?: Report
  /** The report has the complete state of the workspace in the process. */
  complete?: boolean
  /** Asks the other processes for a complete report. */
  ask?: boolean
}

export interface Exchange {
  /** Reports one place of this process. */
  publish(tenantId: string, place: Place): void
  /** Asks other processes for their users of a workspace. */
  ask(tenantId: string): void
  stop(): void
}

const topic = 'realtime.presence'
const reportIntervalMs = 1_500
/** A process that died is forgotten within five seconds. */
const expiryMs = 4_000
const tickMs = 500

export function startExchange<S>(
  bus: Bus,
  registry: Registry<S>,
  onChange: (tenantId: string, place: Place) => void,
): Exchange {
  const origin = randomBytes(9).toString('base64url')
  const reported = new Set<string>()
  /** Workspaces that this process asked about, or reported when asked, since the last tick: a client cannot cause more. */
  const asked = new Set<string>()
  const answered = new Set<string>()
  let lastReportAt = performance.now()

  function publishReport(tenantId: string): void {
    const report = registry.reportLocal(tenantId)
    bus.publish(topic, { origin, tenantId, report, complete: true } satisfies PresenceMessage)
    if (Object.keys(report).length > 0) reported.add(tenantId)
    else reported.delete(tenantId)
  }

  function receive({ origin: from, tenantId, report, complete = false, ask }: PresenceMessage): void {
    if (from === origin) return
    if (ask && !answered.has(tenantId) && registry.hasLocal(tenantId)) {
      answered.add(tenantId)
      publishReport(tenantId)
    }
    if (!report) return
    const before = complete ? registry.listRemote(tenantId, from) : []
    registry.setRemote(from, tenantId, report, { complete, now: performance.now() })
    for (const place of new Set([...before, ...(Object.keys(report) as Place[])])) onChange(tenantId, place)
  }

  const tick = setInterval(() => {
    const now = performance.now()
    asked.clear()
    answered.clear()
    for (const { tenantId, place } of registry.expire(now - expiryMs)) onChange(tenantId, place)
    if (now - lastReportAt < reportIntervalMs) return
    lastReportAt = now
    // A workspace that has become empty is reported once more.
    for (const tenantId of new Set([...registry.listLocalTenants(), ...reported])) publishReport(tenantId)
  }, tickMs)
  tick.unref()
  const unsubscribe = bus.subscribe<PresenceMessage>(topic, receive)

  return {
    publish(tenantId, place) {
      const report = { [place]: registry.listLocal(tenantId, place) }
      bus.publish(topic, { origin, tenantId, report } satisfies PresenceMessage)
    },
    ask(tenantId) {
      if (asked.has(tenantId)) return
      asked.add(tenantId)
      bus.publish(topic, { origin, tenantId, ask: true } satisfies PresenceMessage)
    },
    stop() {
      clearInterval(tick)
      unsubscribe()
      for (const tenantId of reported)
        bus.publish(topic, { origin, tenantId, report: {}, complete: true } satisfies PresenceMessage)
    },
  }
}
