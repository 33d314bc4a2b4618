/** Where the log is scrolled to: at the end while the user is there, or at the entry that was jumped to. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { loadNewer, loadThread, showNewest, type Thread } from '../state/thread-entries.ts'
import styles from './thread.module.css'

const loadMorePx = 600
const nearEndPx = 80

export function useScroll(
  conversationId: string,
  thread: Thread,
  pendingCount: number,
  { target, onShown }: { target: string | undefined; onShown: () => void },
) {
  const handle = useRef<VListHandle>(null)
  const { entries, nextPageToken, isLoading, hasNewer } = thread
  const targetIndex = target ? entries.findIndex(({ id }) => id === target) : -1
  const [isAtEnd, setAtEnd] = useState(targetIndex < 0)
  const [highlighted, setHighlighted] = useState<string>()
  const count = entries.length + pendingCount
  const isFollowing = isAtEnd && !hasNewer
  const toEnd = () => handle.current?.scrollToIndex(count, { align: 'end' })
  const isPrepending = usePrepending(entries[0]?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the end when messages are added
  useLayoutEffect(() => {
    if (isFollowing) toEnd()
  }, [count])
  useEndOnResize(isFollowing, toEnd)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each target, as soon as it is loaded
  useEffect(() => {
    if (!target || targetIndex < 0) return
    setAtEnd(false)
    setHighlighted(target)
    handle.current?.scrollToIndex(targetIndex, { align: 'center' })
    focusEntry(target)
    onShown()
  }, [target, targetIndex >= 0])
  const onScroll = (offset: number) => {
    const list = handle.current
    if (!list) return
    const leftPx = list.scrollSize - offset - list.viewportSize
    setAtEnd(leftPx <= nearEndPx)
    if (isLoading) return
    if (offset < loadMorePx && nextPageToken) void loadThread(conversationId)
    else if (leftPx < loadMorePx && hasNewer) void loadNewer(conversationId)
  }
  const showEnd = () => (hasNewer ? showNewest(conversationId) : toEnd())
  return { handle, isAtEnd, isPrepending, highlighted, toEnd: showEnd, onScroll }
}

/** Whether this render adds entries above the former first one. */
function usePrepending(firstId: string | undefined): boolean {
  const previous = useRef(firstId)
  const isPrepending = previous.current !== firstId && previous.current !== undefined
  useLayoutEffect(() => {
    previous.current = firstId
  })
  return isPrepending
}

/** The composer below grows and shrinks the log. */
function useEndOnResize(isFollowing: boolean, toEnd: () => void): void {
  const latest = useRef({ isFollowing, toEnd })
  latest.current = { isFollowing, toEnd }
  useEffect(() => {
    const element = document.querySelector(`.${styles.log}`)
    if (!element) return
    const observer = new ResizeObserver(() => latest.current.isFollowing && latest.current.toEnd())
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
}

/** The list renders the entry some frames after it was scrolled to. */
function focusEntry(id: string, attempts = 20): void {
  const element = document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`)
  if (element) element.focus({ preventScroll: true })
  else if (attempts > 0) requestAnimationFrame(() => focusEntry(id, attempts - 1))
}
