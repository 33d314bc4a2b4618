/**
 * Sound and desktop notifications, as the user prefers. Of several tabs of a browser only the one that holds a lock gives
 * them; nothing is given for the conversation on the screen.
 */
import type { Schemas } from '../api/client.ts'
import { preferences } from '../app/preferences.ts'
import { t } from '../i18n/i18n.ts'
import { getConversation } from '../inbox/state/conversations.ts'
import { describeNotification } from './describe-notification.ts'

type Opener = (notification: Schemas['Notification']) => void

let open: Opener = () => {}
let isElected = false

/** Waits for the lock until the returned function is called. */
export function startAlerts(opener: Opener): () => void {
  open = opener
  const controller = new AbortController()
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  navigator.locks
    ?.request('parley.alerts', { signal: controller.signal }, () => {
      isElected = true
      return released
    })
    .catch(() => {})
  // Pages without locks are those on plain HTTP.
  isElected = navigator.locks === undefined
  return () => {
    isElected = false
    controller.abort()
    release()
  }
}

export function alertUser(notification: Schemas['Notification']): void {
  const isOnScreen = !document.hidden && location.pathname.endsWith(`/${notification.conversationId}`)
  if (!isElected || isOnScreen) return
  const { hasSound, hasDesktop } = preferences.get()
  if (hasSound) playSound()
  if (hasDesktop && canNotify()) showDesktop(notification)
}

export const canNotify = () => 'Notification' in window && Notification.permission === 'granted'

function showDesktop(notification: Schemas['Notification']): void {
  const name = getConversation(notification.conversationId)?.name
  // A later one about the same conversation replaces it.
  const shown = new Notification('Parley', {
    body: describeNotification(notification, name),
    tag: notification.conversationId,
    silent: true,
  })
  shown.onclick = () => {
    window.focus()
    open(notification)
    shown.close()
  }
}

/** Asks the browser for permission; returns whether it is given. */
export async function requestPermission(): Promise<boolean> {
  return 'Notification' in window && (await Notification.requestPermission()) === 'granted'
}

export function showTest(): void {
  if (preferences.get().hasSound) playSound()
  if (preferences.get().hasDesktop && canNotify())
    new Notification('Parley', { body: t.testNotification, silent: true })
}

let audio: AudioContext | undefined

/** Two short tones, synthesized: no file has to be loaded. */
function playSound(): void {
  audio ??= new AudioContext()
  const now = audio.currentTime
  for (const [position, frequency] of [660, 880].entries()) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    const at = now + position * 0.12
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, at)
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.2)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + 0.2)
  }
}
