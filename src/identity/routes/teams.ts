import Type from 'typebox'
import { Name, object } from '../../platform/http/schemas.ts'
import { section } from '../../platform/section.ts'
import { TeamInUse, TeamNameTaken, TeamNotFound, UserNotFound } from '../errors.ts'
import { everyone, managers } from '../roles.ts'
import { Team } from '../schemas.ts'
import { listTeams } from '../store/teams.ts'
import { createTeam, deleteTeam, setTeamMember, updateTeam } from '../teams.ts'

const route = section('Teams')

export const teamRoutes = [
  route('GET /teams', {
    summary: 'List the teams',
    access: { scopes: ['team:list'], roles: everyone },
    extension: true,
    success: { status: 200, body: object({ teams: Type.Array(Team) }) },
    handle: async ({ db, caller }) => ({ teams: await listTeams(db, caller.tenantId) }),
  }),
  route('POST /teams', {
    summary: 'Create a team',
    access: { scopes: ['team:create'], roles: managers },
    extension: true,
    body: object({ name: Name }),
    success: { status: 201, body: Team },
    errors: [TeamNameTaken],
    handle: ({ write, caller, body }) => write(tx => createTeam(tx, caller, body.name)),
  }),
  route('PATCH /teams/{id}', {
    summary: 'Rename a team',
    access: { scopes: ['team:update'], roles: managers },
    extension: true,
    body: object({ name: Type.Optional(Name) }),
    success: { status: 200, body: Team },
    errors: [TeamNotFound, TeamNameTaken],
    handle: ({ write, caller, params, body }) => write(tx => updateTeam(tx, caller, params.id, body)),
  }),
  route('DELETE /teams/{id}', {
    summary: 'Delete a team',
    access: { scopes: ['team:delete'], roles: managers },
    extension: true,
    success: { status: 204 },
    errors: [TeamNotFound, TeamInUse],
    handle: ({ write, caller, params }) => write(tx => deleteTeam(tx, caller, params.id)),
  }),
  route('PUT /teams/{id}/members/{userId}', {
    summary: 'Add a user to a team',
    access: { scopes: ['team:update'], roles: managers },
    extension: true,
    success: { status: 204 },
    errors: [TeamNotFound, UserNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => setTeamMember(tx, caller, params.id, params.userId, true)),
  }),
  route('DELETE /teams/{id}/members/{userId}', {
    summary: 'Remove a user from a team',
    access: { scopes: ['team:update'], roles: managers },
    extension: true,
    success: { status: 204 },
    errors: [TeamNotFound, UserNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => setTeamMember(tx, caller, params.id, params.userId, false)),
  }),
]
