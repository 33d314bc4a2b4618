import { AnyId } from '../../../platform/http/schemas.ts'
import { defineTrigger } from '../trigger-type.ts'

export const segmentEntered = defineTrigger({
  type: 'segment_entered',
  summary: 'A contact entered a segment',
  docs: `Starts when a contact becomes a member of the segment. Changes of the contact take effect immediately; conditions that
become true with time, such as \`lastInteraction\` with \`notWithinDays\`, are checked every five minutes. Contacts that are in
the segment when the journey is activated, or when the segment is edited, do not count as entering.`,
  config: { segmentId: AnyId },
  references: ({ segmentId }) => [{ kind: 'segment', id: segmentId, path: 'segmentId' }],
  events: [],
})
