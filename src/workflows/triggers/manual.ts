import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { triggerKind } from './kind.ts'

export const manual = triggerKind({
  type: 'manual',
  kinds: ['journey'],
  summary: 'When somebody says so',
  docs: 'A contact enters through `POST /journeys/{id}/runs`, or when another journey calls this one.',
  config: object({ type: Type.Literal('manual'), conditions: Conditions }),
  events: [],
})
