/** The file in the header of a template: uploaded with progress, and checked before and after for the kind that belongs there. */
import { useEffect, useId, useState } from 'react'
import { formatBytes } from '../i18n/format.ts'
import { AttachButton, AttachmentChip } from '../inbox/composer/chips.tsx'
import { useAttachments } from '../inbox/composer/use-attachments.ts'
import { ErrorIcon } from '../ui/controls/icons.tsx'
import type { FileFormat } from './fields.ts'
import styles from './templates.module.css'
import { texts } from './texts.ts'

const mebibyte = 1024 * 1024

/** The types that the channel supports; the service checks them again. */
const rules: Record<FileFormat, { maxMb: number; accept: string }> = {
  image: { maxMb: 5, accept: 'image/jpeg,image/png' },
  video: { maxMb: 16, accept: 'video/mp4,video/3gpp' },
  document: { maxMb: 100, accept: '.pdf,.txt,.csv,.doc,.docx,.xls,.xlsx,.ppt,.pptx' },
}

/** Returns why the file does not belong in the header. A browser does not know all types: an unknown one is left to the service. */
function findRefusal(file: File, format: FileFormat): string | undefined {
  const { maxMb, accept } = rules[format]
  const isOther =
    format === 'document' ? /^(image|video|audio)\//.test(file.type) : !accept.split(',').includes(file.type)
  if (file.type !== '' && isOther) return texts().wrongKinds[format]
  return file.size > maxMb * mebibyte ? texts().tooLarge(formatBytes(file.size), maxMb) : undefined
}

interface HeaderFileProps {
  /** Undefined while the template is not known. */
  format: FileFormat | undefined
  mediaId: string
  error?: string | undefined
  onChange: (mediaId: string) => void
}

export function HeaderFile({ format, mediaId, error, onChange }: HeaderFileProps) {
  const id = useId()
  const [failure, setFailure] = useState<string>()
  const { files, attach, remove } = useAttachments(mediaId === '' ? [] : [mediaId], setFailure)
  const file = files.at(-1)
  const isWrong = format !== undefined && file?.mediaType !== undefined && file.mediaType !== format
  const usable = isWrong ? '' : (file?.mediaId ?? '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the upload changes the file
  useEffect(() => {
    if (usable !== mediaId) onChange(usable)
  }, [usable])
  const choose = (chosen: File) => {
    const refusal = format && findRefusal(chosen, format)
    setFailure(refusal)
    if (refusal) return
    for (const { key } of files) remove(key)
    attach(chosen)
  }
  const message = isWrong ? texts().wrongKinds[format] : (failure ?? error)
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`} className={styles.file}>
      <span id={`${id}-label`} className={styles.label}>
        {format ? texts().files[format] : texts().anyFile}
      </span>
      {file && <AttachmentChip attachment={file} onRemove={() => remove(file.key)} />}
      <AttachButton
        isNamed
        label={file ? texts().replaceFile : texts().chooseFile}
        {...(format ? { accept: rules[format].accept } : {})}
        onFile={choose}
      />
      {message && (
        <p className={styles.error} role="alert">
          <ErrorIcon />
          {message}
        </p>
      )}
      <p id={`${id}-hint`} className={styles.muted}>
        {format && texts().fileHints[format]}
      </p>
    </div>
  )
}
