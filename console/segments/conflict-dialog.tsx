/** Asks which version to keep after a colleague has saved another one. */
import { useActorName } from '../app/actor-name.ts'
import { formatAgo } from '../i18n/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { describeFilter } from './filter/describe-filter.ts'
import type { ReferenceLists } from './filter/references.ts'
import { mergeDrafts } from './merge-drafts.ts'
import styles from './segments.module.css'
import { texts } from './texts.ts'
import { type Draft, type Segment, toDraft } from './use-segment.ts'

interface ConflictDialogProps {
  /** The version that both changed. */
  base: Segment
  theirs: Segment
  mine: Draft
  lists: ReferenceLists
  onTheirs: () => void
  onMine: () => void
  onBoth: (both: Draft) => void
  onClose: () => void
}

interface Version {
  title: string
  version: Pick<Segment, 'name' | 'description' | 'filter'>
  action: string
  run: () => void
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { base, theirs, mine, lists, onTheirs, onMine, onBoth, onClose } = props
  const both = mergeDrafts(toDraft(base), toDraft(theirs), mine)
  const versions: Version[] = [
    { title: texts().theirs, version: theirs, action: texts().keepTheirs, run: onTheirs },
    { title: texts().mine, version: mine, action: texts().keepMine, run: onMine },
    ...(both
      ? [{ title: texts().both, version: both, action: texts().keepBoth, run: () => onBoth(both) }]
      : []),
  ]
  const who = useActorName(theirs.updatedBy) ?? texts().someone
  return (
    <Dialog title={texts().conflict} open onClose={onClose}>
      <p>{texts().conflictHint(who, formatAgo(theirs.updatedAt))}</p>
      <div className={styles.versions}>
        {versions.map(({ title, version: { name, description, filter }, action, run }) => (
          <section key={title} className={styles.stack} aria-label={title}>
            <h3>{title}</h3>
            <p>{name}</p>
            {description && <p className={styles.muted}>{description}</p>}
            <p>{describeFilter(filter, lists)}</p>
            <Button
              onClick={() => {
                onClose()
                run()
              }}
            >
              {action}
            </Button>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
