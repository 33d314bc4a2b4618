import { useStore } from '../app/store.ts'
import { usePublishedHeight } from '../app/use-published-height.ts'
import { t } from '../i18n/i18n.ts'
import styles from './toast.module.css'
import { toasts } from './toasts.ts'

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
      {all.map(({ id, text, action, tone }) => (
        <div key={id} className={styles.toast} role={tone === 'danger' ? 'alert' : undefined}>
          <span>{text}</span>
          {action && (
            <button type="button" className={styles.action} onClick={action.run}>
              {action.label}
            </button>
          )}
        </div>
      ))}
    </section>
  )
}
