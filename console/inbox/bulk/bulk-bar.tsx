/** The actions on the selected conversations, and their progress. */
import { useEffect, useState } from 'react'
import { type Action, useActions } from '../../actions/registry.ts'
import { keysOf } from '../../actions/shortcuts.ts'
import { api, call } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { CloseIcon } from '../../ui/controls/icons.tsx'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import { useRovingFocus } from '../../ui/focus/use-roving-focus.ts'
import type { ViewCount } from '../state/lists/counts.ts'
import { type ListKey, toKey } from '../state/views.ts'
import styles from './bulk.module.css'
import { type BulkActionItem, type BulkKind, listBulkActions } from './bulk-actions.ts'
import { BulkPicker } from './bulk-pickers.tsx'
import { type BulkChange, type BulkTarget, bulkProgress, markManyUnread, runBulk } from './run-bulk.ts'
import { clearSelection, isSelecting, selectAllMatching, selection } from './selection.ts'
import { texts } from './texts.ts'

export interface BulkBarProps {
  listKey: ListKey
  /** Rows that are loaded. */
  listed: readonly string[]
  hasMore: boolean
}

export function BulkBar(props: BulkBarProps) {
  const progress = useStore(bulkProgress)
  const selected = useStore(selection)
  return (
    <>
      {progress && (
        <div className={styles.bar} role="status">
          <span>
            {progress.label}:{' '}
            {progress.total === undefined ? t.bulkStarting : texts().running(progress.done, progress.total)}
          </span>
          <progress aria-label={progress.label} value={progress.done} max={progress.total ?? 1} />
        </div>
      )}
      {isSelecting(selected) && !progress && <SelectionBar {...props} />}
    </>
  )
}

/** Rows move when the list is read again: the focus goes to the screen, where the keys of the list work. */
const screen = { current: () => document.getElementById('main') ?? undefined }

function SelectionBar({ listKey, listed, hasMore }: BulkBarProps) {
  const { ids, isAll } = useStore(selection)
  const [picker, setPicker] = useState<BulkKind>()
  const roving = useRovingFocus('horizontal')
  const matching = useMatchingCount(listKey, isAll || (hasMore && ids.size >= listed.length))
  const target: BulkTarget = isAll ? { filter: listKey.filter } : { ids: [...ids] }
  const run = (change: BulkChange) => {
    clearSelection()
    void runBulk(target, change)
  }
  const runUnread = () => {
    clearSelection()
    void markManyUnread([...ids])
  }
  const actions = listBulkActions({
    listKey,
    count: isAll ? undefined : ids.size,
    run,
    runUnread,
    open: setPicker,
  })
  useActions([
    ...actions.map(toAction),
    {
      id: 'clear-selection',
      label: t.clearSelection,
      group: t.selection,
      run: clearSelection,
    },
  ])
  return (
    <section ref={useKeptFocus<HTMLElement>(screen)} className={styles.bar} aria-label={t.selection}>
      <div className={styles.line}>
        <strong role="status">{isAll ? t.allSelected(toText(matching)) : t.selected(ids.size)}</strong>
        {!isAll && matching && matching.count > ids.size && (
          <Button look="plain" onClick={selectAllMatching}>
            {t.selectMatchingCount(toText(matching))}
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
        {actions.map(({ id, label, icon, keys, isDisabled, run: start }) => (
          <IconButton
            key={id}
            icon={icon}
            label={label}
            keys={keys}
            disabled={isDisabled === true}
            onClick={start}
          />
        ))}
      </div>
      {picker && <BulkPicker kind={picker} onChoose={run} onClose={() => setPicker(undefined)} />}
    </section>
  )
}

function toAction({ id, label, icon, keys, isDisabled, run }: BulkActionItem): Action {
  const start = () => {
    if (!isDisabled) run()
  }
  return { id, label, icon, ...(keys ? { keys } : {}), group: t.selection, isFirst: true, run: start }
}

const toText = (count: ViewCount | undefined) =>
  count ? `${formatNumber(count.count)}${count.approximate ? '+' : ''}` : '…'

/** Counts what matches, once everything that is loaded is selected. */
function useMatchingCount(listKey: ListKey, isWanted: boolean): ViewCount | undefined {
  const [count, setCount] = useState<ViewCount>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has no identity of its own
  useEffect(() => {
    if (!isWanted || !hasScope('conversation:list')) return setCount(undefined)
    let isCurrent = true
    call(api.POST('/conversations/counts', { body: { filters: [listKey.filter] } })).then(
      ({ counts }) => isCurrent && setCount(counts[0]),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [toKey(listKey), isWanted])
  return count
}
