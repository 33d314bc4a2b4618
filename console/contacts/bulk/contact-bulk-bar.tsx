/** The actions on the selected contacts, and their progress. */
import { useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { keysOf } from '../../actions/shortcuts.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import styles from '../../inbox/bulk/bulk.module.css'
import { bulkProgress } from '../../inbox/bulk/follow-bulk.ts'
import { clearSelection, isSelecting, selectAllMatching, selection } from '../../inbox/bulk/selection.ts'
import type { Filter } from '../../segments/filter/conditions.ts'
import type { Field } from '../../segments/filter/references.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import {
  ArchiveIcon,
  CloseIcon,
  type Icon,
  JourneyIcon,
  PencilIcon,
  ReopenIcon,
  TagIcon,
  TrashIcon,
  UntagIcon,
} from '../../ui/controls/icons.tsx'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import { useRovingFocus } from '../../ui/focus/use-roving-focus.ts'
import { texts } from '../texts.ts'
import type { ContactRow } from '../use-contact-list.ts'
import { DeleteDialog, FieldDialog, JourneyPicker, TagPicker } from './bulk-dialogs.tsx'
import { type ContactChange, type ContactTarget, runContactBulk } from './run-contact-bulk.ts'

interface ContactBulkBarProps {
  filter: Filter
  rows: readonly ContactRow[]
  /** Of everything that matches. */
  count: number | undefined
  fields: readonly Field[]
}

export function ContactBulkBar(props: ContactBulkBarProps) {
  const progress = useStore(bulkProgress)
  const selected = useStore(selection)
  if (progress)
    return (
      <div className={styles.bar} role="status">
        <span>
          {progress.label}:{' '}
          {progress.total === undefined ? t.bulkStarting : `${progress.done} / ${progress.total}`}
        </span>
        <progress aria-label={progress.label} value={progress.done} max={progress.total ?? 1} />
      </div>
    )
  return isSelecting(selected) ? <SelectionBar {...props} /> : null
}

/** Starting a journey changes no contact: it has no progress and cannot be undone. */
type Kind = ContactChange['type'] | 'startJourney'

interface Item {
  kind: Kind
  icon: Icon
}

/** Contacts are taken out of the archive where archived ones are shown. */
function listItems(rows: readonly ContactRow[]): Item[] {
  const hasArchived = rows.some(({ archivedAt }) => archivedAt !== null)
  const hasActive = rows.some(({ archivedAt }) => archivedAt === null)
  return [
    { kind: 'addTag', icon: TagIcon },
    { kind: 'removeTag', icon: UntagIcon },
    { kind: 'setField', icon: PencilIcon },
    ...(hasActive ? [{ kind: 'archive' as const, icon: ArchiveIcon }] : []),
    ...(hasArchived ? [{ kind: 'unarchive' as const, icon: ReopenIcon }] : []),
    ...(hasActive ? [{ kind: 'startJourney' as const, icon: JourneyIcon }] : []),
    { kind: 'delete', icon: TrashIcon },
  ]
}

function canRun(kind: Kind): boolean {
  if (kind === 'startJourney')
    return getSignedIn().me.role !== 'agent' && ['journey:activate', 'segment:read'].every(hasScope)
  return hasScope(kind === 'delete' ? 'contact:delete' : 'contact:update')
}

function SelectionBar({ filter, rows, count, fields }: ContactBulkBarProps) {
  const { ids, isAll } = useStore(selection)
  const bar = useKeptFocus<HTMLElement>()
  const roving = useRovingFocus('horizontal')
  const [open, setOpen] = useState<Kind>()
  const target: ContactTarget = isAll ? { filter } : { ids: [...ids] }
  const total = formatNumber(isAll ? (count ?? 0) : ids.size)
  const run = (change: ContactChange) => {
    setOpen(undefined)
    clearSelection()
    void runContactBulk(target, change)
  }
  const items = listItems(rows).filter(({ kind }) => canRun(kind))
  const start = (kind: Kind) =>
    kind === 'archive' || kind === 'unarchive' ? run({ type: kind }) : setOpen(kind)
  useActions([
    ...items.map(({ kind, icon }) => ({
      id: `bulk-${kind}`,
      label: texts().bulk[kind],
      group: t.selection,
      icon,
      run: () => start(kind),
    })),
    {
      id: 'clear-selection',
      label: t.clearSelection,
      group: t.selection,
      run: clearSelection,
    },
  ])
  const close = () => setOpen(undefined)
  return (
    <section ref={bar} className={styles.bar} aria-label={t.selection}>
      <div className={styles.line}>
        <strong role="status">{isAll ? t.allSelected(total) : t.selected(ids.size)}</strong>
        {!isAll && count !== undefined && count > ids.size && (
          <Button look="plain" onClick={selectAllMatching}>
            {t.selectMatchingCount(formatNumber(count))}
          </Button>
        )}
        <IconButton
          icon={CloseIcon}
          label={t.clearSelection}
          keys={keysOf('clear-selection')}
          onClick={clearSelection}
        />
      </div>
      <div className={styles.tools} role="toolbar" aria-label={t.bulkActions} {...roving}>
        {items.map(({ kind, icon }) => (
          <IconButton
            key={kind}
            icon={icon}
            label={texts().bulk[kind]}
            keys={keysOf(`bulk-${kind}`)}
            onClick={() => start(kind)}
          />
        ))}
      </div>
      {(open === 'addTag' || open === 'removeTag') && (
        <TagPicker kind={open} onChoose={run} onClose={close} />
      )}
      {open === 'setField' && <FieldDialog fields={fields} onChoose={run} onClose={close} />}
      {open === 'startJourney' && <JourneyPicker target={target} onClose={close} />}
      {open === 'delete' && <DeleteDialog total={total} onChoose={run} onClose={close} />}
    </section>
  )
}
