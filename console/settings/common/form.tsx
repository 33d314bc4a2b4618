/** Forms of the settings: they stay open with the reason if the service refuses them. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import styles from '../settings.module.css'
import { findViolation } from './tasks.ts'

interface FormProps {
  onSubmit: () => Promise<unknown>
  children: (problem: ApiError | undefined) => ReactNode
  /** Fields that show their violations themselves. */
  fields?: readonly string[]
  /** Sentences for codes that the general texts do not explain. */
  explain?: Readonly<Record<string, string>>
  submitLabel?: string
  danger?: boolean
  onCancel?: () => void
  cancelLabel?: string
  isDisabled?: boolean
}

export function Form({
  onSubmit,
  children,
  fields = [],
  explain = {},
  submitLabel,
  danger,
  onCancel,
  cancelLabel,
  isDisabled,
}: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiError>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isDisabled) return
    setBusy(true)
    setProblem(undefined)
    try {
      await onSubmit()
    } catch (error) {
      setProblem(ApiError.from(error))
    }
    setBusy(false)
  }
  const isShownAtField = fields.some(field => findViolation(problem, field) !== undefined)
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      {children(problem)}
      {problem && !isShownAtField && (
        <p className={styles.error} role="alert">
          {explain[problem.code] ?? describeAll(problem)}
        </p>
      )}
      <div className={styles.actions}>
        {onCancel && <Button onClick={onCancel}>{cancelLabel ?? t.cancel}</Button>}
        <Button
          look={danger ? 'danger' : 'primary'}
          type="submit"
          busy={isBusy}
          disabled={isDisabled ?? false}
        >
          {submitLabel ?? t.save}
        </Button>
      </div>
    </form>
  )
}

/** Violations of fields that the form does not have are listed below it. */
function describeAll(problem: ApiError): string {
  const [first] = problem.violations
  return first ? `${first.field}: ${t.describeReason(first)}` : describe(problem)
}

type FormDialogProps = FormProps & { title: string; onClose: () => void }

/** A form in a dialog, which closes after success. */
export function FormDialog({ title, onClose, onSubmit, ...form }: FormDialogProps) {
  const submit = async () => {
    await onSubmit()
    onClose()
  }
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form {...form} onSubmit={submit} onCancel={onClose} />
    </Dialog>
  )
}
