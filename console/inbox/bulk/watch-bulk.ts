/** Waits for updates of bulk actions: frames about them or, without a connection, the time to read them again. */
import { connection, type Frame, onFrames } from '../../api/realtime.ts'

const pollMs = 1_000

/** The kinds of the frames `changed` about bulk actions on conversations and on contacts. */
export type BulkKind = 'bulk' | 'contact_bulk'

interface BulkNews {
  /** Resolves after the next update; immediately if there was one since the last call. */
  next(): Promise<void>
  stop(): void
}

export function watchBulk(kind: BulkKind, ids: readonly string[]): BulkNews {
  let isNew = false
  let wake = () => {}
  const notice = () => {
    isNew = true
    wake()
  }
  const isAbout = ({ type, data }: Frame) =>
    type === 'resync' || (type === 'changed' && data.kind === kind && ids.includes(data.id))
  const stopFrames = onFrames(frames => {
    if (frames.some(isAbout)) notice()
  })
  // Progress that was made without a connection is not sent again.
  const stopConnection = connection.subscribe(notice)
  return {
    next: async () => {
      if (!isNew)
        await new Promise<void>(resolve => {
          wake = resolve
          if (connection.get() !== 'live') setTimeout(resolve, pollMs)
        })
      isNew = false
    },
    stop: () => {
      stopFrames()
      stopConnection()
    },
  }
}
