/** The messages that will be sent later, above the composer. */
import { useState } from 'react'
import { useActions } from '../../../actions/registry.ts'
import { t } from '../../../i18n/i18n.ts'
import { ClockIcon } from '../../../ui/controls/icons.tsx'
import { lazyPart } from '../../../ui/layout/lazy-part.tsx'
import { useScheduled } from '../../state/scheduled.ts'
import styles from '../composer.module.css'
import type { ScheduledDialogProps } from './scheduled-dialog.tsx'

const ScheduledDialog = lazyPart<ScheduledDialogProps>(
  async () => (await import('../../later.ts')).ScheduledDialog,
)

export function ScheduledList({ conversationId }: { conversationId: string }) {
  const messages = useScheduled(conversationId)
  const [isOpen, setOpen] = useState(false)
  useActions(
    messages.length > 0
      ? [
          {
            id: 'scheduled',
            label: t.scheduledMessages(messages.length),
            group: t.conversation,
            icon: ClockIcon,
            run: () => setOpen(true),
          },
        ]
      : [],
  )
  if (messages.length === 0 && !isOpen) return null
  return (
    <>
      {messages.length > 0 && (
        <button type="button" className={styles.scheduled} onClick={() => setOpen(true)}>
          <ClockIcon />
          {t.scheduledMessages(messages.length)}
        </button>
      )}
      {isOpen && <ScheduledDialog messages={messages} onClose={() => setOpen(false)} />}
    </>
  )
}
