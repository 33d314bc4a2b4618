/**
 * The second factor of users with a password: codes of an authenticator app, each accepted once, and recovery codes for
 * a lost device, each valid once. Replacing or removing it requires the password.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Cells, Deps } from '../../platform/deps.ts'
import { fail, TooManyRequests } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { toClientNetwork } from '../../platform/http/rate-limit.ts'
import { returnToken, takeToken } from '../../platform/limits/stored-buckets.ts'
import { recordAudit } from '../audit.ts'
import {
  ChallengeExpired,
  SecondFactorEnabled,
  SecondFactorFailed,
  SecondFactorMandatory,
  SecondFactorNotEnabled,
  SelfSecondFactorRemovalForbidden,
} from '../errors.ts'
import { callersChanged, type RoleDeps } from '../rights/reauthorize.ts'
import { hasSessionFrom, revokeAuthSessionsOfUser } from '../store/auth-sessions.ts'
import {
  confirmFactor,
  consumeRecoveryCode,
  consumeStep,
  deleteSecondFactor,
  findSecondFactor,
  replacePendingFactor,
  replaceRecoveryCodeHashes,
} from '../store/second-factors.ts'
import { findTenant } from '../store/tenants.ts'
import { findPassword } from '../store/users.ts'
import { hashBucketKey, hashOrigin } from './login-throttle.ts'
import { lockManagedUser, verifyOwnPassword } from './password-changes.ts'
import { clockToleranceSeconds, hashSecret } from './tokens.ts'
import { findStep, toBase32 } from './totp.ts'

const purpose = 'second-factors'
export const sealedSecondFactors = { table: 'second_factors', id: 'user_id', column: 'secret', purpose }
const challengePurpose = 'second-factor-challenges'
export const challengeSeconds = 300
const recoveryCodeCount = 10

const seal = ({ keys }: Pick<Deps, 'keys'>, secret: Buffer) => keys.encrypt(purpose, secret.toString('hex'))
const unseal = ({ keys }: Pick<Deps, 'keys'>, sealed: Buffer) =>
  Buffer.from(keys.decrypt(purpose, sealed), 'hex')

export async function getSecondFactor(deps: Deps, { tenantId, id }: Caller) {
  const [factor, tenant] = await Promise.all([
    findSecondFactor(deps.db, tenantId, id),
    findTenant(deps.db, tenantId),
  ])
  const enabled = factor?.confirmedAt ? factor : undefined
  return {
    enabled: enabled !== undefined,
    enabledAt: enabled?.confirmedAt ?? null,
    recoveryCodesLeft: enabled?.recoveryCodesLeft ?? 0,
    required: tenant!.secondFactorRequired,
  }
}

/** Creates a secret, which has no effect until it is confirmed. */
export async function startSetup(
  deps: Deps,
  caller: Caller,
  password: string,
  address: string,
): Promise<{ secret: string; uri: string }> {
  const { email, workspace } = await verifyOwnPassword(deps, caller, password, address)
  const bytes = randomBytes(20)
  const isStored = await transact(deps.db, tx =>
    replacePendingFactor(tx, caller.tenantId, caller.id, seal(deps, bytes)),
  )
  if (!isStored) fail(SecondFactorEnabled, 'disable it before you set up another device')
  const secret = toBase32(bytes)
  const label = encodeURIComponent(`${workspace}:${email}`)
  const query = new URLSearchParams({ secret, issuer: workspace })
  return { secret, uri: `otpauth://totp/${label}?${String(query).replaceAll('+', '%20')}` }
}

export async function confirmSetup(
  deps: Deps,
  caller: Caller,
  code: string,
  sessionId: string | undefined,
): Promise<{ recoveryCodes: string[] }> {
  const { tenantId, id } = caller
  const factor = await findSecondFactor(deps.db, tenantId, id)
  if (factor?.confirmedAt) fail(SecondFactorEnabled)
  const step = factor && findStep(unseal(deps, factor.secret), code, deps.clock.now())
  if (!factor || step === undefined) fail(SecondFactorFailed, 'start the setup, then send a current code')
  return transact(deps.db, async tx => {
    if (!(await confirmFactor(tx, tenantId, id, { secret: factor.secret, step }))) fail(SecondFactorFailed)
    const recoveryCodes = await issueRecoveryCodes(tx, caller)
    // Sessions made with the password alone end.
    await revokeAuthSessionsOfUser(tx, tenantId, id, sessionId)
    await recordAudit(tx, caller, 'user.second_factor_enabled', id)
    tx.signal(callersChanged, tenantId)
    return { recoveryCodes }
  })
}

export async function replaceRecoveryCodes(
  deps: Deps,
  caller: Caller,
  password: string,
  address: string,
): Promise<{ recoveryCodes: string[] }> {
  await verifyOwnPassword(deps, caller, password, address)
  return transact(deps.db, async tx => {
    if (!(await findSecondFactor(tx, caller.tenantId, caller.id))?.confirmedAt) fail(SecondFactorNotEnabled)
    await recordAudit(tx, caller, 'user.recovery_codes_replaced', caller.id)
    return { recoveryCodes: await issueRecoveryCodes(tx, caller) }
  })
}

async function issueRecoveryCodes(tx: Tx, { tenantId, id }: Caller): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    toBase32(randomBytes(10)).toLowerCase().match(/.{4}/g)!.join('-'),
  )
  await replaceRecoveryCodeHashes(tx, tenantId, id, codes.map(hashRecoveryCode))
  return codes
}

