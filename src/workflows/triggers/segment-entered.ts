import Type from 'typebox'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { defineTrigger } from './trigger-type.ts'

export const segmentEntered = defineTrigger({
  type: 'segment_entered',
  kinds: ['journey'],
  summary: 'A contact came into a segment',
  docs: `A contact that was not in the segment is in it now. Changes of the contact are seen at once; conditions that come
true by the passing of time, such as \`lastInteraction\` with \`notWithinDays\`, are looked at every five minutes. Who is in
the segment when the journey becomes active, or when the segment itself is edited, has not entered it.`,
  config: object({ type: Type.Literal('segment_entered'), segmentId: AnyId, conditions: Conditions }),
  references: ({ segmentId }) => [{ kind: 'segment', id: segmentId, path: 'segmentId' }],
  events: [],
})
