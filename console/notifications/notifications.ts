/** The user's notifications: read once after signing in, then changed by frames, in all tabs alike. */
import { api, call, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { type Frame, onFrames } from '../api/realtime.ts'
import { createStore } from '../app/store.ts'
import { loadByIds } from '../inbox/state/conversations.ts'
import { describe } from '../ui/layout/state-view.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import { alertUser } from './alerts.ts'

export type Notification = Schemas['Notification']

interface Notifications {
  items: readonly Notification[]
  unreadCount: number
  nextPageToken: string | undefined
  isLoaded: boolean
  error: ApiError | undefined
}

const nothing: Notifications = {
  items: [],
  unreadCount: 0,
  nextPageToken: undefined,
  isLoaded: false,
  error: undefined,
}
const pageSize = 30

export const notifications = createStore<Notifications>(nothing)

const change = (values: Partial<Notifications>) => notifications.update(all => ({ ...all, ...values }))

/** Loads the newest notifications, or older ones. */
export async function loadNotifications(pageToken?: string): Promise<void> {
  try {
    const query = { pageSize, ...(pageToken ? { pageToken } : {}) }
    const page = await call(api.GET('/notifications', { params: { query } }))
    const earlier = pageToken ? notifications.get().items : []
    const known = new Set(earlier.map(({ id }) => id))
    change({
      items: [...earlier, ...page.notifications.filter(({ id }) => !known.has(id))],
      unreadCount: page.unreadCount,
      nextPageToken: page.nextPageToken ?? undefined,
      isLoaded: true,
      error: undefined,
    })
    loadByIds(page.notifications.map(({ conversationId }) => conversationId))
  } catch (error) {
    change({ error: ApiError.from(error) })
  }
}

/** Adds a notification, or the message that an unread one counts now. */
function receive(notification: Notification): void {
  const { items, unreadCount } = notifications.get()
  const others = items.filter(({ id }) => id !== notification.id)
  const isNew = others.length === items.length && notification.count === 1
  change({ items: [notification, ...others], unreadCount: unreadCount + Number(isNew) })
  loadByIds([notification.conversationId])
  alertUser(notification)
}

function markRead(ids: readonly string[]): void {
  const { items, unreadCount } = notifications.get()
  const read = new Set(ids)
  const count = items.filter(({ id, readAt }) => readAt === null && read.has(id)).length
  const readAt = new Date().toISOString()
  change({
    items: items.map(item => (read.has(item.id) && item.readAt === null ? { ...item, readAt } : item)),
    unreadCount: Math.max(0, unreadCount - count),
  })
}

/** Marks notifications as read, all of them without ids. */
export async function readNotifications(ids?: readonly string[]): Promise<void> {
  const before = notifications.get()
  markRead(ids ?? before.items.map(({ id }) => id))
  if (!ids) change({ unreadCount: 0 })
  try {
    await call(api.POST('/notifications/read', ids ? { body: { ids: [...ids] } } : {}))
  } catch (error) {
    notifications.set(before)
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

function apply(frames: readonly Frame[]): void {
  for (const { type, data } of frames) {
    if (type === 'notification') receive(data.notification)
    if (type === 'notifications_read') markRead(data.ids)
    if (type === 'resync') void loadNotifications()
  }
}

/** Follows the notifications while signed in; returns a function that stops. */
export function startNotifications(): () => void {
  const stop = onFrames(apply)
  void loadNotifications()
  return () => {
    stop()
    notifications.set(nothing)
  }
}
