// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads of a table are read, not operated; their controls are
/**
 * A table of which only the visible rows are in the page. Columns have the same widths in the head and in all rows; on
 * phones a row is a card, and the head is hidden.
 */
import type { ReactNode, RefObject } from 'react'
import { VList, type VListHandle } from 'virtua'
import { ArrowDownIcon, ArrowUpIcon } from '../controls/icons.tsx'
import styles from './virtual-table.module.css'

export interface TableColumn<T> {
  id: string
  label: ReactNode
  /** A track of the grid, in tokens. */
  width: string
  direction?: 'asc' | 'desc' | undefined
  onSort?: (() => void) | undefined
  render: (row: T) => ReactNode
}

interface VirtualTableProps<T extends { id: string }> {
  label: string
  columns: readonly TableColumn<T>[]
  rows: readonly T[]
  /** Of all pages, if it is known. */
  totalRows: number | undefined
  isMarked: (row: T) => boolean
  handle: RefObject<VListHandle | null>
  /** Called when the user comes near the last row. */
  onEnd: () => void
  /** Shown after the last row, such as an error. */
  footer?: ReactNode
}

/** Rows are loaded before the user reaches the end. */
const prefetchRows = 50
/** Rows are rendered two frames after a scroll: at 20,000 px/s the user is that far ahead. */
const bufferSize = 750
const footerRow = { id: 'footer' }

export function VirtualTable<T extends { id: string }>(props: VirtualTableProps<T>) {
  const { label, columns, rows, totalRows, isMarked, handle, onEnd, footer } = props
  const grid = { '--columns': columns.map(({ width }) => width).join(' ') } as Record<string, string>
  const onScroll = (offset: number) => {
    const last = handle.current?.findItemIndex(offset + handle.current.viewportSize) ?? 0
    if (last + prefetchRows > rows.length) onEnd()
  }
  return (
    <div className={styles.frame}>
      <div
        className={styles.table}
        style={grid}
        role="table"
        aria-label={label}
        aria-rowcount={totalRows === undefined ? -1 : totalRows + 1}
        aria-colcount={columns.length}
      >
        <div role="rowgroup" className={styles.head}>
          <div role="row" aria-rowindex={1} className={styles.row}>
            {columns.map(column => (
              <Head key={column.id} column={column} />
            ))}
          </div>
        </div>
        <VList
          ref={handle}
          className={styles.body}
          role="rowgroup"
          bufferSize={bufferSize}
          data={footer ? [...rows, footerRow as T] : rows}
          onScroll={onScroll}
        >
          {(row, index) =>
            row === (footerRow as object) ? (
              <div key="footer" role="row" className={styles.footer}>
                <div role="cell">{footer}</div>
              </div>
            ) : (
              <div
                key={row.id}
                role="row"
                aria-rowindex={index + 2}
                className={styles.row}
                data-row={row.id}
                data-marked={isMarked(row)}
              >
                {columns.map(({ id, label: head, render }) => (
                  <div
                    key={id}
                    role="cell"
                    className={styles.cell}
                    data-column={id}
                    data-label={typeof head === 'string' ? head : undefined}
                  >
                    {render(row)}
                  </div>
                ))}
              </div>
            )
          }
        </VList>
      </div>
    </div>
  )
}

function Head<T>({ column: { id, label, direction, onSort } }: { column: TableColumn<T> }) {
  const Arrow = direction === 'asc' ? ArrowUpIcon : ArrowDownIcon
  const order = direction === 'asc' ? 'ascending' : 'descending'
  return (
    <div
      role="columnheader"
      className={styles.cell}
      data-column={id}
      aria-sort={onSort ? (direction ? order : 'none') : undefined}
    >
      {onSort ? (
        <button type="button" className={styles.sort} onClick={onSort}>
          {label}
          {direction && <Arrow />}
        </button>
      ) : (
        label
      )}
    </div>
  )
}
