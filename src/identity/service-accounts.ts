/** Service accounts and their API keys. Nobody grants an account or key more than they hold themselves. */
import type { Static } from 'typebox'
import type { Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emitChanged } from '../platform/events/changed.ts'
import { emit } from '../platform/events/event.ts'
import type { Caller, Role } from '../platform/http/caller.ts'
import { parseTimestamp } from '../platform/http/schemas.ts'
import { recordAudit } from './audit.ts'
import { generateApiKey } from './auth/tokens.ts'
import { ApiKeyNotFound, ServiceAccountNotFound } from './errors.ts'
import { accessChanged } from './events.ts'
import { callersChanged, lockAndReload, type RoleDeps } from './rights/reauthorize.ts'
import { assertCanGrant, getEffectiveScopes } from './rights/roles.ts'
import { ApiKeyId, ServiceAccountId, type ServiceAccountPatch } from './schemas.ts'
import {
  type ApiKeyRow,
  findServiceAccount,
  insertApiKey,
  insertServiceAccount,
  lockServiceAccount,
  markApiKeyRevoked,
  markServiceAccountDeleted,
  type ServiceAccountRow,
  updateServiceAccountRow,
} from './store/service-accounts.ts'
import { lockTenant } from './store/users.ts'
import { revokeGrantsBy } from './users/users.ts'

export interface ServiceAccountInput {
  name: string
  description?: string
  role?: 'admin' | 'agent'
  scopes?: string[]
}

export async function createServiceAccount(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  input: ServiceAccountInput,
): Promise<ServiceAccountRow> {
  const role = input.role ?? 'admin'
  assertScopesOf(deps, role, input.scopes ?? [])
  assertCanGrant(
    await lockAndReload(deps, tx, caller),
    role,
    getEffectiveScopes(deps, role, input.scopes ?? null),
  )
  const account = await insertServiceAccount(tx, caller.tenantId, {
    id: ServiceAccountId.create(),
    name: input.name,
    description: input.description ?? null,
    role,
    scopes: input.scopes ?? null,
    createdBy: caller.id,
  })
  await recordAudit(tx, caller, 'service_account.created', account.id, {
    name: account.name,
    role,
    scopes: account.scopes,
  })
  await emitChanged(tx, caller.tenantId, { kind: 'service_account', id: account.id })
  return account
}

function assertScopesOf({ roleScopes }: RoleDeps, role: Role, scopes: readonly string[]): void {
  const violations = scopes.flatMap((scope, i) =>
    roleScopes[role].has(scope)
      ? []
      : [violation(`scopes[${i}]`, 'unknown_scope', `is not a scope of the role ${role}`)],
  )
  if (violations.length > 0) invalid(...violations)
}

/** A caller who changes the scopes of an account or activates it must hold the rights that the account has then. */
export async function updateServiceAccount(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  id: string,
  patch: Static<typeof ServiceAccountPatch>,
): Promise<ServiceAccountRow> {
  const current = await lockAndReload(deps, tx, caller)
  const before = (await lockServiceAccount(tx, caller.tenantId, id)) ?? fail(ServiceAccountNotFound)
  assertScopesOf(deps, before.role, patch.scopes ?? [])
  const after = { ...before, ...patch }
  const isGrant = patch.scopes !== undefined || (after.isActive && !before.isActive)
  if (isGrant) assertCanGrant(current, after.role, getEffectiveScopes(deps, after.role, after.scopes))
  const updated = await updateServiceAccountRow(tx, caller.tenantId, after)
  await recordAudit(tx, caller, 'service_account.updated', id, patch)
  await emitChanged(tx, caller.tenantId, { kind: 'service_account', id })
  if (patch.scopes === undefined && after.isActive === before.isActive) return updated
  await revokeGrantsBy(tx, caller.tenantId, id)
  await emit(tx, accessChanged, { tenantId: caller.tenantId, data: { accountId: id } })
  tx.signal(callersChanged, caller.tenantId)
  return updated
}

export async function deleteServiceAccount(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<void> {
  await lockAndReload(deps, tx, caller)
  if ((await markServiceAccountDeleted(tx, caller.tenantId, id)) === 0) fail(ServiceAccountNotFound)
  await revokeGrantsBy(tx, caller.tenantId, id)
  await recordAudit(tx, caller, 'service_account.deleted', id)
  await emitChanged(tx, caller.tenantId, { kind: 'service_account', id, revision: null })
  await emit(tx, accessChanged, { tenantId: caller.tenantId, data: { accountId: id } })
  tx.signal(callersChanged, caller.tenantId)
}

export async function getServiceAccount(
  db: Parameters<typeof findServiceAccount>[0],
  tenantId: string,
  id: string,
): Promise<ServiceAccountRow> {
  return (await findServiceAccount(db, tenantId, id)) ?? fail(ServiceAccountNotFound)
}

export async function createApiKey(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  accountId: string,
  input: { name: string; expiresAt?: string },
): Promise<{ apiKey: ApiKeyRow; key: string }> {
  if (input.expiresAt && parseTimestamp(input.expiresAt).toISOString() <= tx.now) {
    invalid(violation('expiresAt', 'in_the_past', 'must be in the future'))
  }
  const current = await lockAndReload(deps, tx, caller)
  const account = await getServiceAccount(tx, caller.tenantId, accountId)
  assertCanGrant(current, account.role, getEffectiveScopes(deps, account.role, account.scopes))
  const { key, keyPrefix, hash } = generateApiKey(caller.tenantId)
  const apiKey = await insertApiKey(tx, caller.tenantId, {
    id: ApiKeyId.create(),
    serviceAccountId: accountId,
    name: input.name,
    keyPrefix,
    hash,
    expiresAt: input.expiresAt ?? null,
    createdBy: caller.id,
  })
  await recordAudit(tx, caller, 'api_key.created', apiKey.id, { serviceAccountId: accountId, keyPrefix })
  return { apiKey, key }
}

export async function revokeApiKey(tx: Tx, caller: Caller, id: string): Promise<void> {
  await lockTenant(tx, caller.tenantId)
  const key = (await markApiKeyRevoked(tx, caller.tenantId, id)) ?? fail(ApiKeyNotFound)
  await recordAudit(tx, caller, 'api_key.revoked', id, { keyPrefix: key.keyPrefix })
  await emit(tx, accessChanged, { tenantId: caller.tenantId, data: { accountId: key.serviceAccountId } })
  tx.signal(callersChanged, caller.tenantId)
}
