/** Labelled form controls. The hint and the error are connected to the control for screen readers. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../styles/class-names.ts'
import styles from './field.module.css'
import { ErrorIcon } from './icons.tsx'

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

function useField({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return {
    id,
    className: styles.input,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
  }
}

function Frame({ id, label, hint, error, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <ErrorIcon />
          {error}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function TextField({
  label,
  hint,
  error,
  trailing,
  ...props
}: FieldProps & ComponentProps<'input'> & { trailing?: ReactNode }) {
  const control = useField({ hint, error })
  return (
    <Frame id={control.id} label={label} hint={hint} error={error}>
      <div className={styles.control}>
        <input
          {...props}
          {...control}
          className={classNames(styles.input, trailing !== undefined && styles.padded)}
        />
        {trailing && <div className={styles.trailing}>{trailing}</div>}
      </div>
    </Frame>
  )
}

export function TextArea({ label, hint, error, ...props }: FieldProps & ComponentProps<'textarea'>) {
  const control = useField({ hint, error })
  return (
    <Frame id={control.id} label={label} hint={hint} error={error}>
      <textarea {...props} {...control} />
    </Frame>
  )
}

/** A native select: its list works on phones and under a strict content policy. */
export function Select({ label, hint, error, ...props }: FieldProps & ComponentProps<'select'>) {
  const control = useField({ hint, error })
  return (
    <Frame id={control.id} label={label} hint={hint} error={error}>
      <select {...props} {...control} />
    </Frame>
  )
}

export function Checkbox({ label, ...props }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className={styles.choice}>
      <input type="checkbox" {...props} />
      {label}
    </label>
  )
}
