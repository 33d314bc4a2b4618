/** Errors of the rows of a file, as a table and as a download. */
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import contacts from '../contacts.module.css'
import styles from './import.module.css'
import { texts } from './texts.ts'

type Progress = Schemas['ContactImport']

/** Quoted, and with an apostrophe before what a spreadsheet would run as a formula. */
function toCell(value: string | number): string {
  const text = String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

function download({ importId, errors }: Progress): void {
  const rows = [
    [texts().row, texts().column, texts().message],
    ...errors.map(({ row, column, message }) => [row, column, texts().rowError(message)]),
  ]
  const csv = `\uFEFF${rows.map(row => row.map(toCell).join(',')).join('\r\n')}\r\n`
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${importId}-errors.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url))
}

export function ImportErrors({ progress }: { progress: Progress }) {
  const { errors } = progress
  return (
    <section className={contacts.form} aria-label={texts().errors}>
      <div className={contacts.line}>
        <h2>{errors.length < 1_000 ? texts().errors : texts().firstErrors(errors.length)}</h2>
        <Button onClick={() => download(progress)}>{texts().download}</Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={texts().errors}>
        <table className={styles.errors}>
          <thead>
            <tr>
              <th scope="col">{texts().row}</th>
              <th scope="col">{texts().column}</th>
              <th scope="col">{texts().message}</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ row, column, message }) => (
              <tr key={`${row} ${column} ${message}`}>
                <td>{row === 0 ? texts().wholeFile : row}</td>
                <td>{column}</td>
                <td>{texts().rowError(message)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
