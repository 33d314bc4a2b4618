import type { Static } from 'typebox'
import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Role } from '../../platform/http/caller.ts'
import type { User } from '../schemas.ts'
import { hasSecondFactor } from './second-factors.ts'

/** Normalizes text for comparison: e-mail addresses and names match regardless of case and Unicode composition. */
export function normalize(text: string): string {
  return text.toLowerCase().normalize('NFC')
}

export type UserRow = Static<typeof User>

const columns =
  raw(`u.id, u.name, u.email, u.role, u.joined_at as "joinedAt", u.avatar_url as "avatarUrl", u.provider,
  u.email_verified as "emailVerified", u.disabled,
  array(select m.team_id from team_members m where m.tenant_id = u.tenant_id and m.user_id = u.id order by m.team_id) as "teamIds"`)

export function findUser(db: Queryable, tenantId: string, id: string): Promise<UserRow | undefined> {
  return db.maybe<UserRow>(
    sql`select ${columns} from users u where u.tenant_id = ${tenantId} and u.id = ${id}`,
  )
}

export function listUsersById(db: Queryable, tenantId: string, ids: readonly string[]): Promise<UserRow[]> {
  return db.rows<UserRow>(
    sql`select ${columns} from users u where u.tenant_id = ${tenantId} and u.id = any(${ids})`,
  )
}

/** For statements of other domains: when the user joined. The user may be a column. */
export const joinedAt = (tenantId: string, userId: string | Sql): Sql =>
  sql`(select joined_at from users where tenant_id = ${tenantId} and id = ${userId})`

/** For statements of other domains: the URL of the picture of the user, who is a column. */
export const avatarUrlOf = (tenantId: string, userId: Sql): Sql =>
  sql`(select avatar_url from users where tenant_id = ${tenantId} and id = ${userId})`

/**
 * For statements of other domains: the ids of the teams of an agent; null for an owner, an admin or an unknown account.
 * The account is a column.
 */
export const selectAgentTeams = (tenantId: string, accountId: Sql): Sql => sql`(
  select array(select m.team_id from team_members m where m.tenant_id = u.tenant_id and m.user_id = u.id)
  from users u where u.tenant_id = ${tenantId} and u.id = ${accountId} and u.role = 'agent'
  union all
  select '{}'::text[] from service_accounts a
  where a.tenant_id = ${tenantId} and a.id = ${accountId} and a.role = 'agent')`

/** The users with the last use of a session. Sessions are kept for some time after their end. */
export function listUsersWithLastSeen(
  db: Db,
  tenantId: string,
): Promise<(UserRow & { lastSeenAt: string | null })[]> {
  return db.rows(sql`
    select ${columns}, (
      select max(coalesce(s.last_used_at, s.created_at)) from auth_sessions s
      where s.tenant_id = u.tenant_id and s.user_id = u.id) as "lastSeenAt"
    from users u where u.tenant_id = ${tenantId} order by u.id desc`)
}

export function listUsers(db: Db, tenantId: string): Promise<UserRow[]> {
  return db.rows<UserRow>(
    sql`select ${columns} from users u where u.tenant_id = ${tenantId} order by u.id desc`,
  )
}

export interface NewUser {
  id: string
  name: string
  email: string
  role: Role
  provider: string
  /** The user's identity at an external provider, which has verified the address. */
  subject?: string
  passwordHash: string | null
  invited: boolean
}

export async function insertUser(tx: Tx, tenantId: string, user: NewUser): Promise<void> {
  const { subject = null } = user
  await tx.run(sql`
    insert into users (tenant_id, id, name, email, email_key, role, provider, subject, email_verified, password_hash,
      invited, joined_at, updated_at)
    values (${tenantId}, ${user.id}, ${user.name}, ${user.email}, ${normalize(user.email)}, ${user.role}, ${user.provider},
      ${subject}, ${subject !== null}, ${user.passwordHash}, ${user.invited}, ${tx.now}, ${tx.now})`)
}

/**
 * Enables a disabled user with this address as a new user, under the old id. Returns undefined if there is none, or if
 * it is an owner that would be demoted.
 */
