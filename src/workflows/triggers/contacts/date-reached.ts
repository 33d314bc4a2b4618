import Type from 'typebox'
import { AnyId } from '../../../platform/http/schemas.ts'
import { timezoneViolations } from '../timezones.ts'
import { defineTrigger } from '../trigger-type.ts'

export const dateReached = defineTrigger({
  type: 'date_reached',
  summary: 'A date of the contact was reached',
  docs: `Starts on the day in a date field of the contact, or, with \`offsetDays\`, that many days after it (before it, if
negative), at a time of day in a time zone. With \`yearly\`, on that day of every year, such as a birthday; 29 February counts
as 28 February in years that are not leap years.`,
  config: {
    fieldId: AnyId,
    offsetDays: Type.Optional(Type.Integer({ minimum: -3_650, maximum: 3_650, description: 'Default 0' })),
    at: Type.Optional(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        examples: ['09:00'],
        description: 'Default 09:00',
      }),
    ),
    timezone: Type.Optional(Type.String({ maxLength: 60, description: 'Extension; default UTC' })),
    yearly: Type.Optional(Type.Boolean({ description: 'Extension' })),
  },
  references: ({ fieldId }) => [{ kind: 'field', id: fieldId, path: 'fieldId', fieldType: 'date' }],
  violations: ({ timezone }) => timezoneViolations('timezone', timezone),
  events: [],
})
