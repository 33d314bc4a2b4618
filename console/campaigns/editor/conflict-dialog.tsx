import type { Schemas } from '../../api/client.ts'
import { formatTime } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from '../campaigns.module.css'
import { texts } from './texts.ts'
import type { Draft, DraftField } from './use-draft.ts'

const isSame = (a: Schemas['Campaign'], b: Schemas['Campaign'], field: DraftField) =>
  JSON.stringify(a[field]) === JSON.stringify(b[field])

/** Shown when someone else has saved the draft meanwhile. Parts that only one side changed are kept from that side. */
export function ConflictDialog({ draft }: { draft: Draft }) {
  const { conflict, saved, touched, resolve } = draft
  if (!conflict) return null
  const both = touched.filter(field => !isSame(conflict, saved, field))
  const time = formatTime(conflict.updatedAt)
  return (
    <Dialog title={texts().conflict} open onClose={() => resolve(true)}>
      <p>{both.length > 0 ? texts().conflictHint(time) : texts().conflictNone(time)}</p>
      <ul className={styles.list}>
        {both.map(field => (
          <li key={field}>{texts().fields[field]}</li>
        ))}
      </ul>
      <p className={styles.muted}>{texts().mineHint}</p>
      <div className={styles.actions}>
        <Button onClick={() => resolve(false)}>{texts().theirs}</Button>
        <Button look="primary" onClick={() => resolve(true)}>
          {texts().mine}
        </Button>
      </div>
    </Dialog>
  )
}
