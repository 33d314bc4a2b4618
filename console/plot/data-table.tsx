/** The values of a plot as a table, which is rendered only while it is open; or a table with bars instead of a plot. */
import { useState } from 'react'
import { formatNumber } from '../i18n/format.ts'
import table from '../ui/tables/table.module.css'
import styles from './plot.module.css'
import { texts } from './texts.ts'

export interface TableProps {
  label: string
  /** Names the first column. */
  xLabel: string
  rows: readonly string[]
  columns: readonly {
    label: string
    values: readonly (number | null)[]
    format?: (value: number) => string
  }[]
}

export function DataTable({ label, xLabel, rows, columns }: TableProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>{texts().asTable}</summary>
      {isOpen && <Values label={label} xLabel={xLabel} rows={rows} columns={columns} />}
    </details>
  )
}

/** Names of any length have their place here, while below a plot they cover each other. */
export function BarTable(props: TableProps) {
  return <Values {...props} hasBars />
}

function Values({ label, xLabel, rows, columns, hasBars }: TableProps & { hasBars?: boolean }) {
  const values = columns[0]?.values ?? []
  const max = Math.max(1, ...values.map(value => value ?? 0))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={table.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{xLabel}</th>
            {columns.map(column => (
              <th key={column.label} scope="col" data-number>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal
            <tr key={position}>
              <th scope="row">
                {row}
                {hasBars && <Bar share={(values[position] ?? 0) / max} />}
              </th>
              {columns.map(({ label, values, format = formatNumber }) => (
                <td key={label} data-number>
                  {typeof values[position] === 'number' ? format(values[position]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Bar({ share }: { share: number }) {
  return (
    <svg className={styles.bar} height="4" aria-hidden="true">
      <rect width={`${share * 100}%`} height="4" />
    </svg>
  )
}
