/** Modal dialogs and side sheets. The focus returns to the opener when they close. */
import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../controls/button.tsx'
import { CloseIcon } from '../controls/icons.tsx'
import { useReturnedFocus } from '../focus/use-returned-focus.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './overlay.module.css'

interface DialogProps {
  title: string
  description?: string
  open: boolean
  /** Undefined: the user must decide, and neither Escape nor a button closes the dialog. */
  onClose?: (() => void) | undefined
  children: ReactNode
  sheet?: boolean
  /** As wide as the window allows, for drawings. */
  wide?: boolean
}

/** Focuses the first field, otherwise the dialog itself: the close button would show its tooltip. */
function focusContent(event: Event): void {
  event.preventDefault()
  const dialog = event.currentTarget as HTMLElement
  ;(dialog.querySelector<HTMLElement>('input:not([type=file]), textarea, select') ?? dialog).focus()
}

export function Dialog({ title, description, open, onClose, children, sheet, wide }: DialogProps) {
  const focus = useReturnedFocus(focusContent)
  return (
    <Radix.Root open={open} onOpenChange={isOpen => !isOpen && onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.backdrop} />
        <Radix.Content
          className={classNames(sheet ? styles.sheet : styles.dialog, wide && styles.wide)}
          {...focus}
          data-focus="container"
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className={styles.header}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            {onClose && (
              <Radix.Close asChild>
                <IconButton icon={CloseIcon} label={t.close} keys="escape" />
              </Radix.Close>
            )}
          </div>
          {description && <Radix.Description className={styles.hidden}>{description}</Radix.Description>}
          <div className={styles.body}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
