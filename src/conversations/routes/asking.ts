import type { Context } from '../../platform/http/route.ts'
import type { SendContext } from '../outbound/send-message.ts'

export function toSendContext(
  context: Pick<Context<never, never, never>, 'caller' | 'strict' | 'exclusiveWrite'> & SendContext['deps'],
): SendContext {
  return {
    deps: context,
    caller: context.caller,
    strict: context.strict,
    exclusiveWrite: context.exclusiveWrite,
  }
}
