import Type, { type Static } from 'typebox'
import { violation } from '../../../platform/errors.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { TriggerConfig } from '../../schemas.ts'
import { entryModes } from '../../triggers/trigger-type.ts'
import { Cooldown, contentReferences, contentTextViolations, NodeContent } from '../node-fields.ts'
import { defineNode } from '../node-type.ts'
import {
  awaitedExpressions,
  awaitedProperties,
  awaitedReferences,
  awaitedViolations,
} from './awaited-cases.ts'

const ExitCase = object({
  ...awaitedProperties,
  goal: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Name of the goal reached' })),
})
export type ExitCase = Static<typeof ExitCase>

export const start = defineNode({
  type: 'start',
  summary: 'The first node of every run',
  docs: `Every workflow has exactly one start node. It holds the trigger (\`triggerConfig\`) and the entry mode (\`entryMode\`):
\`once\` (a contact enters once, ever), \`once_active\` (only while no earlier run is in progress), \`every_time\`, or
\`cooldown\` (again when \`cooldown.for\` has passed since the start of the last run). With
\`conditions\`, a ContactFilter, only matching contacts enter.

Both are optional in a chatbot: without them it starts a run for every message that no waiting run takes. A message that
matches the trigger of no bot starts the first bot with a \`defaultReply\`, which is sent, or with an edge from \`fallback\`.
Without that edge the run then ends, and the session is released to agents.

\`exitWhen\` lists events and conditions, written as in \`waitFor\`, that end a run wherever it is: with the reason \`goal\` if the
entry has a \`goal\`, otherwise \`exited\`. Events are noticed while the run waits, conditions also whenever it continues.`,
  data: object({
    triggerConfig: Type.Optional(TriggerConfig),
    entryMode: Type.Optional(literals(entryModes)),
    cooldown: Type.Optional(Cooldown),
    defaultReply: Type.Optional(NodeContent),
    exitWhen: Type.Optional(Type.Array(ExitCase, { minItems: 1, maxItems: 10 })),
  }),
  example: { triggerConfig: { type: 'contact_created', conditions: {} }, entryMode: 'once' },
  outputs: () => [
    { name: 'next', summary: 'The run has started' },
    { name: 'fallback', summary: 'The message matches the trigger of no bot; only in a chatbot' },
  ],
  references: ({ defaultReply, exitWhen = [] }) => [
    ...(defaultReply ? contentReferences(defaultReply, 'defaultReply') : []),
    ...awaitedReferences(exitWhen, 'exitWhen'),
  ],
  expressions: ({ exitWhen = [] }) => awaitedExpressions(exitWhen, 'exitWhen'),
  violations: ({ defaultReply, entryMode, cooldown, triggerConfig, exitWhen = [] }) => [
    ...contentTextViolations(defaultReply, 'defaultReply'),
    ...(entryMode === 'cooldown' && cooldown === undefined
      ? [violation('cooldown', 'required', 'is required with entryMode cooldown')]
      : []),
    ...((triggerConfig as { restart?: boolean } | undefined)?.restart === true &&
    entryMode !== 'once_active' &&
    entryMode !== 'every_time'
      ? [violation('triggerConfig.restart', 'conflict', 'needs entryMode once_active or every_time')]
      : []),
    ...exitWhen.flatMap((one, i) => awaitedViolations(one, `exitWhen[${i}]`)),
  ],
  run: async ({ run, data, effects, interpolate, connected }) => {
    if (!run.isFallback) return { to: 'next' }
    const sent = data.defaultReply && (await effects.send({ content: await interpolate(data.defaultReply) }))
    const detail = sent && { detail: { ...sent } }
    return connected('fallback') ? { to: 'fallback', ...detail } : { end: 'fallback', ...detail }
  },
})
