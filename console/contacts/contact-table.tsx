/** The table of contacts with its states: loading, empty, error and content. */
import type { ReactNode, RefObject } from 'react'
import type { VListHandle } from 'virtua'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { clearSelection, selectIds, selection, selectRange, toggleSelected } from '../inbox/bulk/selection.ts'
import { Button } from '../ui/controls/button.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { VirtualTable } from '../ui/tables/virtual-table.tsx'
import { buildColumns, toName } from './columns.tsx'
import { texts } from './texts.ts'
import type { ContactRow, useContactList } from './use-contact-list.ts'

interface ContactTableProps {
  list: ReturnType<typeof useContactList>
  handle: RefObject<VListHandle | null>
  isFiltered: boolean
  context: Parameters<typeof buildColumns>[0]
  create: ReactNode
  onClear: () => void
}

export function ContactTable({ list, handle, isFiltered, context, create, onClear }: ContactTableProps) {
  const { ids, isAll } = useStore(selection)
  const { rows, isLoaded, error, count, loadMore, reload } = list
  if (error && (!isLoaded || rows.length === 0)) return <Failure error={error} onRetry={reload} />
  if (!isLoaded) return <Loading rows={8} />
  if (rows.length === 0)
    return isFiltered ? (
      <Empty title={texts().emptyFilter}>
        <Button onClick={onClear}>{t.clearFilter}</Button>
      </Empty>
    ) : (
      <Empty title={texts().empty}>{create}</Empty>
    )
  const listed = rows.map(({ id }) => id)
  const isMarked = ({ id }: ContactRow) => isAll || ids.has(id)
  const toggleAll = () => (isAll || ids.size > 0 ? clearSelection() : selectIds(listed))
  const check = {
    id: 'select',
    width: 'auto',
    label: (
      <input
        type="checkbox"
        aria-label={texts().selectAllLoaded}
        checked={isAll || ids.size >= rows.length}
        onChange={toggleAll}
      />
    ),
    render: (row: ContactRow) => (
      <input
        type="checkbox"
        aria-label={texts().selectNamed(toName(row))}
        checked={isMarked(row)}
        tabIndex={isMarked(row) ? 0 : -1}
        onChange={event => {
          const isRange = event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey
          if (isRange) selectRange(row.id, listed)
          else toggleSelected(row.id, listed)
        }}
      />
    ),
  }
  return (
    <VirtualTable
      label={texts().contacts}
      columns={[check, ...buildColumns(context)]}
      rows={rows}
      totalRows={count}
      isMarked={isMarked}
      handle={handle}
      onEnd={() => void (error || loadMore())}
      footer={
        error ? (
          <>
            {texts().moreFailed} <Button onClick={() => void loadMore()}>{t.retry}</Button>
          </>
        ) : undefined
      }
    />
  )
}
