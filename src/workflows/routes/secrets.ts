import Type from 'typebox'
import { managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { named, object, Timestamp } from '../../platform/http/schemas.ts'
import { SecretNotFound } from '../errors.ts'
import { VariableName } from '../nodes/node-fields.ts'
import { deleteSecret, setSecret } from '../secrets.ts'
import { listSecrets } from '../store/secrets.ts'

const route = section('Workflows', { extension: true })

const Secret = named('Secret', object({ name: Type.String(), createdAt: Timestamp, updatedAt: Timestamp }))

const SecretValue = Type.String({
  minLength: 4,
  maxLength: 4_000,
  pattern: '^[\\x20-\\x7e]+$',
  patternMessage: 'must be printable ASCII characters without line breaks',
})

export const secretRoutes = [
  route('GET /secrets', {
    operationId: 'listSecrets',
    summary: 'List the names of the secrets that http nodes can use',
    description: 'Values are never returned.',
    access: { scopes: ['secret:list'], roles: managers },
    success: { status: 200, body: object({ secrets: Type.Array(Secret) }) },
    handle: async ({ db, caller }) => ({ secrets: await listSecrets(db, caller.tenantId) }),
  }),
  route('PUT /secrets/{name}', {
    operationId: 'setSecret',
    summary: 'Create or replace a secret',
    example: { value: 'key-of-your-service' },
    description:
      'http nodes use it as `{{secrets.name}}` in URLs and headers. The value is encrypted and never returned.',
    access: { scopes: ['secret:update'], roles: managers },
    params: object({ name: VariableName }),
    body: object({ value: SecretValue }),
    success: { status: 200, body: Secret },
    handle: ({ write, keys, caller, params, body }) =>
      write(tx => setSecret(tx, keys, caller, { name: params.name, value: body.value })),
  }),
  route('DELETE /secrets/{name}', {
    operationId: 'deleteSecret',
    summary: 'Delete a secret',
    description: 'Requests of http nodes that use it fail from now on with `secret_not_found`.',
    access: { scopes: ['secret:delete'], roles: managers },
    success: { status: 204 },
    errors: [SecretNotFound],
    handle: ({ write, caller, params }) => write(tx => deleteSecret(tx, caller, params.name)),
  }),
]
