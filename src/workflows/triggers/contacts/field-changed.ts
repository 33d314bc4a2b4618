import { type ContactChanges, contactUpdated } from '../../../contacts/events.ts'
import { AnyId } from '../../../platform/http/schemas.ts'
import { contactEntry } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

export const fieldChanged = defineTrigger({
  type: 'field_changed',
  summary: 'The value of a custom field changed',
  docs: 'Starts when the value of the field changes or is cleared.',
  config: { fieldId: AnyId },
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
