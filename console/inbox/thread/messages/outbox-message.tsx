/** A message or note that the service has not accepted yet. */
import type { ReactNode } from 'react'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.ts'
import { texts } from '../../../templates/texts.ts'
import { ClockIcon, ErrorIcon, type Icon } from '../../../ui/controls/icons.tsx'
import { reopened } from '../../composer/reopened-template.ts'
import { type OutboxEntry, retryInOutbox, takeBack } from '../../state/outbox.ts'
import { NoteBox } from '../notes/note.tsx'
import styles from '../thread.module.css'
import { Bubble } from './message.tsx'

export function OutboxMessage({ entry, isOffline }: { entry: OutboxEntry; isOffline: boolean }) {
  const { content, error, createdAt, clientMessageId, note } = entry
  return (
    <article className={styles.message} data-side="own">
      {note && content.type === 'text' ? (
        <NoteBox text={content.text.body} mentions={note.mentions} />
      ) : (
        <div className={styles.line}>
          <Bubble content={content} isFailed={error !== undefined} />
        </div>
      )}
      {error ? (
        <Status tone="danger" icon={ErrorIcon}>
          {t.notSent} · {toReason(error)}
          {content.type === 'template' && (
            <button type="button" onClick={() => change(entry)}>
              {texts().change}
            </button>
          )}
          <button type="button" onClick={() => retryInOutbox(clientMessageId)}>
            {t.retry}
          </button>
          <button type="button" onClick={() => takeBack(clientMessageId)}>
            {t.discard}
          </button>
        </Status>
      ) : (
        <Status icon={ClockIcon}>
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>
          {isOffline ? t.queued : t.sending}
        </Status>
      )}
    </article>
  )
}

/** An entry of an earlier version has no violations. */
function toReason({ code, message, violations: [first] = [] }: NonNullable<OutboxEntry['error']>): string {
  return first ? t.describeReason(first) : (t.problemTitles[code] ?? message)
}

/** Opens the template with its values and what the service said about them. */
function change({ clientMessageId, conversationId, inboxId, content, error }: OutboxEntry): void {
  if (content.type !== 'template' || !error || !takeBack(clientMessageId)) return
  const refusal = { reason: toReason(error), violations: error.violations ?? [] }
  reopened.set({ conversationId, inboxId, content, refusal })
}

function Status({ tone, icon: Glyph, children }: { tone?: string; icon: Icon; children: ReactNode }) {
  return (
    <p className={styles.status} data-tone={tone}>
      <Glyph />
      {children}
    </p>
  )
}