export function reviveUser(
  tx: Tx,
  tenantId: string,
  user: Omit<NewUser, 'id'>,
): Promise<{ id: string } | undefined> {
  const { subject = null } = user
  return tx.maybe(sql`
    update users set name = ${user.name}, email = ${user.email}, role = ${user.role}, provider = ${user.provider},
      subject = ${subject}, email_verified = ${subject !== null}, password_hash = ${user.passwordHash},
      invited = ${user.invited}, disabled = false, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and email_key = ${normalize(user.email)} and disabled
      and (role <> 'owner' or ${user.role} = 'owner')
    returning id`)
}

export interface UserChange {
  name?: string
  avatarUrl?: string | null
  role?: Role
  disabled?: boolean
}

export async function updateUserRow(tx: Tx, tenantId: string, id: string, change: UserChange): Promise<void> {
  await tx.run(sql`
    update users set
      name = coalesce(${change.name ?? null}, name),
      avatar_url = case when ${change.avatarUrl !== undefined} then ${change.avatarUrl ?? null} else avatar_url end,
      role = coalesce(${change.role ?? null}, role),
      disabled = coalesce(${change.disabled ?? null}, disabled),
      updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

export interface Credentials {
  tenantId: string
  tenantName: string
  id: string
  passwordHash: string | null
  disabled: boolean
  hasSecondFactor: boolean
}

export function listCredentials(
  db: Db,
  email: string,
  tenantId: string | undefined,
  limit: number,
): Promise<Credentials[]> {
  return db.rows<Credentials>(sql`
    select u.tenant_id as "tenantId", t.name as "tenantName", u.id, u.password_hash as "passwordHash", u.disabled,
      ${hasSecondFactor} as "hasSecondFactor"
    from users u join tenants t on t.id = u.tenant_id
    where u.email_key = ${normalize(email)} and (${tenantId ?? null}::text is null or u.tenant_id = ${tenantId ?? null})
    order by u.tenant_id limit ${limit}`)
}

export interface PasswordRow {
  email: string
  workspace: string
  passwordHash: string | null
}

export function findPassword(db: Db, tenantId: string, id: string): Promise<PasswordRow | undefined> {
  return db.maybe(sql`
    select u.email, t.name as workspace, u.password_hash as "passwordHash"
    from users u join tenants t on t.id = u.tenant_id where u.tenant_id = ${tenantId} and u.id = ${id}`)
}

/** Returns false if the user is disabled, uses an identity provider, or no longer has the replaced hash. */
export async function setPasswordHash(
  tx: Tx,
  tenantId: string,
  id: string,
  hash: string,
  replaced: string | null = null,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update users set password_hash = ${hash}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and not disabled and subject is null
      and (${replaced}::text is null or password_hash = ${replaced})`)
  return changed === 1
}

/**
 * Locks the workspace for changes of roles and access, which are serialized. Does not block writes of rows that only
 * reference the workspace.
 */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`select from tenants where id = ${tenantId} for no key update`)
}

export async function countOtherOwners(tx: Tx, tenantId: string, exceptId: string): Promise<number> {
  const row = await tx.one<{ n: number }>(sql`
    select count(*) as n from users where tenant_id = ${tenantId} and role = 'owner' and not disabled and id <> ${exceptId}`)
  return row.n
}

export interface LinkCandidate {
  id: string
  role: Role
  disabled: boolean
  emailVerified: boolean
  invited: boolean
  subject: string | null
}

export function findUserBySubject(
  db: Db,
  tenantId: string,
  provider: string,
  subject: string,
): Promise<{ id: string } | undefined> {
  return db.maybe(
    sql`select id from users where tenant_id = ${tenantId} and provider = ${provider} and subject = ${subject}`,
  )
}

export function findUserByEmail(
  db: Queryable,
  tenantId: string,
  email: string,
): Promise<LinkCandidate | undefined> {
  return db.maybe(sql`
    select id, role, disabled, email_verified as "emailVerified", invited, subject from users
    where tenant_id = ${tenantId} and email_key = ${normalize(email)}`)
}

/** Links the user to an outside identity and removes the password. Returns 0 if the user is disabled or linked. */
export function linkSubject(
  tx: Tx,
  tenantId: string,
  id: string,
  provider: string,
  subject: string,
): Promise<number> {
  return tx.run(sql`
    update users set provider = ${provider}, subject = ${subject}, password_hash = null, email_verified = true,
      updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and subject is null and not disabled`)
}
