/** One of the four parts of the editor, with the problems that the service reported for it. */
import { type ReactNode, useId } from 'react'
import type { Violation } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { ErrorIcon } from '../../ui/controls/icons.tsx'
import styles from '../campaigns.module.css'
import { texts } from './texts.ts'

export const parts = ['who', 'from', 'what', 'when'] as const
export type PartId = (typeof parts)[number]

/** Returns the part in which the field is edited. */
export function toPart({ field }: Violation): PartId {
  if (field === 'segmentId') return 'who'
  if (field === 'inboxId' || field === 'sendRate') return 'from'
  return field === 'sendAt' ? 'when' : 'what'
}

/** Violations of required fields have texts of ours; others name the place and the reason. */
function describeViolation(violation: Violation): string {
  const { field, code } = violation
  const own = code === 'required' ? texts().missing[field] : undefined
  return own ?? `${field}: ${t.describeReason(violation)}`
}

interface PartProps {
  id: PartId
  violations: readonly Violation[]
  children: ReactNode
}

export function Part({ id, violations, children }: PartProps) {
  const headingId = useId()
  const own = violations.filter(violation => toPart(violation) === id)
  return (
    <section className={styles.part} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading} tabIndex={-1} data-part={id}>
        {texts()[id]}
      </h2>
      {own.map(violation => (
        <p key={`${violation.field} ${violation.message}`} className={styles.error} role="alert">
          <ErrorIcon />
          {describeViolation(violation)}
        </p>
      ))}
      {children}
    </section>
  )
}
