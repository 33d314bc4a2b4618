/** The frame of the forms before a session exists. */
import type { ReactNode } from 'react'
import { t } from '../i18n/i18n.ts'
import { ErrorIcon, InfoIcon } from '../ui/controls/icons.tsx'
import styles from './sign-in.module.css'

export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M8 11a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-5l-5 4v-4a3 3 0 0 1-3-3z"
        fill="var(--on-accent)"
      />
    </svg>
  )
}

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Logo />
          {t.product}
        </p>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </main>
  )
}

export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className={styles.notice} role="status">
      <InfoIcon />
      {children}
    </p>
  )
}

/** Announced when it appears. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <p className={styles.error} role="alert">
      <ErrorIcon />
      <span>{children}</span>
    </p>
  )
}
