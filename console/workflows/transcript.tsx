/** The example conversation of a template, as the customer sees it. */
import overlay from '../ui/overlays/overlay.module.css'
import { texts } from './texts.ts'
import type { Template } from './workflow-api.ts'
import styles from './workflows.module.css'

type Line = Template['preview'][number]

function describeWait(seconds: number): string {
  const { days, hours, minutes } = texts()
  if (seconds >= 86_400) return days(Math.round(seconds / 86_400))
  if (seconds >= 3_600) return hours(Math.round(seconds / 3_600))
  return minutes(Math.max(1, Math.round(seconds / 60)))
}

export function Transcript({ lines, label }: { lines: readonly Line[]; label: string }) {
  return (
    <ol className={styles.transcript} aria-label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal
        <li key={index} className={styles[line.type]}>
          <Content line={line} />
        </li>
      ))}
    </ol>
  )
}

function Content({ line: { type, text = '', options = [], seconds = 0 } }: { line: Line }) {
  if (type === 'waited') return texts().later(describeWait(seconds))
  if (type === 'event') return texts().eventNamed(text)
  return (
    <>
      <span className={overlay.hidden}>{type === 'received' ? texts().customer : texts().bot}: </span>
      {text}
      {options.length > 0 && (
        <ul className={styles.options}>
          {options.map(option => (
            <li key={option}>{option}</li>
          ))}
        </ul>
      )}
    </>
  )
}
