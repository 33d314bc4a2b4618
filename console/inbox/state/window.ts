/** The messaging window of the open conversation: until when free-form messages are allowed, and what may be sent. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'

export type Window = Schemas['Window']

const recheckMs = 20_000

/** Asks again after each message of the customer, when the window ends, and regularly. */
export function useWindow(conversationId: string, lastMessageAt: string): Window | undefined {
  const [window, setWindow] = useState<Window>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message changes the window
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isStopped = false
    const load = async () => {
      clearTimeout(timer)
      const params = { path: { id: conversationId } }
      const found = await call(api.GET('/conversations/{id}', { params })).catch(() => undefined)
      if (isStopped) return
      if (found) setWindow(found.window)
      const leftMs = found?.window.expiresAt ? Date.parse(found.window.expiresAt) - Date.now() : recheckMs
      timer = setTimeout(load, Math.min(recheckMs, Math.max(1_000, leftMs)))
    }
    void load()
    addEventListener('focus', load)
    return () => {
      isStopped = true
      clearTimeout(timer)
      removeEventListener('focus', load)
    }
  }, [conversationId, lastMessageAt])
  return window
}
