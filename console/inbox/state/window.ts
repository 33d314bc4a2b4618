/** The messaging window of the open conversation: until when free-form messages are allowed, and what may be sent. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { onFrames } from '../../api/realtime.ts'

export type Window = Schemas['Window']

const recheckMs = 20_000

interface Shown {
  id: string
  contactId: string
  lastMessageAt: string
}

/** Asks again after each message of the customer, after a change of the contact, when the window ends, and regularly. */
export function useWindow({ id, contactId, lastMessageAt }: Shown): Window | undefined {
  const [window, setWindow] = useState<Window>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message changes the window
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isStopped = false
    const load = async () => {
      clearTimeout(timer)
      const params = { path: { id } }
      const found = await call(api.GET('/conversations/{id}', { params })).catch(() => undefined)
      if (isStopped) return
      if (found) setWindow(found.window)
      const leftMs = found?.window.expiresAt ? Date.parse(found.window.expiresAt) - Date.now() : recheckMs
      timer = setTimeout(load, Math.min(recheckMs, Math.max(1_000, leftMs)))
    }
    void load()
    addEventListener('focus', load)
    // An opt-out is a change of the contact.
    const stop = onFrames(frames => {
      if (frames.some(({ type, data }) => type.startsWith('contact.') && data.contact?.id === contactId))
        void load()
    })
    return () => {
      isStopped = true
      stop()
      clearTimeout(timer)
      removeEventListener('focus', load)
    }
  }, [id, contactId, lastMessageAt])
  return window
}
