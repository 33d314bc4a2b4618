/** The files that will be sent with the next message, each as a message of its own. */
import { useEffect, useRef, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { type Upload, uploadFile } from './upload.ts'

export interface Attachment {
  /** Of this list only. */
  key: string
  name: string
  /** Between 0 and 1 while it is uploaded. */
  progress: number
  /** Known when it is uploaded. */
  mediaId?: string
  mediaType?: Schemas['MediaUpload']['mediaType']
}

const maxFiles = 10

export interface Attachments {
  files: readonly Attachment[]
  attach: (file: File) => void
  /** Uses a file that the service has, such as one of a saved reply. */
  attachKnown: (mediaId: string) => void
  remove: (key: string) => void
  clear: () => void
}

const toKnown = (mediaId: string): Attachment => ({
  key: crypto.randomUUID(),
  name: t.file,
  progress: 1,
  mediaId,
})

const showFailure = (text: string): void => {
  showToast({ text, tone: 'danger' })
}

/** Begins with files that the service has, if some are given. */
export function useAttachments(initial: readonly string[] = [], onFailure = showFailure): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>(() => initial.map(toKnown))
  const uploads = useRef(new Map<string, Upload>())
  const add = (file: Attachment) => setFiles(before => [...before, file].slice(0, maxFiles))
  const change = (key: string, values: Partial<Attachment>) =>
    setFiles(before => before.map(file => (file.key === key ? { ...file, ...values } : file)))
  const remove = (key: string) => {
    uploads.current.get(key)?.cancel()
    uploads.current.delete(key)
    setFiles(before => before.filter(file => file.key !== key))
  }
  const attach = async (file: File) => {
    const [key, { name }] = [crypto.randomUUID(), file]
    add({ key, name, progress: 0 })
    const upload = uploadFile(file, progress => change(key, { progress }))
    uploads.current.set(key, upload)
    try {
      const { mediaId, mediaType } = await upload.done
      change(key, { progress: 1, mediaId, mediaType })
    } catch (error) {
      const problem = ApiError.from(error)
      if (problem.code === 'cancelled') return
      remove(key)
      onFailure(t.uploadFailed(name, describe(problem)))
    }
  }
  const loadName = async ({ key, mediaId }: Attachment) => {
    const params = { path: { mediaId: mediaId! } }
    const media = await call(api.GET('/media/{mediaId}', { params })).catch(() => undefined)
    if (media?.filename) change(key, { name: media.filename })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only those that were there at the beginning
  useEffect(() => {
    for (const file of files) void loadName(file)
  }, [])
  const attachKnown = (mediaId: string) => {
    const file = toKnown(mediaId)
    add(file)
    void loadName(file)
  }
  return {
    files,
    attach: file => void attach(file),
    attachKnown,
    remove,
    clear: () => {
      for (const { key } of files) remove(key)
    },
  }
}
