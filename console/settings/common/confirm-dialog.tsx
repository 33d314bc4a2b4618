/** Asks before an action that cannot be undone, with its effects. */
import type { ReactNode } from 'react'
import { showToast } from '../../ui/overlays/toasts.ts'
import styles from '../settings.module.css'
import { FormDialog } from './form.tsx'

interface ConfirmDialogProps {
  title: string
  effects: readonly string[]
  confirmLabel: string
  /** Shown after success. */
  done?: string
  explain?: Readonly<Record<string, string>>
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

export function ConfirmDialog({
  title,
  effects,
  confirmLabel,
  done,
  explain,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const confirm = async () => {
    await onConfirm()
    if (done) showToast({ text: done })
  }
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      danger
      {...(explain ? { explain } : {})}
      onSubmit={confirm}
      onClose={onClose}
    >
      {() => (
        <>
          <ul className={styles.list}>
            {effects.map(effect => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
          {children}
        </>
      )}
    </FormDialog>
  )
}
