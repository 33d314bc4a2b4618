/** The authenticated caller of a request. Created by the identity domain from a bearer token or a session cookie. */

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
  /** The auth session of a user who logged in here; undefined for API keys and tokens of an identity provider. */
  readonly sessionId?: string
  /** The API key of a service account. */
  readonly apiKeyId?: string
  /** Set when the session cookie was extended: the browser must keep it for this long. */
  readonly cookieSeconds?: number
  /** The caller must set up a second factor first, and has no scopes until then. */
  readonly secondFactorMissing?: boolean
}

/** A visitor of a website who chats. The domain of the web chat augments this interface with the facts about the visitor. */
export interface Visitor {
  readonly tenantId: string
  /** `wcv_…` */
  readonly id: string
}

/** Returns the visitor of a visitor token; undefined if the token is invalid or expired, or the inbox was deleted. */
export type AuthenticateVisitor = (token: string) => Promise<Visitor | undefined>

/**
 * Returns the caller of a bearer token or session cookie, or undefined if the token is invalid, expired or revoked. With
 * the address of a request, the use of an API key is recorded.
 */
export type Authenticate = (token: string, address?: string) => Promise<Caller | undefined>
