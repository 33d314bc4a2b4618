import Type from 'typebox'
import { violation } from '../../../platform/errors.ts'
import { AnyId, literals, object } from '../../../platform/http/schemas.ts'
import { exactlyOneViolations } from '../node-fields.ts'
import { defineNode, type Outcome } from '../node-type.ts'

export const assign = defineNode({
  type: 'assign',
  summary: 'Assign the conversation to a user or a team',
  docs: `Assigns to \`userId\`, to \`teamId\`, or by \`strategy\` to a member of \`teamId\` (default: the conversation's team).
\`roundRobin\` rotates through the members, \`leastBusy\` picks the member with the lowest number of open conversations. Disabled users
are skipped. If there is no conversation or no available user, the run continues and the step records the reason.`,
  data: object({
    userId: Type.Optional(AnyId),
    teamId: Type.Optional(AnyId),
    strategy: Type.Optional(literals(['roundRobin', 'leastBusy'])),
  }),
  example: { strategy: 'roundRobin', teamId: 'team_…' },
  references: ({ userId, teamId }) => [
    ...(userId === undefined ? [] : [{ kind: 'user' as const, id: userId, path: 'userId' }]),
    ...(teamId === undefined ? [] : [{ kind: 'team' as const, id: teamId, path: 'teamId' }]),
  ],
  violations: data => {
    if (data.strategy === undefined) return exactlyOneViolations(data, ['userId', 'teamId'])
    return data.userId === undefined
      ? []
      : [violation('userId', 'conflict', 'must not be set together with strategy')]
  },
  run: async ({ data: { userId, teamId, strategy }, effects }): Promise<Outcome> => {
    const team = teamId === undefined ? {} : { teamId }
    const to = userId === undefined ? (strategy ? { strategy, ...team } : { teamId: teamId! }) : { userId }
    const result = await effects.assign(to)
    if ('refused' in result) return { to: 'next', detail: { refused: result.refused } }
    return { to: 'next', detail: { owner: result.owner } }
  },
})
