/**
 * The realtime connection of this tab. It resumes after the last received `seq`, so that no event is missed or applied
 * twice; frames are delivered in batches. A tab that stays hidden closes its connection and resumes later.
 */
import { createStore } from '../app/store.ts'
import { noticeBuild } from './client.ts'
import { loadSession } from './session.ts'

export interface Frame {
  type: string
  seq?: number
  // biome-ignore lint/suspicious/noExplicitAny: each kind of frame has its own data
  data: any
}

/** `live` after the first frame; `lost` while reconnecting. */
export const connection = createStore<'connecting' | 'live' | 'lost'>('connecting')

type FramesListener = (frames: readonly Frame[]) => void
const listeners = new Set<FramesListener>()

/** Receives frames in batches. A frame `resync` means that the state must be read again. */
export function onFrames(listener: FramesListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let sendNow: ((text: string) => void) | undefined

/** Sends a frame if the connection is open. After a reconnection, `hello` is the time to send states again. */
export function sendFrame(type: string, data: unknown): void {
  sendNow?.(JSON.stringify({ type, data }))
}

const maxDelayMs = 15_000
const hiddenMs = 5 * 60_000
const batchMs = 16

/** Connects until the returned function is called. Events after `firstSeq` are delivered, also those before the connection. */
export function startRealtime(firstSeq: number): () => void {
  let socket: WebSocket | undefined
  let seq = firstSeq
  let failures = 0
  let isStopped = false
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  let batch: Frame[] = []

  const flush = () => {
    const frames = batch
    batch = []
    for (const listener of listeners) listener(frames)
  }
  const receive = (frame: Frame) => {
    if (frame.type === 'hello') {
      failures = 0
      noticeBuild(frame.data.build)
      connection.set('live')
    }
    seq = toPosition(frame, seq)
    if (batch.length === 0) setTimeout(flush, batchMs)
    batch.push(frame)
  }
  const connect = () => {
    clearTimeout(reconnectTimer)
    if (isStopped || (socket && socket.readyState <= WebSocket.OPEN)) return
    socket = new WebSocket(toUrl(seq))
    socket.onmessage = ({ data }) => receive(JSON.parse(data) as Frame)
    socket.onclose = ({ code }) => {
      if (!isStopped) reconnect(code)
    }
  }
  const reconnect = (code: number) => {
    if (connection.get() === 'live') connection.set('lost')
    // The session has ended, here or in another tab that is about to say so.
    if (code === 4401) setTimeout(loadSession, 500)
    // A hidden tab connects when it is shown again.
    if (code !== 1000) scheduleReconnect(code === 4429 ? 30_000 : undefined)
  }
  const scheduleReconnect = (delayMs?: number) => {
    clearTimeout(reconnectTimer)
    reconnectTimer = setTimeout(connect, delayMs ?? toBackoff(failures++))
    connection.set('lost')
  }
  /** After a change of the network, an open socket may be dead without being closed. */
  const replace = () => {
    if (socket) {
      socket.onmessage = null
      socket.onclose = null
      closeQuietly(socket)
      socket = undefined
    }
    connect()
  }
  const stopListening = onPageChanges({
    onVisible: connect,
    onOnline: replace,
    onHiddenLong: () => {
      if (socket) closeQuietly(socket)
    },
  })
  sendNow = text => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(text)
  }
  connect()
  return () => {
    isStopped = true
    sendNow = undefined
    clearTimeout(reconnectTimer)
    stopListening()
    if (socket) closeQuietly(socket)
    connection.set('connecting')
  }
}

/** Closes a socket that is connecting when it is open: browsers report an error otherwise. */
function closeQuietly(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(1000)
  else socket.close(1000)
}

/** Follows the visibility of the tab and the state of the network; returns a function that stops. */
function onPageChanges({
  onVisible,
  onOnline,
  onHiddenLong,
}: Record<'onVisible' | 'onOnline' | 'onHiddenLong', () => void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onVisibility = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(onHiddenLong, hiddenMs)
    else onVisible()
  }
  const onOffline = () => connection.set('lost')
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', onOnline)
  addEventListener('offline', onOffline)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', onOnline)
    removeEventListener('offline', onOffline)
  }
}

function toBackoff(failures: number): number {
  return Math.min(maxDelayMs, 250 * 2 ** failures) * (0.75 + Math.random() / 2)
}

function toUrl(since: number): URL {
  const url = new URL('/v1/realtime', location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('since', String(since))
  return url
}

/** Returns the position in the event log after the frame. */
function toPosition({ type, seq, data }: Frame, before: number): number {
  return type === 'resync' ? data.seq : (seq ?? before)
}
