import { useStore } from '../app/store.ts'
import { usePublishedHeight } from '../app/use-published-height.ts'
import { t } from '../i18n/i18n.ts'
import { useKeptFocus } from './focus/use-kept-focus.ts'
import styles from './toast.module.css'
import { type Toast, toasts } from './toasts.ts'

export function Toasts() {
  const all = useStore(toasts)
  const region = usePublishedHeight<HTMLElement>('--toasts')
  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={t.notifications}
      aria-live="polite"
      aria-atomic="false"
    >
      {all.map(toast => (
        <Message key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function Message({ toast: { text, action, tone } }: { toast: Toast }) {
  return (
    <div
      ref={useKeptFocus<HTMLDivElement>()}
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
