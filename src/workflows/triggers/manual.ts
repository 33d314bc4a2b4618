import { defineTrigger } from './trigger-type.ts'

export const manual = defineTrigger({
  type: 'manual',
  summary: 'Started manually',
  docs: 'Contacts enter through `POST /journeys/{id}/runs`, or through a `callWorkflow` node of another workflow.',
  config: {},
  events: [],
})
