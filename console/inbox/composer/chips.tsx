/** Shows the quoted message and the file that will be sent with the text. */
import { useRef } from 'react'
import { t } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { AttachIcon, CloseIcon } from '../../ui/controls/icons.tsx'
import type { Message } from '../state/thread-entries.ts'
import { toPlainText } from '../thread/messages/to-plain-text.ts'
import styles from './composer.module.css'
import type { Attachment } from './use-attachments.ts'

export function QuoteChip({ message, onRemove }: { message: Message; onRemove: () => void }) {
  return (
    <div className={styles.chip}>
      <span>{toPlainText(message.content) || t.message}</span>
      <IconButton icon={CloseIcon} label={t.removeQuote} onClick={onRemove} />
    </div>
  )
}

export function AttachmentChip({ attachment, onRemove }: { attachment: Attachment; onRemove: () => void }) {
  const { name, progress, mediaId } = attachment
  return (
    <div className={styles.chip}>
      <span>{name}</span>
      {!mediaId && <progress className={styles.progress} value={progress} aria-label={t.uploading(name)} />}
      <IconButton icon={CloseIcon} label={t.removeFile} onClick={onRemove} />
    </div>
  )
}

interface AttachButtonProps {
  label?: string
  isDisabled?: boolean
  /** The types that the list of files begins with. */
  accept?: string
  /** With its label beside the icon. */
  isNamed?: boolean
  onFile: (file: File) => void
}

export function AttachButton({
  label = t.attachFile,
  isDisabled = false,
  accept,
  isNamed,
  onFile,
}: AttachButtonProps) {
  const open = () => input.current?.click()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        className={styles.file}
        aria-hidden="true"
        tabIndex={-1}
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
      {isNamed ? (
        <Button icon={AttachIcon} disabled={isDisabled} onClick={open}>
          {label}
        </Button>
      ) : (
        <IconButton icon={AttachIcon} label={label} disabled={isDisabled} onClick={open} />
      )}
    </>
  )
}
