/** Files on their way to the service. */
import { type Api, ApiError } from './api.ts'
import type { Store, Upload } from './store.ts'

export class Uploads {
  readonly #store: Store
  readonly #api: Api
  readonly #ensureSession: () => Promise<void>
  readonly #controllers = new Map<string, AbortController>()
  #count = 0

  constructor(store: Store, api: Api, ensureSession: () => Promise<void>) {
    this.#store = store
    this.#api = api
    this.#ensureSession = ensureSession
  }

  /** Returns undefined if the file is too large, refused or cancelled; the reason is shown. */
  async upload(file: File): Promise<string | undefined> {
    const id = String(++this.#count)
    const limit = this.#store.state.config?.maxUploadBytes ?? Number.POSITIVE_INFINITY
    const isTooLarge = file.size > limit
    this.#put({ id, name: file.name, progress: 0, error: isTooLarge ? 'tooLarge' : null })
    if (isTooLarge) return undefined
    const controller = new AbortController()
    this.#controllers.set(id, controller)
    try {
      await this.#ensureSession()
      if (controller.signal.aborted) return undefined
      const report = (progress: number) => this.#put({ id, name: file.name, progress, error: null })
      const { mediaId } = await this.#api.upload(file, report, controller.signal)
      this.remove(id)
      return mediaId
    } catch (error) {
      // Too large for its type, or not of a type that is accepted.
      const isRefused = error instanceof ApiError && (error.status === 413 || error.status === 415)
      if (!controller.signal.aborted)
        this.#put({ id, name: file.name, progress: 0, error: isRefused ? 'refused' : 'failed' })
      return undefined
    }
  }

  /** Cancels the upload, or removes the notice of its failure. */
  remove(id: string): void {
    this.#controllers.get(id)?.abort()
    this.#controllers.delete(id)
    this.#store.set({ uploads: this.#store.state.uploads.filter(upload => upload.id !== id) })
  }

  #put(upload: Upload): void {
    const { uploads } = this.#store.state
    const isKnown = uploads.some(({ id }) => id === upload.id)
    this.#store.set({
      uploads: isKnown ? uploads.map(item => (item.id === upload.id ? upload : item)) : [...uploads, upload],
    })
  }
}
