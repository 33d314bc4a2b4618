/** Contributes to the timeline of a contact when its runs of journeys started and ended. */
import Type from 'typebox'
import { type TimelinePart, timelineEntry } from '../../platform/contributions/timeline-parts.ts'
import { AnyId, literals, nullable } from '../../platform/http/schemas.ts'
import { listRunEntries } from '../store/runs/contact-timeline.ts'
import { runStatuses } from './run-schemas.ts'

const runMembers = {
  runId: AnyId,
  journeyId: AnyId,
  journeyName: { ...nullable(Type.String()), description: 'null: the journey was deleted' },
}

export const journeyTimeline: TimelinePart[] = [
  {
    name: 'journeys',
    scope: 'journey:read',
    schemas: [
      timelineEntry('journey_started', runMembers),
      timelineEntry('journey_ended', {
        ...runMembers,
        status: literals(runStatuses),
        endReason: nullable(Type.String()),
      }),
    ],
    list: async (on, { tenantId }, contactId, page) =>
      (await listRunEntries(on, tenantId, contactId, page)).map(({ status, endReason, ...entry }) =>
        entry.type === 'journey_ended' ? { ...entry, status, endReason } : entry,
      ),
  },
]
