import Type from 'typebox'
import { type Route, section } from '../../platform/http/route.ts'
import { Name, object, Timestamp } from '../../platform/http/schemas.ts'
import { ApiKeyNotFound, GrantExceedsCaller, ServiceAccountNotFound } from '../errors.ts'
import { getMe } from '../me.ts'
import { everyone, managers } from '../rights/roles.ts'
import { listScopes } from '../rights/scopes.ts'
import {
  ApiKey,
  Me,
  ScopeDescription,
  ServiceAccount,
  ServiceAccountPatch,
  ServiceAccountRequest,
} from '../schemas.ts'
import {
  createApiKey,
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  revokeApiKey,
  updateServiceAccount,
} from '../service-accounts.ts'
import { listApiKeys, listServiceAccounts } from '../store/service-accounts.ts'

const route = section('API keys')

/** `listRoutes` returns the routes of all domains. */
export const scopeRoutes = (listRoutes: () => readonly Route[]) => [
  route('GET /scopes', {
    operationId: 'listScopes',
    summary: 'List the scopes',
    description:
      'By name, each with the roles that hold it and the operations that need it. A service account has all scopes of its role unless it is restricted to some of them.',
    access: { scopes: ['api_key:list'], roles: managers },
    extension: true,
    success: { status: 200, body: object({ scopes: Type.Array(ScopeDescription) }) },
    handle: async () => ({ scopes: listScopes(listRoutes()) }),
  }),
]

export const serviceAccountRoutes = [
  route('GET /me', {
    operationId: 'getCaller',
    summary: 'Get the caller: a user or an API key',
    description: 'Needs no scope. Use it to test a key and to read its role and scopes.',
    access: { scopes: [], roles: everyone, beforeSecondFactor: true },
    extension: true,
    success: { status: 200, body: Me },
    handle: ({ db, caller, request }) => getMe(db, caller, request.token!),
  }),
  route('GET /service-accounts', {
    operationId: 'listServiceAccounts',
    summary: 'List the service accounts',
    description: 'Lists the accounts, newest first, without their keys.',
    access: { scopes: ['api_key:list'], roles: managers },
    success: { status: 200, body: object({ serviceAccounts: Type.Array(ServiceAccount) }) },
    handle: async ({ db, caller }) => ({ serviceAccounts: await listServiceAccounts(db, caller.tenantId) }),
  }),
  route('POST /service-accounts', {
    operationId: 'createServiceAccount',
    summary: 'Create a service account',
    description:
      'The account is an admin with all scopes unless `role` and `scopes` (both extensions) restrict it. You cannot grant a role or scope that you do not hold.',
    access: { scopes: ['api_key:create'], roles: managers },
    body: ServiceAccountRequest,
    example: {
      name: 'CRM connector',
      description: 'Synchronizes contacts',
      role: 'agent',
      scopes: ['contact:list', 'contact:read'],
    },
    success: { status: 200, body: ServiceAccount },
    errors: [GrantExceedsCaller],
    handle: ({ write, caller, body, roleScopes }) =>
      write(tx => createServiceAccount({ roleScopes }, tx, caller, body)),
  }),
  route('PATCH /service-accounts/{id}', {
    operationId: 'updateServiceAccount',
    summary: 'Change a service account',
    description:
      'Properties that are left out stay as they are; `scopes: null` means every scope of the role. Changes take effect within a second. To change scopes or to activate an account, you must hold the rights that it has then.',
    access: { scopes: ['api_key:create'], roles: managers },
    extension: true,
    body: ServiceAccountPatch,
    example: { name: 'CRM connector', isActive: true, scopes: ['contact:list'] },
    success: { status: 200, body: ServiceAccount },
    errors: [ServiceAccountNotFound, GrantExceedsCaller],
    handle: ({ write, caller, params, body, roleScopes }) =>
      write(tx => updateServiceAccount({ roleScopes }, tx, caller, params.id, body)),
  }),
  route('DELETE /service-accounts/{id}', {
    operationId: 'deleteServiceAccount',
    summary: 'Delete a service account',
    description: 'Revokes its keys immediately.',
    access: { scopes: ['api_key:revoke'], roles: managers },
    success: { status: 204 },
    errors: [ServiceAccountNotFound],
    handle: ({ write, caller, params, roleScopes }) =>
      write(tx => deleteServiceAccount({ roleScopes }, tx, caller, params.id)),
  }),
  route('GET /service-accounts/{id}/api-keys', {
    operationId: 'listApiKeys',
    summary: 'List the keys of a service account',
    description: 'Shows the prefix of each key; the keys themselves are not stored.',
    access: { scopes: ['api_key:list'], roles: managers },
    success: { status: 200, body: object({ apiKeys: Type.Array(ApiKey) }) },
    errors: [ServiceAccountNotFound],
    handle: async ({ db, caller, params }) => {
      await getServiceAccount(db, caller.tenantId, params.id)
      return { apiKeys: await listApiKeys(db, caller.tenantId, params.id) }
    },
  }),
  route('POST /service-accounts/{id}/api-keys', {
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: 'The plaintext `key` is in this response only. `expiresAt` is an extension.',
    access: { scopes: ['api_key:create'], roles: managers },
    body: object({ name: Name, expiresAt: Type.Optional(Timestamp) }),
    example: { name: 'Production' },
    success: { status: 200, body: object({ apiKey: ApiKey, key: Type.String() }) },
    secretFields: ['key'],
    errors: [ServiceAccountNotFound, GrantExceedsCaller],
    handle: ({ write, caller, params, body, roleScopes }) =>
      write(tx => createApiKey({ roleScopes }, tx, caller, params.id, body)),
  }),
  route('DELETE /api-keys/{id}', {
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The key stops working within a second.',
    access: { scopes: ['api_key:revoke'], roles: managers },
    success: { status: 204 },
    errors: [ApiKeyNotFound],
    handle: ({ write, caller, params }) => write(tx => revokeApiKey(tx, caller, params.id)),
  }),
]
