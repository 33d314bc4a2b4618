/**
 * Secrets of a workspace that http nodes send in URLs and headers. Values are stored encrypted and never returned. A
 * run's state contains tokens instead of values; the values replace them while the request is sent, and are removed from
 * its response.
 */
import { recordAudit } from '../identity/audit.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { SecretNotFound } from './errors.ts'
import type { HttpRequest } from './nodes/node-type.ts'
import {
  deleteSecretRow,
  listSealedSecrets,
  listSecrets,
  type SecretRow,
  upsertSecret,
} from './store/secrets.ts'

const maxSecrets = 100
const purpose = 'workflow-secrets'
export const sealedSecrets = { table: 'workflow_secrets', id: 'name', column: 'sealed', purpose }

export async function setSecret(
  tx: Tx,
  keys: Keys,
  caller: Caller,
  { name, value }: { name: string; value: string },
): Promise<SecretRow> {
  const existing = await listSecrets(tx, caller.tenantId)
  const exists = existing.some(secret => secret.name === name)
  if (!exists && existing.length >= maxSecrets)
    invalid(violation('name', 'too_many', `a workspace has at most ${maxSecrets} secrets; delete one`))
  const row = await upsertSecret(tx, caller.tenantId, name, keys.encrypt(purpose, value))
  await recordAudit(tx, caller, exists ? 'secret.replaced' : 'secret.created', name)
  return row
}

export async function deleteSecret(tx: Tx, caller: Caller, name: string): Promise<void> {
  if (!(await deleteSecretRow(tx, caller.tenantId, name))) fail(SecretNotFound)
  await recordAudit(tx, caller, 'secret.deleted', name)
}

/** The values of a request's secrets, or the name of one that does not exist. */
export interface RequestSecrets {
  missing: string | undefined
  fill(request: HttpRequest): HttpRequest
  /** Replaces the values in a text that the endpoint returned. */
  redact(text: string): string
}

export async function loadRequestSecrets(
  on: Queryable,
  keys: Keys,
  tenantId: string,
  tokens: Readonly<Record<string, string>>,
): Promise<RequestSecrets> {
  const names = [...new Set(Object.values(tokens))]
  const rows = names.length === 0 ? [] : await listSealedSecrets(on, tenantId, names)
  const values = new Map(rows.map(({ name, sealed }) => [name, keys.decrypt(purpose, sealed)]))
  const replace = (text: string, toText: (value: string) => string) =>
    Object.entries(tokens).reduce(
      (out, [token, name]) => out.replaceAll(token, () => toText(values.get(name)!)),
      text,
    )
  const written = [...values.values()].flatMap(value => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ])
  return {
    missing: names.find(name => !values.has(name)),
    fill: request => ({
      ...request,
      url: replace(request.url, encodeURIComponent),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, replace(value, secret => secret)]),
      ),
    }),
    redact: text => written.reduce((out, value) => out.replaceAll(value, '***'), text),
  }
}
