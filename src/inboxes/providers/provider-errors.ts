/** Maps provider call failures to API problems: invalid input, rejected credentials, or provider unavailable. */
import { fail, invalid, violation } from '../../platform/errors.ts'
import { ProviderRefused, ProviderUnavailable, ResourceNotFound } from '../errors.ts'
import { ProviderCallError } from './http-client.ts'

/** `field` is the request field that named the resource; undefined if the path named it. */
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
    fail(ProviderRefused, `the provider responded: ${failure.message}`)
  if (failure.kind === 'permanent') {
    if (field === undefined) fail(ResourceNotFound)
    invalid(violation(field, 'not_found', 'was not found at the provider'))
  }
  const seconds = Math.ceil((failure.retryAfterMs ?? 5_000) / 1000)
  fail(ProviderUnavailable, failure.message, { headers: { 'retry-after': String(seconds) } })
}
