/** A picture that can be uploaded and removed, with the reason if the service refuses the file. */
import { useRef, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { screenTexts } from '../../i18n/i18n.ts'
import { Button } from '../controls/button.tsx'
import { LeavingButton } from '../focus/leaving-button.tsx'
import { describe } from '../layout/state-view.tsx'
import { Avatar } from './avatar.tsx'
import styles from './picture-field.module.css'

const en = {
  upload: (label: string) => `Upload ${label}`,
  remove: (label: string) => `Remove ${label}`,
  hint: 'PNG or JPEG, at most 5 MB. Its middle is shown as a square.',
  invalid: 'This file is not a complete PNG or JPEG, or has too many pixels.',
}
const de: typeof en = {
  upload: label => `${label} hochladen`,
  remove: label => `${label} entfernen`,
  hint: 'PNG oder JPEG, höchstens 5 MB. Die Mitte wird als Quadrat gezeigt.',
  invalid: 'Diese Datei ist kein vollständiges PNG oder JPEG oder hat zu viele Bildpunkte.',
}
const texts = screenTexts(en, de)

interface PictureFieldProps {
  label: string
  /** Whose picture it is, for the initials without one. */
  name: string
  url: string | null
  onUpload: (form: FormData) => Promise<unknown>
  onRemove: () => Promise<unknown>
}

const invalidCodes = ['validation_failed', 'unsupported_media_type']

export function PictureField({ label, name, url, onUpload, onRemove }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiError>()
  const run = async (change: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    await change().catch(error => setProblem(ApiError.from(error)))
    setBusy(false)
  }
  const choose = (file: File | undefined) => {
    if (!file) return
    const form = new FormData()
    form.append('file', file, file.name)
    void run(() => onUpload(form))
  }
  return (
    <div className={styles.field}>
      <Avatar name={name} url={url} />
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg"
        hidden
        aria-label={label}
        onChange={event => {
          choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Button busy={isBusy} onClick={() => input.current?.click()}>
        {texts().upload(label)}
      </Button>
      {url?.startsWith('/v1/pictures/') && (
        <LeavingButton look="plain" disabled={isBusy} onClick={() => void run(onRemove)}>
          {texts().remove(label)}
        </LeavingButton>
      )}
      <p className={styles.hint}>{texts().hint}</p>
      {problem && (
        <p className={styles.error} role="alert">
          {invalidCodes.includes(problem.code) ? texts().invalid : describe(problem)}
        </p>
      )}
    </div>
  )
}

/** How the client sends a form. */
export const asForm = (form: FormData) => ({ body: form as never, bodySerializer: () => form })
