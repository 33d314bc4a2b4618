/** Calls the API as the visitor. The token is kept in the frame's storage and sent in a header, never in an address. */
import type { Storage } from './storage.ts'
import type { ClaimKey, Config, Session } from './types.ts'
import type { Visit } from './visit.ts'

interface ProblemBody {
  code?: string
  detail?: string
  violations?: { field: string }[]
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly violations: { field: string }[]

  constructor(status: number, body: ProblemBody) {
    super(body.detail ?? `status ${status}`)
    this.status = status
    this.code = body.code ?? ''
    this.violations = body.violations ?? []
  }

  /** Whether the same request may succeed later. Status 0: there was no response. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

/** A connection that is dead without a sign must not hold back what follows. Every request may be repeated. */
const timeoutMs = 30_000

type Claims = Partial<Record<ClaimKey, string>>

export class Api {
  readonly #inboxKey: string
  readonly #storage: Storage
  /** The token of this tab: another tab may have become another visitor. */
  #token: string | null
  /** Describes the visit when a session is created. */
  visit: Visit = { locale: 'en', page: '', referrer: '' }

  readonly #onRefused: (code: string) => void

  constructor(inboxKey: string, storage: Storage, onRefused: (code: string) => void) {
    this.#inboxKey = inboxKey
    this.#storage = storage
    this.#onRefused = onRefused
    this.#token = storage.get('')
  }

  get token(): string | null {
    return this.#token
  }

  /** Forgets the visitor in this tab, and in the others unless they have another one by now. */
  dropToken(): void {
    if (this.#storage.get('') === this.#token) this.#storage.set('', null)
    this.#token = null
  }

  loadConfig(): Promise<Config> {
    return this.request('GET', `config?inboxKey=${encodeURIComponent(this.#inboxKey)}`)
  }

  /** Continues the visitor of the stored token, or creates one. Tabs that start together share the visitor. */
  openSession(claims?: Claims): Promise<Session> {
    const open = async (): Promise<Session> => {
      this.#token = this.#storage.get('')
      const { locale, page, referrer } = this.visit
      const { name, email } = claims ?? {}
      const body = {
        locale,
        ...(page && { page }),
        ...(referrer && { referrer }),
        ...(name && email && { contact: { name, email } }),
      }
      const path = `${encodeURIComponent(this.#inboxKey)}/sessions`
      const session = await this.request<Session>('POST', path, body)
      if (session.visitorToken) {
        this.#token = session.visitorToken
        this.#storage.set('', this.#token)
      }
      return session
    }
    return navigator.locks ? navigator.locks.request(this.#storage.toKey(''), open) : open()
  }

  async request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.#fetch(method, path, body)
    return (response.status === 204 ? undefined : await response.json()) as T
  }

  async loadTranscript(): Promise<Blob> {
    return (await this.#fetch('POST', 'transcript')).blob()
  }

  /** Uploads a file. `fetch` reports no progress of uploads. */
  upload(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<{ mediaId: string }> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('POST', '/v1/widget/uploads')
      request.setRequestHeader('authorization', `Bearer ${this.#token}`)
      request.responseType = 'json'
      request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
      request.onload = () => {
        if (request.status === 201) resolve(request.response)
        else reject(this.#toError(request.status, request.response ?? {}))
      }
      request.onerror = request.onabort = () => reject(new ApiError(0, {}))
      signal.addEventListener('abort', () => request.abort())
      const form = new FormData()
      form.append('file', file, file.name)
      request.send(form)
    })
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    const token = this.#token
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const init = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`/v1/widget/${path}`, init).catch(() => {
      throw new ApiError(0, {})
    })
    // The answer is for a visitor who has left.
    if (token && token !== this.#token) throw new ApiError(0, {})
    if (!response.ok) throw this.#toError(response.status, await response.json().catch(() => ({})))
    return response
  }

  #toError(status: number, body: ProblemBody): ApiError {
    if (status === 403 && body.code) this.#onRefused(body.code)
    return new ApiError(status, body)
  }
}
