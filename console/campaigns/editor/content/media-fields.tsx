/** A file with an optional caption. */
import { useEffect } from 'react'
import { AttachButton, AttachmentChip } from '../../../inbox/composer/chips.tsx'
import { useAttachments } from '../../../inbox/composer/use-attachments.ts'
import styles from '../../campaigns.module.css'
import { texts } from '../texts.ts'
import type { ContentDraft } from './content-draft.ts'
import { PlaceholderField } from './placeholder-field.tsx'

type Media = ContentDraft['media']

interface MediaFieldsProps {
  media: Media
  onChange: (media: Partial<Media>) => void
}

export function MediaFields({ media, onChange }: MediaFieldsProps) {
  const { files, attach, remove } = useAttachments(media.mediaId === '' ? [] : [media.mediaId])
  const file = files.at(-1)
  const mediaId = file?.mediaId ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the upload changes the file
  useEffect(() => {
    if (mediaId !== media.mediaId) onChange({ mediaId })
  }, [mediaId])
  const replace = (next: File) => {
    for (const { key } of files) remove(key)
    attach(next)
  }
  return (
    <>
      <div className={styles.row}>
        <AttachButton label={texts().chooseFile} onFile={replace} />
        {file ? <AttachmentChip attachment={file} onRemove={() => remove(file.key)} /> : texts().chooseFile}
      </div>
      <PlaceholderField
        label={texts().caption}
        rows={3}
        maxLength={1_024}
        value={media.caption}
        hint={texts().placeholderHint}
        onChange={caption => onChange({ caption })}
      />
    </>
  )
}
