import Type from 'typebox'
import { findPhoneLocale } from '../../../contacts/identities/phones.ts'
import { getWorkspace } from '../../../identity/workspace/tenants.ts'
import { object } from '../../../platform/http/schemas.ts'
import {
  addDuration,
  contentReferences,
  contentTextViolations,
  Duration,
  NodeContent,
  VariableName,
} from '../node-fields.ts'
import { defineNode, type Outcome, type Step } from '../node-type.ts'
import { toRefusedOutcome } from './send-message.ts'
import { parseReply, replyProperties, replyRuleViolations } from './validate-reply.ts'

const defaultRetries = 2

const data = object({
  content: NodeContent,
  variable: VariableName,
  ...replyProperties,
  retries: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10, description: 'How often to ask again; default 2' }),
  ),
  retryContent: Type.Optional(NodeContent),
  timeout: Type.Optional(Duration),
})

type AskStep = Step<Type.Static<typeof data>>

export const ask = defineNode({
  type: 'ask',
  summary: 'Ask a question and store the reply in a variable',
  docs: `Sends \`content\` and waits for the customer's next message. \`validate\` defines a valid reply: any text, a number,
an e-mail address, a phone number with country code, a date, one of \`choices\` (by its text, its number in the list, or the
id of a button), a text that matches \`pattern\`, or a file (\`media\`: an image, a voice note; stored as
\`{messageId, mediaId, caption}\`). A form is answered by its first valid value, as text by all of them in lines. Numbers and dates are accepted in common forms, such as \`1,500.50\`, \`$20\` and
\`31 January 2026\`; one that can mean two values is read as \`locale\` writes it. After an invalid reply the question is sent again as \`retryContent\`
(default \`content\`), up to \`retries\` times. Without \`timeout\` the run waits as long as the conversation is open.`,
  data,
  example: {
    content: { type: 'text', text: { body: 'What is your e-mail address?' } },
    variable: 'email',
    validate: 'email',
    retries: 2,
    timeout: { hours: 1 },
  },
  outputs: () => [
    { name: 'answered', summary: 'The reply is in the variable' },
    { name: 'invalid', summary: 'No reply was valid and no retries are left' },
    { name: 'timeout', summary: 'No reply arrived in time' },
  ],
  waits: true,
  references: ({ content, retryContent }) => [
    ...contentReferences(content, 'content'),
    ...(retryContent ? contentReferences(retryContent, 'retryContent') : []),
  ],
  sets: ({ variable }) => [variable],
  violations: given => [
    ...contentTextViolations(given.content, 'content'),
    ...contentTextViolations(given.retryContent, 'retryContent'),
    ...replyRuleViolations(given),
  ],
  run: async step => {
    const { input, data: given } = step
    if (input.type === 'timeout') return { to: 'timeout' }
    if (input.type !== 'message') return sendQuestion(step, 0)
    const { text, replyId, messages } = input
    const rules = { ...given, locale: await findLocale(step) }
    const answer = await parseReply(rules, text, replyId, step.matchesPattern, messages)
    if (answer !== undefined) {
      step.setVariable(given.variable, answer)
      return { to: 'answered', detail: { answer } }
    }
    const asked = (step.state as number | undefined) ?? 0
    if (asked >= (given.retries ?? defaultRetries)) return { to: 'invalid' }
    return sendQuestion(step, asked + 1)
  },
})

/** Numbers and dates are read as the contact writes them, otherwise as the workspace does. */
async function findLocale({ data, tx, tenantId, interpolate }: AskStep): Promise<string | undefined> {
  if (data.validate !== 'number' && data.validate !== 'date') return undefined
  const own = data.locale ?? findPhoneLocale(await interpolate('{{contact.phone}}'))
  if (own !== undefined) return own
  const { locale } = await getWorkspace(tx, tenantId)
  return locale === initialLocale ? undefined : locale
}

/** New workspaces have this locale: nobody chose it, and its countries disagree about dates. */
const initialLocale = 'en'

async function sendQuestion(step: AskStep, asked: number): Promise<Outcome> {
  const { content, retryContent, timeout } = step.data
  const said = await step.interpolate(asked > 0 ? (retryContent ?? content) : content)
  const sent = await step.effects.send({ content: said })
  if ('refused' in sent) return toRefusedOutcome(sent)
  return {
    wait: {
      message: true,
      question: sent.messageId,
      ...(timeout ? { until: addDuration(step.now, timeout) } : {}),
    },
    state: asked,
    detail: { messageId: sent.messageId },
  }
}
