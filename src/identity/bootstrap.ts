/** Contributes the user and the workspace to the start of a client. */
import Type from 'typebox'
import { bootstrapPart } from '../platform/contributions/bootstrap.ts'
import { getCurrentUser } from './me.ts'
import { CurrentUser, Preferences, ServiceAccountName, Team, User, Workspace } from './schemas.ts'
import { findPreferences } from './store/preferences.ts'
import { listServiceAccountNames } from './store/service-accounts.ts'
import { listTeams } from './store/teams.ts'
import { listUsers } from './store/users.ts'
import { getWorkspace } from './workspace/tenants.ts'

export const identityBootstrap = [
  bootstrapPart({
    name: 'me',
    scope: 'user:read_self',
    schema: CurrentUser,
    load: ({ db }, caller) => getCurrentUser(db, caller),
  }),
  bootstrapPart({
    name: 'preferences',
    scope: 'user:read_self',
    schema: Preferences,
    load: ({ db }, { tenantId, id }) => findPreferences(db, tenantId, id),
  }),
  bootstrapPart({
    name: 'workspace',
    scope: 'workspace:read',
    schema: Workspace,
    load: ({ db }, { tenantId }) => getWorkspace(db, tenantId),
  }),
  bootstrapPart({
    name: 'users',
    scope: 'user:list',
    schema: Type.Array(User),
    load: ({ db }, { tenantId }) => listUsers(db, tenantId),
  }),
  bootstrapPart({
    name: 'serviceAccounts',
    scope: 'user:list',
    schema: Type.Array(ServiceAccountName),
    load: ({ db }, { tenantId }) => listServiceAccountNames(db, tenantId),
  }),
  bootstrapPart({
    name: 'teams',
    scope: 'team:list',
    schema: Type.Array(Team),
    load: ({ db }, { tenantId }) => listTeams(db, tenantId),
  }),
]
