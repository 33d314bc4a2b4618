import Type from 'typebox'
import { section } from '../../platform/http/route.ts'
import { nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import {
  confirmSetup,
  disableSecondFactor,
  getSecondFactor,
  locateChallenge,
  removeSecondFactor,
  replaceRecoveryCodes,
  startSetup,
} from '../auth/second-factor.ts'
import { completeLogin } from '../auth/sessions.ts'
import {
  ChallengeExpired,
  GrantExceedsCaller,
  OwnerChangeForbidden,
  PasswordNotUsed,
  PasswordWrong,
  SecondFactorEnabled,
  SecondFactorFailed,
  SecondFactorMandatory,
  SecondFactorNotEnabled,
  SelfSecondFactorRemovalForbidden,
  UserNotFound,
} from '../errors.ts'
import { everyone, managers } from '../rights/roles.ts'
import { LoginResponse } from '../schemas.ts'
import { readClient } from './auth.ts'

const route = section('Users', { extension: true })
const own = {
  scopes: ['user:update_self'],
  roles: everyone,
  userOnly: true,
  beforeSecondFactor: true,
} as const
const CurrentPassword = object({ password: Type.String({ minLength: 1, maxLength: 200 }) })
const Code = Type.String({ minLength: 1, maxLength: 100 })
const RecoveryCodes = object({ recoveryCodes: Type.Array(Type.String()) })

export const secondFactorRoutes = [
  section('Sessions', { extension: true })('POST /auth/second-factor', {
    operationId: 'completeLogin',
    summary: 'Complete a login with the code of the second factor',
    description:
      '`challenge` is a member of the response 409 `auth_second_factor_code_required` of the login and valid for five minutes. `code` is the current code of the authenticator app, or an unused recovery code.',
    access: 'public',
    locate: ({ body }, cells) => locateChallenge(cells, body.challenge),
    limitPerMinute: 300,
    body: object({ challenge: Type.String({ minLength: 1, maxLength: 2000 }), code: Code }),
    example: { challenge: 'replace-with-the-challenge-of-the-login', code: '123456' },
    success: { status: 200, body: LoginResponse },
    errors: [SecondFactorFailed, ChallengeExpired],
    handle: context => completeLogin(context, { ...context.body, ...readClient(context.request) }),
  }),
  route('GET /users/me/second-factor', {
    operationId: 'getSecondFactor',
    summary: 'Get the state of your second factor',
    description: 'Shows whether it is enabled, and how many recovery codes are left.',
    access: { ...own, scopes: ['user:read_self'] },
    success: {
      status: 200,
      body: object({
        enabled: Type.Boolean(),
        enabledAt: nullable(Timestamp),
        recoveryCodesLeft: Type.Integer(),
        required: Type.Boolean({ description: 'the workspace requires a second factor' }),
      }),
    },
    handle: context => getSecondFactor(context, context.caller),
  }),
  route('POST /users/me/second-factor', {
    operationId: 'startSecondFactor',
    summary: 'Start the setup of a second factor',
    description:
      'Returns a secret for an authenticator app, as text and as a URI for a QR code. It has no effect until it is confirmed.',
    access: own,
    body: CurrentPassword,
    example: { password: 'plum-Harbor-42-lantern' },
    success: {
      status: 201,
      body: object({ secret: Type.Optional(Type.String()), uri: Type.Optional(Type.String()) }),
    },
    secretFields: ['secret', 'uri'],
    errors: [PasswordWrong, PasswordNotUsed, SecondFactorEnabled],
    handle: context => startSetup(context, context.caller, context.body.password, context.request.ip),
  }),
  route('POST /users/me/second-factor/confirm', {
    operationId: 'confirmSecondFactor',
    summary: 'Enable the second factor with a first code',
    description: 'Returns ten recovery codes, shown once and each valid once. Ends your other sessions.',
    access: own,
    body: object({ code: Code }),
    example: { code: '123456' },
    success: { status: 200, body: Type.Partial(RecoveryCodes) },
    secretFields: ['recoveryCodes'],
    errors: [SecondFactorFailed, SecondFactorEnabled],
    handle: context => confirmSetup(context, context.caller, context.body.code, context.caller.sessionId),
  }),
  route('POST /users/me/second-factor/recovery-codes', {
    operationId: 'replaceRecoveryCodes',
    summary: 'Replace your recovery codes',
    description: 'Returns new codes once. The old ones are invalid.',
    access: own,
    body: CurrentPassword,
    example: { password: 'plum-Harbor-42-lantern' },
    success: { status: 200, body: Type.Partial(RecoveryCodes) },
    secretFields: ['recoveryCodes'],
    errors: [PasswordWrong, PasswordNotUsed, SecondFactorNotEnabled],
    handle: context =>
      replaceRecoveryCodes(context, context.caller, context.body.password, context.request.ip),
  }),
  route('POST /users/me/second-factor/disable', {
    operationId: 'disableSecondFactor',
    summary: 'Disable your second factor',
    description: 'Refused while the workspace requires a second factor.',
    access: own,
    body: CurrentPassword,
    example: { password: 'plum-Harbor-42-lantern' },
    success: { status: 204 },
    errors: [PasswordWrong, PasswordNotUsed, SecondFactorNotEnabled, SecondFactorMandatory],
    handle: context =>
      disableSecondFactor(context, context.caller, context.body.password, context.request.ip),
  }),
  route('DELETE /users/{userId}/second-factor', {
    operationId: 'removeSecondFactor',
    summary: 'Remove the second factor of a user who has lost it',
    description: 'Ends the sessions of the user.',
    access: { scopes: ['user:update'], roles: managers },
    success: { status: 204 },
    errors: [SelfSecondFactorRemovalForbidden, UserNotFound, OwnerChangeForbidden, GrantExceedsCaller],
    handle: ({ write, caller, params, roleScopes }) =>
      write(tx => removeSecondFactor({ roleScopes }, tx, caller, params.userId)),
  }),
]
