import Type from 'typebox'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { defineTrigger } from './trigger-type.ts'

export const segmentEntered = defineTrigger({
  type: 'segment_entered',
  kinds: ['journey'],
  summary: 'A contact entered a segment',
  docs: `Starts when a contact becomes a member of the segment. Changes of the contact take effect immediately; conditions that
become true with time, such as \`lastInteraction\` with \`notWithinDays\`, are checked every five minutes. Contacts that are in
the segment when the journey is activated, or when the segment is edited, do not count as entering.`,
  config: object({ type: Type.Literal('segment_entered'), segmentId: AnyId, conditions: Conditions }),
  references: ({ segmentId }) => [{ kind: 'segment', id: segmentId, path: 'segmentId' }],
  events: [],
})
