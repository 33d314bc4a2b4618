import Type from 'typebox'
import { violation } from '../../platform/errors.ts'
import { AnyId, literals, object } from '../../platform/http/schemas.ts'
import { defineNode, type Outcome } from './node-type.ts'
import { exactlyOneViolations, next } from './shared.ts'

export const assign = defineNode({
  type: 'assign',
  kinds: ['journey', 'chatbot'],
  summary: 'Give the conversation to a person or a team',
  docs: `To \`userId\`, to \`teamId\`, or by a \`strategy\` to a member of \`teamId\`, or of the conversation's team when that is
left out: \`roundRobin\` takes turns, \`leastBusy\` picks whoever has the fewest open conversations. Disabled users are
passed over. When there is nobody to give it to, or no conversation, the run goes on and its log says so.`,
  data: object({
    userId: Type.Optional(AnyId),
    teamId: Type.Optional(AnyId),
    strategy: Type.Optional(literals(['roundRobin', 'leastBusy'])),
  }),
  example: { strategy: 'roundRobin', teamId: 'team_…' },
  outputs: () => [next],
  references: ({ userId, teamId }) => [
    ...(userId === undefined ? [] : [{ kind: 'user' as const, id: userId, path: 'userId' }]),
    ...(teamId === undefined ? [] : [{ kind: 'team' as const, id: teamId, path: 'teamId' }]),
  ],
  violations: data => {
    if (data.strategy === undefined) return exactlyOneViolations(data, ['userId', 'teamId'])
    return data.userId === undefined
      ? []
      : [violation('userId', 'conflict', 'give either a user or a strategy')]
  },
  run: async ({ data: { userId, teamId, strategy }, effects }): Promise<Outcome> => {
    const team = teamId === undefined ? {} : { teamId }
    const to = userId === undefined ? (strategy ? { strategy, ...team } : { teamId: teamId! }) : { userId }
    const given = await effects.assign(to)
    if ('refused' in given) return { to: 'next', detail: { refused: given.refused } }
    return { to: 'next', detail: { owner: given.owner } }
  },
})
