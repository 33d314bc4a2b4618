import type { Context } from '../../platform/http/route.ts'
import type { Asking } from '../sends.ts'

export function asking(
  context: Pick<Context<never, never, never>, 'caller' | 'strict' | 'alone'> & Asking['deps'],
): Asking {
  return { deps: context, caller: context.caller, strict: context.strict, alone: context.alone }
}
