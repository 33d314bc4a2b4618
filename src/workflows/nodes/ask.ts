import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { defineNode, type Outcome, type Step } from './node-type.ts'
import { toRefusedOutcome } from './refusals.ts'
import {
  addDuration,
  contentReferences,
  Duration,
  NodeContent,
  placeholderViolations,
  VariableName,
} from './shared.ts'
import { parseReply, replyProperties, replyRuleViolations } from './validate-reply.ts'

const defaultRetries = 2

const data = object({
  content: NodeContent,
  variable: VariableName,
  ...replyProperties,
  retries: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10, description: 'How often it asks again; 2 when left out' }),
  ),
  retryContent: Type.Optional(NodeContent),
  timeout: Type.Optional(Duration),
})

type AskStep = Step<Type.Static<typeof data>>

export const ask = defineNode({
  type: 'ask',
  kinds: ['journey', 'chatbot'],
  summary: 'Ask something and keep the answer in a variable',
  docs: `Sends \`content\` and waits for what the customer writes next. \`validate\` says what is an answer: any text, a
number, an e-mail address, a phone number with its country code, a day, one of \`choices\` (by its text, its number in the
list, or the id of a button), or what \`pattern\` is found in. What is none is asked for again with \`retryContent\`, or
\`content\`, up to \`retries\` times. Without \`timeout\` it waits as long as the conversation is open.`,
  data,
  example: {
    content: { type: 'text', text: { body: 'What is your e-mail address?' } },
    variable: 'email',
    validate: 'email',
    retries: 2,
    timeout: { hours: 1 },
  },
  outputs: () => [
    { name: 'answered', summary: 'The answer is in the variable' },
    { name: 'invalid', summary: 'No answer was valid, however often it asked' },
    { name: 'timeout', summary: 'Nobody answered in time' },
  ],
  waits: true,
  references: ({ content, retryContent }) => [
    ...contentReferences(content, 'content'),
    ...(retryContent ? contentReferences(retryContent, 'retryContent') : []),
  ],
  violations: given => [
    ...placeholderViolations(given.content, 'content'),
    ...placeholderViolations(given.retryContent, 'retryContent'),
    ...replyRuleViolations(given),
  ],
  run: async step => {
    const { input, data: given } = step
    if (input.type === 'timeout') return { to: 'timeout' }
    if (input.type !== 'message') return sendQuestion(step, 0)
    const answer = parseReply(given, input.text, input.replyId)
    if (answer !== undefined) {
      step.setVariable(given.variable, answer)
      return { to: 'answered', detail: { answer } }
    }
    const asked = (step.state as number | undefined) ?? 0
    if (asked >= (given.retries ?? defaultRetries)) return { to: 'invalid' }
    return sendQuestion(step, asked + 1)
  },
})

async function sendQuestion(step: AskStep, asked: number): Promise<Outcome> {
  const { content, retryContent, timeout } = step.data
  const said = await step.interpolate(asked > 0 ? (retryContent ?? content) : content)
  const sent = await step.effects.send({ content: said })
  if ('refused' in sent) return toRefusedOutcome(sent)
  return {
    wait: { message: true, ...(timeout ? { until: addDuration(step.now, timeout) } : {}) },
    state: asked,
    detail: { messageId: sent.messageId },
  }
}