const hashRecoveryCode = (code: string): Buffer => hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''))

export async function disableSecondFactor(
  deps: Deps,
  caller: Caller,
  password: string,
  address: string,
): Promise<void> {
  await verifyOwnPassword(deps, caller, password, address)
  await transact(deps.db, async tx => {
    if ((await findTenant(tx, caller.tenantId))!.secondFactorRequired)
      fail(SecondFactorMandatory, 'ask an administrator to remove it if you change your device')
    if (!(await deleteSecondFactor(tx, caller.tenantId, caller.id))) fail(SecondFactorNotEnabled)
    await recordAudit(tx, caller, 'user.second_factor_disabled', caller.id)
  })
}

/** Removes the second factor of a user who has lost it, and ends the user's sessions. */
export async function removeSecondFactor(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
): Promise<void> {
  if (userId === caller.id) fail(SelfSecondFactorRemovalForbidden, 'use POST /users/me/second-factor/disable')
  await lockManagedUser(deps, tx, caller, userId)
  if (!(await deleteSecondFactor(tx, caller.tenantId, userId))) return
  await revokeAuthSessionsOfUser(tx, caller.tenantId, userId)
  await recordAudit(tx, caller, 'user.second_factor_removed', userId)
  tx.signal(callersChanged, caller.tenantId)
}

interface Challenge {
  tenantId: string
  userId: string
  /** Binds the challenge to the password that was verified. */
  password: string
  expiresAt: number
}

const fingerprint = (passwordHash: string) => createHash('sha256').update(passwordHash).digest('base64url')

/** Proves for five minutes that the password was verified. */
export function createChallenge(
  { keys, clock }: Deps,
  account: { tenantId: string; id: string; passwordHash: string | null },
): string {
  const challenge: Challenge = {
    tenantId: account.tenantId,
    userId: account.id,
    password: fingerprint(account.passwordHash!),
    expiresAt: clock.now().getTime() + challengeSeconds * 1000,
  }
  return keys.encrypt(challengePurpose, JSON.stringify(challenge)).toString('base64url')
}

/** Returns the cell of a challenge; any cell for an invalid one, so that the operation refuses it. */
export function locateChallenge(cells: Cells, text: string): Deps | Promise<Deps> {
  const challenge = openChallenge(cells.home, text)
  return challenge ? cells.of(challenge.tenantId) : cells.usable()[0]!
}

function openChallenge({ keys, clock }: Deps, text: string): Challenge | undefined {
  try {
    const opened = keys.decrypt(challengePurpose, Buffer.from(text, 'base64url'))
    const challenge = JSON.parse(opened) as Challenge
    const leftMs = challenge.expiresAt - clock.now().getTime()
    // No challenge lives longer than those created here, whatever it claims.
    return leftMs > 0 && leftMs <= (challengeSeconds + clockToleranceSeconds) * 1000 ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Returns the user of a challenge if the code is right. Throws 401, or 429 after too many wrong codes. */
export async function verifySecondFactor(
  deps: Deps,
  input: { challenge: string; code: string; address: string },
): Promise<{ tenantId: string; userId: string }> {
  const challenge = openChallenge(deps, input.challenge) ?? fail(ChallengeExpired, 'log in again')
  const { tenantId, userId } = challenge
  const account = await findPassword(deps.db, tenantId, userId)
  if (!account?.passwordHash || fingerprint(account.passwordHash) !== challenge.password)
    fail(ChallengeExpired, 'log in again')
  const refund = await takeCodeAttempt(deps, challenge, input.address)
  if (!(await isCodeValid(deps, challenge, input.code))) {
    await transact(deps.db, tx =>
      recordAudit(
        tx,
        { kind: 'user', id: userId, tenantId },
        'login.second_factor_failed',
        { type: 'user', id: userId },
        { address: input.address },
      ),
    )
    fail(SecondFactorFailed, 'send the current code of your device, or an unused recovery code')
  }
  await refund()
  return { tenantId, userId }
}

async function isCodeValid(deps: Deps, { tenantId, userId }: Challenge, code: string): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return consumeRecoveryCode(deps.db, tenantId, userId, hashRecoveryCode(code))
  const factor = await findSecondFactor(deps.db, tenantId, userId)
  const step = factor && findStep(unseal(deps, factor.secret), code, deps.clock.now())
  return step !== undefined && consumeStep(deps.db, tenantId, userId, step)
}

const perMinute = 1 / 60

/**
 * Takes an attempt of the network and, from networks without an earlier login, of the account: an attacker with the
 * password can neither try many codes nor lock the user out.
 */
async function takeCodeAttempt(deps: Deps, { tenantId, userId }: Challenge, address: string) {
  const account = ['second-factor', tenantId, userId]
  const own = { key: hashBucketKey(...account, toClientNetwork(address)), burst: 5, perSecond: perMinute }
  const all = { key: hashBucketKey(...account), burst: 20, perSecond: perMinute }
  const isKnown = await hasSessionFrom(deps.db, tenantId, userId, hashOrigin(deps, address))
  const buckets = isKnown ? [own] : [own, all]
  for (const bucket of buckets)
    if (!(await takeToken(deps.db, bucket.key, bucket)))
      fail(TooManyRequests, 'too many codes; try again in 60 s', { headers: { 'retry-after': '60' } })
  return () => Promise.all(buckets.map(bucket => returnToken(deps.db, bucket.key, bucket)))
}
