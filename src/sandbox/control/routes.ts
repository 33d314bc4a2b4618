/** Serves the control API: POST /control/{call} with a bearer token and the call's arguments as a JSON object. */
import Type, { type Static, type TObject } from 'typebox'
import { isSameSecret } from '../../platform/encryption/keys.ts'
import { Problem } from '../../platform/errors.ts'
import { AnyId, literals, object } from '../../platform/http/schemas.ts'
import { type Check, createCheck } from '../../platform/http/validate.ts'
import { parseJsonObject } from '../http/bodies.ts'
import type { HttpResponse, RequestHandler } from '../http/server.ts'
import { Faults, Inbound } from '../schemas.ts'
import { ControlError, type SandboxControl } from './control.ts'

const account = { channel: literals(['chatapp', 'socialapp', 'sms']), account: AnyId }
const Accounts = Type.Optional(Type.Array(object(account)))

interface ControlCall {
  check: Check
  run(control: SandboxControl, args: never): Promise<unknown>
}

function defineCall<S extends TObject>(
  schema: S,
  run: (control: SandboxControl, args: Static<S>) => Promise<unknown>,
): ControlCall {
  return { check: createCheck(schema), run: run as ControlCall['run'] }
}

const calls: Record<string, ControlCall> = {
  inbound: defineCall(object({ ...account, inbound: Inbound }), (control, { inbound, ...ref }) =>
    control.inbound(ref, inbound),
  ),
  sent: defineCall(object({ ...account, to: Type.Optional(AnyId) }), (control, { to, ...ref }) =>
    control.sent(ref, to),
  ),
  advanceClock: defineCall(
    object({ seconds: Type.Number({ minimum: 0 }), accounts: Accounts }),
    (control, args) => control.advanceClock(args.seconds, args.accounts),
  ),
  setFaults: defineCall(object({ faults: Faults, accounts: Accounts }), (control, args) =>
    control.setFaults(args.faults, args.accounts),
  ),
  clearFaults: defineCall(object({ accounts: Accounts }), (control, args) =>
    control.clearFaults(args.accounts),
  ),
  event: defineCall(
    object({ ...account, field: AnyId, value: Type.Record(Type.String(), Type.Unknown()) }),
    (control, { field, value, ...ref }) => control.event(ref, field, value),
  ),
  decideTemplate: defineCall(
    object({ account: AnyId, name: AnyId, language: AnyId, status: AnyId, reason: Type.Optional(AnyId) }),
    (control, args) => control.decideTemplate(args),
  ),
  pendingCallbacks: defineCall(object({ accounts: Accounts }), (control, args) =>
    control.pendingCallbacks(args.accounts),
  ),
  requests: defineCall(object({}), control => control.requests()),
  reset: defineCall(object({}), control => control.reset()),
}

const notFound: HttpResponse = { status: 404, json: { error: 'not found' } }

async function runCall(control: SandboxControl, call: ControlCall, body: Buffer): Promise<HttpResponse> {
  try {
    const args = parseJsonObject(body.toString('utf8') || '{}')
    call.check(args)
    return { status: 200, json: { result: (await call.run(control, args as never)) ?? null } }
  } catch (error) {
    if (error instanceof ControlError) return { status: 400, json: { error: error.message } }
    if (error instanceof Problem)
      return { status: 400, json: { error: error.extras.detail ?? error.message } }
    throw error
  }
}

/** Answers 404 to all calls when no control token is configured. */
export function buildControlHandler(control: SandboxControl, token: string | undefined): RequestHandler {
  return async ({ method, path, headers, body }) => {
    const name = path[0] ?? ''
    if (token === undefined || method !== 'POST' || !Object.hasOwn(calls, name)) return notFound
    const bearer = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!isSameSecret(bearer, token)) return { status: 401, json: { error: 'invalid control token' } }
    return runCall(control, calls[name]!, body)
  }
}
