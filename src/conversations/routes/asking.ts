import type { Context } from '../../platform/http/route.ts'
import type { Asking } from '../sends.ts'

/** With an Idempotency-Key the answer is stored with the message, so it cannot share a batch. */
export function asking(
  context: Pick<Context<never, never, never>, 'caller' | 'request' | 'strict' | 'write'> & Asking['deps'],
): Asking {
  const alone = context.request.headers['idempotency-key'] !== undefined
  return {
    deps: context,
    caller: context.caller,
    strict: context.strict,
    ...(alone ? { write: context.write } : {}),
  }
}
