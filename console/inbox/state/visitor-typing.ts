/** Tracks whether the visitor of a web chat is typing. The state expires, because the frame that ends it may be lost. */
import { useEffect, useState } from 'react'
import { onFrames } from '../../api/realtime.ts'

/** Widgets repeat the report every few seconds. */
const ttlMs = 6_000

export function useVisitorTyping(conversationId: string): boolean {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const set = (value: boolean) => {
      clearTimeout(timer)
      setTyping(value)
      if (value) timer = setTimeout(() => setTyping(false), ttlMs)
    }
    const stop = onFrames(frames => {
      for (const { type, data } of frames) {
        if (type === 'visitor_typing' && data.conversationId === conversationId) set(data.isTyping)
        if (type === 'message.created' && data.message.conversationId === conversationId) set(false)
      }
    })
    return () => {
      stop()
      set(false)
    }
  }, [conversationId])
  return isTyping
}
