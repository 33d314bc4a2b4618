/** A failed request: the members of the problem that the API returned, or `network` without a response. */
export interface Violation {
  field: string
  code: string
  message: string
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly violations: readonly Violation[]
  readonly retryAfterSeconds: number | undefined
  /** Members that only this kind of problem has. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(status: number, body: Record<string, unknown>, retryAfterSeconds?: number) {
    const { code, title, detail, requestId, violations, ...members } = body
    super(String(title ?? detail ?? status))
    this.status = status
    this.code = String(code ?? 'unknown')
    this.requestId = requestId === undefined ? undefined : String(requestId)
    this.violations = Array.isArray(violations) ? (violations as Violation[]) : []
    this.retryAfterSeconds = retryAfterSeconds
    this.members = members
  }

  static from(error: unknown): ApiError {
    if (error instanceof ApiError) return error
    return new ApiError(0, { code: 'network', title: error instanceof Error ? error.message : String(error) })
  }

  /** Whether the same request may succeed later: no response, overload, or the service restarts. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500
  }
}
