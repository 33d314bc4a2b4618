import Type from 'typebox'
import { type ContactChanges, contactUpdated } from '../../contacts/events.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { contactEntry } from './event-data.ts'
import { defineTrigger } from './trigger-type.ts'

export const fieldChanged = defineTrigger({
  type: 'field_changed',
  kinds: ['journey'],
  summary: 'The value of a custom field changed',
  docs: 'Starts when the value of the field changes or is cleared.',
  config: object({ type: Type.Literal('field_changed'), fieldId: AnyId, conditions: Conditions }),
  references: ({ fieldId }) => [{ kind: 'field', id: fieldId, path: 'fieldId' }],
  events: [contactUpdated.type],
  index: {
    config: ({ fieldId }) => [fieldId],
    event: event => (event.data as { contactChanges: ContactChanges }).contactChanges.fieldIds ?? [],
  },
  match: ({ fieldId }, event) => {
    const { fieldIds = [] } = (event.data as { contactChanges: ContactChanges }).contactChanges
    return fieldIds.includes(fieldId) ? contactEntry(event, { fieldId }) : undefined
  },
})
