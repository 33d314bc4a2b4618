import Type from 'typebox'
import { AnyId, nullable, object } from '../../../platform/http/schemas.ts'
import { placeholderViolations } from '../node-fields.ts'
import { defineNode } from '../node-type.ts'

export const setField = defineNode({
  type: 'setField',
  summary: 'Set a custom field of the contact',
  docs: `\`value\` may contain placeholders such as \`{{variables.answer}}\`; \`null\` or an empty text clears the field. A value
that is invalid for the field, such as a word in a date field, fails the step, and so does a field deleted after publishing.`,
  data: object({ fieldId: AnyId, value: nullable(Type.String({ maxLength: 2_000 })) }),
  example: { fieldId: 'cf_email', value: '{{variables.email}}' },
  references: ({ fieldId }) => [{ kind: 'field', id: fieldId, path: 'fieldId' }],
  fieldValues: ({ fieldId, value }) => (value === null ? [] : [{ path: 'value', fieldId, value }]),
  violations: ({ value }) => placeholderViolations(value, 'value'),
  run: async step => {
    const value = step.data.value === null ? null : await step.interpolate(step.data.value)
    const fault = await step.effects.setField(step.data.fieldId, value)
    return fault ? { fail: fault } : { to: 'next', detail: { value } }
  },
})
