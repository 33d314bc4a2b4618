/** What a provider's failure is to somebody who asked us: their mistake, their credentials, or bad luck. */
import { fail, invalid, violation } from '../platform/errors.ts'
import { ProviderRefused, ProviderUnavailable, ResourceNotFound } from './errors.ts'
import { ProviderCallError } from './providers/http-client.ts'

/** `field` is the part of the body that named what was asked for; without one it stood in the path. */
export async function mapProviderErrors<T>(work: Promise<T>, field?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProviderCallError) throwProblem(error, field)
    throw error
  }
}

function throwProblem({ failure }: ProviderCallError, field: string | undefined): never {
  if (failure.kind === 'auth' || failure.code === 'permission_missing')
    fail(ProviderRefused, `the provider says: ${failure.message}`)
  if (failure.kind === 'permanent') {
    if (field === undefined) fail(ResourceNotFound)
    invalid(violation(field, 'not_found', 'is not known to the provider'))
  }
  const seconds = Math.ceil((failure.retryAfterMs ?? 5_000) / 1000)
  fail(ProviderUnavailable, failure.message, { headers: { 'retry-after': String(seconds) } })
}
