import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { defineTrigger } from './trigger-type.ts'

export const manual = defineTrigger({
  type: 'manual',
  kinds: ['journey'],
  summary: 'When somebody says so',
  docs: 'A contact enters through `POST /journeys/{id}/runs`, or when another journey calls this one.',
  config: object({ type: Type.Literal('manual'), conditions: Conditions }),
  events: [],
})
