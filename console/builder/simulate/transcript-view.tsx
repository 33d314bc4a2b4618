/** The transcript of a simulation as the customer sees it, with what the run does besides. */
import { useEffect, useRef } from 'react'
import { formatDuration, formatTime } from '../../i18n/format.ts'
import { ContentView } from '../../inbox/thread/messages/content.tsx'
import { Button } from '../../ui/controls/button.tsx'
import type { Definition } from '../model/definition.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'
import { type Choice, describeEffect, type Entry } from './transcript.ts'

interface TranscriptProps {
  entries: readonly Entry[]
  definition: Definition
  /** The message whose buttons can be pressed. */
  openKey: string | undefined
  undelivered: readonly string[]
  isBusy: boolean
  onChoose: (choice: Choice) => void
  onToggleDelivery: (nodeId: string) => void
}

export function TranscriptView(props: TranscriptProps) {
  const { entries } = props
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when an entry is added
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [entries.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <div className={styles.transcript} role="log" aria-label={texts().transcript} tabIndex={0}>
      {entries.length === 0 && <p className={styles.muted}>{texts().nothingYet}</p>}
      {entries.map(entry => (
        <EntryView key={entry.key} entry={entry} {...props} />
      ))}
      <div ref={end} />
    </div>
  )
}

function EntryView({ entry, ...props }: TranscriptProps & { entry: Entry }) {
  switch (entry.type) {
    case 'passed':
      return <p className={styles.line}>{texts().later(formatDuration(entry.ms))}</p>
    case 'event':
      return <p className={styles.line}>{texts().eventCame(entry.name)}</p>
    case 'effect':
      return <p className={styles.line}>{describeEffect(entry.effect, props.definition)}</p>
    case 'received':
      return (
        <div className={styles.received}>
          <p className={styles.bubble}>{entry.text}</p>
          <span className={styles.time}>{formatTime(new Date(entry.at).toISOString())}</span>
        </div>
      )
    default:
      return <Sent entry={entry} {...props} />
  }
}

function Sent({
  entry,
  openKey,
  undelivered,
  isBusy,
  onChoose,
  onToggleDelivery,
}: TranscriptProps & { entry: Extract<Entry, { type: 'sent' }> }) {
  const { key, nodeId, content, choices, refused, at } = entry
  const isFailed = undelivered.includes(nodeId)
  return (
    <div className={styles.sent}>
      <div className={styles.bubble} data-refused={refused !== undefined || undefined}>
        <ContentView content={content} />
      </div>
      {choices.length > 0 && (
        <div className={styles.row}>
          {choices.map(choice => (
            <Button key={choice.id} disabled={isBusy || key !== openKey} onClick={() => onChoose(choice)}>
              {choice.title}
            </Button>
          ))}
        </div>
      )}
      <span className={styles.time}>
        {refused
          ? texts().notSent(texts().refusals[refused] ?? refused)
          : formatTime(new Date(at).toISOString())}
        {!refused && (
          <button
            type="button"
            className={styles.link}
            aria-pressed={isFailed}
            onClick={() => onToggleDelivery(nodeId)}
          >
            {isFailed ? texts().undelivered : texts().failDelivery}
          </button>
        )}
      </span>
    </div>
  )
}
