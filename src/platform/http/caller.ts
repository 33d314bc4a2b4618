/** Who is asking. Made by the identity domain from a bearer token; everything below only reads it. */
export const roles = ['owner', 'admin', 'agent'] as const
export type Role = (typeof roles)[number]
export type Scope = string

export interface Caller {
  readonly tenantId: string
  /** `usr_…` or `svc_…` */
  readonly id: string
  readonly kind: 'user' | 'service'
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  readonly teamIds: readonly string[]
}

/** Gives the caller behind a bearer token, or nothing when the token is not valid (any more). */
export type Authenticate = (token: string) => Promise<Caller | undefined>
