import Type from 'typebox'
import { section } from '../../platform/http/route.ts'
import { Name, object } from '../../platform/http/schemas.ts'
import { TeamInUse, TeamNameTaken, TeamNotFound, UserNotFound } from '../errors.ts'
import { everyone, managers } from '../rights/roles.ts'
import { Team } from '../schemas.ts'
import { listTeams } from '../store/teams.ts'
import { createTeam, deleteTeam, setTeamMember, updateTeam } from '../teams.ts'

const route = section('Teams', { extension: true })

export const teamRoutes = [
  route('GET /teams', {
    operationId: 'listTeams',
    summary: 'List the teams',
    description: 'Lists the teams with the ids of their members.',
    access: { scopes: ['team:list'], roles: everyone },
    success: { status: 200, body: object({ teams: Type.Array(Team) }) },
    handle: async ({ db, caller }) => ({ teams: await listTeams(db, caller.tenantId) }),
  }),
  route('POST /teams', {
    operationId: 'createTeam',
    summary: 'Create a team',
    description: 'The name must be unique in the workspace.',
    access: { scopes: ['team:create'], roles: managers },
    body: object({ name: Name }),
    example: { name: 'Billing' },
    success: { status: 201, body: Team },
    errors: [TeamNameTaken],
    handle: ({ write, caller, body }) => write(tx => createTeam(tx, caller, body.name)),
  }),
  route('PATCH /teams/{id}', {
    operationId: 'renameTeam',
    summary: 'Rename a team',
    description: 'The name must be unique in the workspace.',
    access: { scopes: ['team:update'], roles: managers },
    body: object({ name: Type.Optional(Name) }),
    example: { name: 'Accounts' },
    success: { status: 200, body: Team },
    errors: [TeamNotFound, TeamNameTaken],
    handle: ({ write, caller, params, body }) => write(tx => updateTeam(tx, caller, params.id, body)),
  }),
  route('DELETE /teams/{id}', {
    operationId: 'deleteTeam',
    summary: 'Delete a team',
    description: 'Refused while an inbox, a chatbot or an open conversation references the team.',
    access: { scopes: ['team:delete'], roles: managers },
    success: { status: 204 },
    errors: [TeamNotFound, TeamInUse],
    handle: ({ write, caller, params }) => write(tx => deleteTeam(tx, caller, params.id)),
  }),
  route('PUT /teams/{id}/members/{userId}', {
    operationId: 'addTeamMember',
    summary: 'Add a user to a team',
    description: 'Has no effect if the user is a member already.',
    access: { scopes: ['team:update'], roles: managers },
    success: { status: 204 },
    errors: [TeamNotFound, UserNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => setTeamMember(tx, caller, params.id, params.userId, true)),
  }),
  route('DELETE /teams/{id}/members/{userId}', {
    operationId: 'removeTeamMember',
    summary: 'Remove a user from a team',
    description: 'Has no effect if the user is not a member.',
    access: { scopes: ['team:update'], roles: managers },
    success: { status: 204 },
    errors: [TeamNotFound, UserNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => setTeamMember(tx, caller, params.id, params.userId, false)),
  }),
]
