import { type RefObject, useRef } from 'react'
import { useStore } from '../../app/store.ts'
import { usePublishedHeight } from '../../app/use-published-height.ts'
import { t } from '../../i18n/i18n.ts'
import type { Find } from '../focus/nearest-control.ts'
import { rememberPlace } from '../focus/places.ts'
import { useKeptFocus } from '../focus/use-kept-focus.ts'
import styles from './toast.module.css'
import { type Toast, toasts } from './toasts.ts'

export function Toasts() {
  const all = useStore(toasts)
  const region = usePublishedHeight<HTMLElement>('--toasts')
  const origin = useRef<Find>(undefined)
  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={t.notifications}
      aria-live="polite"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) origin.current = rememberPlace(relatedTarget)
      }}
    >
      {all.map(toast => (
        <ToastView key={toast.id} toast={toast} origin={origin} />
      ))}
    </section>
  )
}

/** The focus returns to where it was before it came to the messages. */
function ToastView({
  toast: { text, action, tone },
  origin,
}: {
  toast: Toast
  origin: RefObject<Find | undefined>
}) {
  return (
    <div
      ref={useKeptFocus<HTMLDivElement>(origin)}
      className={styles.toast}
      role={tone === 'danger' ? 'alert' : undefined}
    >
      <span>{text}</span>
      {action && (
        <button type="button" className={styles.action} onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  )
}
