import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { defineTrigger } from './trigger-type.ts'

export const manual = defineTrigger({
  type: 'manual',
  kinds: ['journey'],
  summary: 'Started manually',
  docs: 'Contacts enter through `POST /journeys/{id}/runs`, or through a `callWorkflow` node of another workflow.',
  config: object({ type: Type.Literal('manual'), conditions: Conditions }),
  events: [],
})
