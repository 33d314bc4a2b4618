import Type from 'typebox'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'

export const handoff = defineNode({
  type: 'handoff',
  kinds: ['journey', 'chatbot'],
  summary: 'Hand the conversation over to people',
  docs: `To \`teamId\`, else to the team of the inbox, else to nobody in particular. The bot is silent from then on: what
comes after this node may tag or note, but not write.`,
  data: object({ teamId: Type.Optional(AnyId) }),
  example: { teamId: 'team_…' },
  outputs: () => [{ name: 'next', summary: 'People have it now' }],
  references: ({ teamId }) => (teamId === undefined ? [] : [{ kind: 'team', id: teamId, path: 'teamId' }]),
  run: async ({ data: { teamId }, effects, connected }) => {
    await effects.handOff(teamId)
    return connected('next') ? { to: 'next' } : { end: 'handed_off' }
  },
})
