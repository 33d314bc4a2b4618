/** Schemas of templates, and of the request that creates a workflow from one. */
import Type, { type Static } from 'typebox'
import { literals, Name, named, object, visibleText } from '../../platform/http/schemas.ts'
import { parameterTypes, templateCategories, templateLanguages } from './template.ts'

export const TemplateLocale = literals(templateLanguages, {
  description:
    'The language of the texts; default: that of the workspace if there are texts in it, otherwise en',
})

const TemplateParameter = named(
  'WorkflowTemplateParameter',
  object({
    name: Type.String({ description: 'The member of `parameters`' }),
    type: literals(parameterTypes),
    label: Type.String(),
    hint: Type.Optional(Type.String()),
    required: Type.Boolean({ description: 'Creating without it is a 400' }),
    canCreate: Type.Boolean({ description: '`{"create": "name"}` creates the tag, field or segment' }),
    fieldType: Type.Optional(literals(['text', 'date'], { description: 'Required type of a field' })),
    default: Type.Optional(Type.String({ description: 'Of a text or channel' })),
    suggestedName: Type.Optional(Type.String({ description: 'Of a tag, field or segment to create' })),
    maxLength: Type.Optional(Type.Integer({ description: 'Of a text' })),
  }),
)

const TranscriptLine = object({
  type: literals(['received', 'sent', 'waited', 'event'], {
    description: 'received: the customer writes or presses a button; sent: the workflow replies',
  }),
  text: Type.Optional(Type.String({ description: 'Of a message; the name of an event' })),
  options: Type.Optional(Type.Array(Type.String(), { description: 'Buttons below a sent message' })),
  seconds: Type.Optional(Type.Integer({ description: 'How long the workflow waited' })),
})

export const WorkflowTemplate = named(
  'WorkflowTemplate',
  object({
    id: Type.String(),
    kind: literals(['journey', 'chatbot']),
    category: literals(templateCategories),
    name: Type.String(),
    description: Type.String(),
    parameters: Type.Array(TemplateParameter),
    preview: Type.Array(TranscriptLine, { description: 'A conversation, simulated with the defaults' }),
  }),
)
export type WorkflowTemplate = Static<typeof WorkflowTemplate>

/** As long as the names of tags and fields may be. */
const NewName = visibleText(100)

const ParameterValue = Type.Union([
  Type.String({ minLength: 1, maxLength: 1_000, description: 'The id of a resource, a channel, or a text' }),
  object({ create: NewName }, { description: 'Creates the tag, field or segment with this name' }),
])
export type ParameterValue = Static<typeof ParameterValue>

export const NewFromTemplate = named(
  'NewFromTemplate',
  object({
    templateId: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.Optional(Name),
    locale: Type.Optional(TemplateLocale),
    parameters: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), ParameterValue, { maxProperties: 20 }),
    ),
  }),
)
export type NewFromTemplate = Static<typeof NewFromTemplate>
