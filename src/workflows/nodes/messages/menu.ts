import Type, { type Static } from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import {
  addDuration,
  contentReferences,
  contentTextViolations,
  Duration,
  duplicateViolations,
  NodeContent,
  normalizeReply,
  OutputId,
  placeholderViolations,
  VariableName,
} from '../node-fields.ts'
import { defineNode, type Step } from '../node-type.ts'
import { titleViolations } from './options.ts'
import { toRefusedOutcome } from './send-message.ts'

const Option = object({
  id: OutputId,
  title: Type.String({ minLength: 1, maxLength: 100 }),
  keywords: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 })),
})
type Option = Static<typeof Option>

const data = object({
  content: NodeContent,
  options: Type.Array(Option, { minItems: 1, maxItems: 10 }),
  variable: Type.Optional(VariableName),
  timeout: Type.Optional(Duration),
})

export const menu = defineNode({
  type: 'menu',
  summary: 'Offer options and continue with the selected one',
  docs: `Sends \`content\` with its options: as buttons or a list if the channel supports them, otherwise numbered below the text.
The customer selects with a button, the title, its number or one of its keywords, ignoring case. Each option is an output,
named by its id. Titles must differ and fit a button (20 characters) or, with more options than a channel has buttons, a row
(24 characters). Content of type \`rich\` is sent unchanged; give its replies the ids of the options.`,
  data,
  example: {
    content: { type: 'text', text: { body: 'What is it about?' } },
    options: [
      { id: 'order', title: 'An order' },
      { id: 'person', title: 'Talk to a person', keywords: ['human', 'agent'] },
    ],
    timeout: { minutes: 30 },
  },
  outputs: ({ options }) => [
    ...options.map(({ id, title }) => ({ name: id, summary: title })),
    { name: 'other', summary: 'The reply matches no option' },
    { name: 'timeout', summary: 'No reply arrived in time' },
  ],
  waits: true,
  references: ({ content }) => contentReferences(content, 'content'),
  sets: ({ variable }) => (variable === undefined ? [] : [variable]),
  violations: ({ content, options }) => [
    ...contentTextViolations(content, 'content'),
    ...placeholderViolations(options, 'options'),
    ...duplicateViolations(
      options.map(option => option.id),
      ['other', 'timeout'],
      i => `options[${i}].id`,
    ),
    ...titleViolations(options),
  ],
  run: async step => {
    const { input } = step
    if (input.type === 'timeout') return { to: 'timeout' }
    if (input.type !== 'message') return sendMenu(step)
    const chosen = findChoice(step.data.options, input.text, input.replyId)
    if (!chosen) return { to: 'other' }
    if (step.data.variable) step.setVariable(step.data.variable, chosen.id)
    return { to: chosen.id, detail: { chosen: chosen.title } }
  },
})

async function sendMenu(step: Step<Static<typeof data>>) {
  const { timeout } = step.data
  const content = await step.interpolate(step.data.content)
  const options = await step.interpolate(step.data.options.map(({ id, title }) => ({ id, title })))
  const sent = await step.effects.send({ content, options })
  if ('refused' in sent) return toRefusedOutcome(sent)
  return {
    wait: {
      message: true as const,
      question: sent.messageId,
      ...(timeout ? { until: addDuration(step.now, timeout) } : {}),
    },
    detail: { messageId: sent.messageId },
  }
}

function findChoice(options: readonly Option[], text: string, replyId: string | null): Option | undefined {
  const reply = normalizeReply(text)
  return (
    options.find(option => option.id === replyId) ??
    options.find(({ title, keywords = [] }) =>
      [title, ...keywords].some(word => normalizeReply(word) === reply),
    ) ??
    (/^\d{1,2}$/.test(reply) ? options[Number(reply) - 1] : undefined)
  )
}
