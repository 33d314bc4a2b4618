import { useActorName } from '../../app/actor-name.ts'
import { formatAgo } from '../../i18n/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import styles from '../campaigns.module.css'
import { texts } from './texts.ts'
import { type Draft, listChanges } from './use-draft.ts'

/** Shown when someone else has saved the draft meanwhile. Lists the parts that either changed. */
export function ConflictDialog({ draft }: { draft: Draft }) {
  const { conflict, saved, touched, resolve } = draft
  const who = useActorName(conflict?.updatedBy) ?? texts().someone
  if (!conflict) return null
  const theirs = listChanges(saved, conflict)
  const shared = touched.filter(field => theirs.includes(field))
  const onlyMine = touched.filter(field => !theirs.includes(field))
  const onlyTheirs = theirs.filter(field => !touched.includes(field))
  const groups = [
    { label: texts().changedByBoth, fields: shared },
    { label: texts().changedBy(who), fields: onlyTheirs },
    { label: texts().changedByYou, fields: onlyMine },
  ].filter(({ fields }) => fields.length > 0)
  return (
    <Dialog title={texts().conflict} open onClose={() => resolve('both')}>
      <p>{texts().conflictHint(who, formatAgo(conflict.updatedAt))}</p>
      <dl className={styles.facts}>
        {groups.map(({ label, fields }) => [
          <dt key={label}>{label}</dt>,
          <dd key={`${label} fields`}>{fields.map(field => texts().fields[field]).join(', ')}</dd>,
        ])}
      </dl>
      {shared.length > 0 && onlyTheirs.length > 0 && <p className={styles.muted}>{texts().bothHint}</p>}
      <div className={styles.actions}>
        <Button onClick={() => resolve('theirs')}>{texts().theirs}</Button>
        <Button look={onlyTheirs.length > 0 ? undefined : 'primary'} onClick={() => resolve('mine')}>
          {texts().mine}
        </Button>
        {onlyTheirs.length > 0 && (
          <Button look="primary" onClick={() => resolve('both')}>
            {texts().both}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
