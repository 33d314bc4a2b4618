import Type from 'typebox'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const handoff = defineNode({
  type: 'handoff',
  summary: 'Hand the conversation over to agents',
  docs: `Assigns to \`teamId\`, or to the inbox's team, or leaves the conversation unassigned. The bot sends nothing afterwards:
later nodes can add tags or notes but cannot send messages.`,
  data: object({ teamId: Type.Optional(AnyId) }),
  example: { teamId: 'team_…' },
  outputs: () => [{ name: 'next', summary: 'The conversation was handed over' }],
  references: ({ teamId }) => (teamId === undefined ? [] : [{ kind: 'team', id: teamId, path: 'teamId' }]),
  run: async ({ data: { teamId }, effects, connected }) => {
    await effects.handOff(teamId)
    return connected('next') ? { to: 'next' } : { end: 'handed_off' }
  },
})
