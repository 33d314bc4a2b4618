import Type from 'typebox'
import { section } from '../../platform/http/route.ts'
import { literals, Name, object, Timestamp } from '../../platform/http/schemas.ts'
import { ApiKeyNotFound, GrantExceedsCaller, ServiceAccountNotFound } from '../errors.ts'
import { getMe } from '../me.ts'
import { everyone, managers } from '../roles.ts'
import { ApiKey, Me, ServiceAccount } from '../schemas.ts'
import {
  createApiKey,
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  revokeApiKey,
} from '../service-accounts.ts'
import { listApiKeys, listServiceAccounts } from '../store/service-accounts.ts'

const route = section('API keys')

export const serviceAccountRoutes = [
  route('GET /me', {
    operationId: 'getCaller',
    summary: 'Get the caller: a user or an API key',
    description: 'Needs no scope. Use it to test a key and to read its role and scopes.',
    access: { scopes: [], roles: everyone, beforeSecondFactor: true },
    extension: true,
    success: { status: 200, body: Me },
    handle: ({ db, caller, request }) => getMe(db, caller, request.headers.authorization!),
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
    body: object({
      name: Name,
      description: Type.Optional(Type.String({ maxLength: 2000 })),
      role: Type.Optional(literals(['admin', 'agent'])),
      scopes: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200, uniqueItems: true }),
      ),
    }),
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
