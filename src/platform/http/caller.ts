/** The authenticated caller of a request. Created by the identity domain from a bearer token. */

/** The roles of callers. The identity domain augments this interface with one member per role. */
// biome-ignore lint/suspicious/noEmptyInterface: augmented by the domain that owns the roles
export interface RoleNames {}
export type Role = keyof RoleNames
export type Scope = string

export interface Caller {
  readonly tenantId: string
  /** `usr_…` or `svc_…` */
  readonly id: string
  readonly kind: 'user' | 'service'
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  readonly teamIds: readonly string[]
  /** The caller must set up a second factor first, and has no scopes until then. */
  readonly secondFactorMissing?: boolean
}

/** Returns the caller of a bearer token, or undefined if the token is invalid, expired or revoked. */
export type Authenticate = (token: string) => Promise<Caller | undefined>
