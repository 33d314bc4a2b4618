/**
 * Templates of workflows: texts in each language, parameters for what a workspace must have, a definition, and cases that
 * simulate it.
 */
import type { NewSegment } from '../../segments/schemas.ts'
import { type Duration, toMs } from '../nodes/node-fields.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import type { WorkflowDefinition } from '../schemas.ts'
import type { SimulationRequest } from '../simulation/schemas.ts'
import { type Outline, toDefinition } from './outline.ts'

export const templateLanguages = ['en', 'de'] as const
export type TemplateLanguage = (typeof templateLanguages)[number]

export const templateCategories = ['onboarding', 'sales', 'loyalty', 'support'] as const

export const parameterTypes = ['tag', 'field', 'segment', 'team', 'inbox', 'channel', 'text'] as const

/** Something that the caller chooses: an existing resource, a new one if the type can be created, or a text. */
export interface TemplateParameter {
  type: (typeof parameterTypes)[number]
  /** Texts and channels have a default instead. */
  isOptional?: boolean
  /** Required type of a field. */
  fieldType?: 'text' | 'date'
  /** Filter of a new segment. */
  filter?: NewSegment['filter']
  maxLength?: number
}

interface ParameterTexts {
  label: string
  hint?: string
  /** The default of a text or channel; the suggested name of a new tag, field or segment. */
  value?: string
}

/** A line of a conversation, as the customer sees it, with the time and the events in between. */
export type TranscriptLine =
  | { type: 'received'; text: string; replyId?: string }
  | { type: 'sent'; text: string; options?: string[] }
  | { type: 'waited'; seconds: number }
  | { type: 'event'; text: string; data: Record<string, unknown> }

export const received = (text: string): TranscriptLine => ({ type: 'received', text })
export const pressed = (replyId: string, text: string): TranscriptLine => ({
  type: 'received',
  text,
  replyId,
})
export const sent = (text: string, options?: string[]): TranscriptLine => ({
  type: 'sent',
  text,
  ...(options ? { options } : {}),
})
export const waited = (duration: Duration): TranscriptLine => ({
  type: 'waited',
  seconds: toMs(duration) / 1_000,
})
export const event = (name: string, data: Record<string, unknown>): TranscriptLine => ({
  type: 'event',
  text: name,
  data,
})

interface TemplateCase<P extends string> {
  /** The nodes that the run leaves, each with its output. */
  path: string[]
  /** Data of the simulation besides the inputs of its transcript. */
  given?: (values: Record<P, string>) => Partial<SimulationRequest>
}

interface TemplateTexts<P extends string, C extends string, M> {
  name: string
  description: string
  parameters: Record<P, ParameterTexts>
  /** Texts of the definition. */
  messages: M
  /** The transcript of each case; the first is the preview. */
  transcripts: Record<C, TranscriptLine[]>
}

interface Definition<P extends string, C extends string, M> {
  id: string
  kind: WorkflowKind
  category: (typeof templateCategories)[number]
  parameters: Record<P, TemplateParameter>
  texts: Record<TemplateLanguage, TemplateTexts<P, C, M>>
  cases: Record<NoInfer<C>, TemplateCase<NoInfer<P>>>
  /** A parameter that was left out is an empty text. */
  outline: (messages: NoInfer<M>, values: Record<NoInfer<P>, string>, timezone: string) => Outline
}

export interface WorkflowTemplate
  extends Omit<Definition<string, string, unknown>, 'outline' | 'texts' | 'cases'> {
  texts: Record<TemplateLanguage, TemplateTexts<string, string, unknown>>
  cases: Record<string, TemplateCase<string>>
  build(language: TemplateLanguage, values: Record<string, string>, timezone: string): WorkflowDefinition
}

export function defineTemplate<P extends string, C extends string, M>(
  definition: Definition<P, C, M>,
): WorkflowTemplate {
  const { outline, ...rest } = definition
  return {
    ...rest,
    build: (language, values, timezone) =>
      toDefinition(outline(definition.texts[language].messages, values, timezone)),
  } as WorkflowTemplate
}

/** Returns the member, or nothing if the parameter was left out. */
export function optional(member: string, value: string): Record<string, string> {
  return value === '' ? {} : { [member]: value }
}
