/** The states of a list other than its content: loading, empty and error. */
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../../api/errors.ts'
import { connection } from '../../api/realtime.ts'
import { t } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../controls/button.tsx'
import { CopyIcon } from '../controls/icons.tsx'
import { useKeptFocus } from '../focus/use-kept-focus.ts'
import { copyText } from '../overlays/toasts.ts'
import styles from './state-view.module.css'

/** Skeleton rows, visible only if loading takes longer than 150 ms. */
export function Loading({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label={t.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal
        <div key={row} className={styles.skeleton}>
          <span className={styles.circle} />
          <span className={styles.bar} />
        </div>
      ))}
    </div>
  )
}

/** A small drawing of an empty tray. */
function Picture() {
  return (
    <svg
      className={styles.picture}
      viewBox="0 0 64 64"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <path d="M8 38 15 16h34l7 22v12a4 4 0 0 1-4 4H12a4 4 0 0 1-4-4z" fill="var(--accent-subtle)" />
      <path d="M8 38h14l3 6h14l3-6h14" />
      <path d="M26 26h12M29 31h6" opacity=".5" />
    </svg>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <Picture />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const problem = ApiError.from(error)
  const { code, requestId } = problem
  useRetryWhenBack(problem.isTemporary, onRetry)
  return (
    <div ref={useKeptFocus<HTMLDivElement>()} className={styles.state} role="alert">
      <p className={styles.title}>{describe(problem)}</p>
      <p className={styles.code}>
        {code}
        {requestId && (
          <>
            {` · ${requestId}`}
            <IconButton
              icon={CopyIcon}
              label={t.copyRequestId}
              onClick={() => void copyText(requestId, t.requestIdCopied)}
            />
          </>
        )}
      </p>
      {onRetry && <Button onClick={onRetry}>{t.retry}</Button>}
    </div>
  )
}

/** Tries again when a lost connection is back, if the same request may succeed then. */
function useRetryWhenBack(isTemporary: boolean, onRetry: (() => void) | undefined): void {
  const retry = useRef(onRetry)
  retry.current = onRetry
  useEffect(() => {
    if (!isTemporary) return
    let before = connection.get()
    return connection.subscribe(() => {
      const now = connection.get()
      if (before === 'lost' && now === 'live') retry.current?.()
      before = now
    })
  }, [isTemporary])
}

/** Returns a sentence for the user about a failed request. */
/** Says why the first value was refused; otherwise what happened to the request. */
export function describeRefusal(problem: ApiError): string {
  const [first] = problem.violations
  return first ? t.describeReason(first) : describe(problem)
}

export function describe(problem: ApiError): string {
  if (problem.code === 'network') return t.networkError
  if (problem.status === 403) return t.forbidden
  if (problem.status === 404) return t.notFound
  if (problem.status >= 500) return t.serverError
  return t.problemTitles[problem.code] ?? problem.message
}
