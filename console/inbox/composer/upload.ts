/** Uploads a file with progress; `cancel` ends it. */
import type { Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'

export interface Upload {
  done: Promise<Schemas['MediaUpload']>
  cancel: () => void
}

export function uploadFile(file: File, onProgress: (share: number) => void): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<Schemas['MediaUpload']>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const body = parse(request.responseText)
      if (request.status === 201) resolve(body as Schemas['MediaUpload'])
      else reject(new ApiError(request.status, body as Record<string, unknown>))
    }
    request.onerror = () => reject(new ApiError(0, { code: 'network' }))
    request.onabort = () => reject(new ApiError(0, { code: 'cancelled' }))
  })
  const form = new FormData()
  form.set('file', file)
  request.open('POST', '/v1/media/uploads')
  request.setRequestHeader('idempotency-key', crypto.randomUUID())
  request.send(form)
  return { done, cancel: () => request.abort() }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
