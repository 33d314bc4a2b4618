/** Contributes users to the search over all kinds. */
import { namedPart } from '../platform/contributions/search.ts'
import { listTeams } from './store/teams.ts'
import { listUsers } from './store/users.ts'

export const identitySearch = [
  namedPart({
    kind: 'user',
    scope: 'user:list',
    list: async ({ db }, { tenantId }) =>
      (await listUsers(db, tenantId)).map(({ id, name, email }) => ({ id, name, detail: email })),
  }),
  namedPart({
    kind: 'team',
    scope: 'team:list',
    list: ({ db }, { tenantId }) => listTeams(db, tenantId),
  }),
]
