import { useActions } from '../../actions/registry.ts'
import { t } from '../../i18n/i18n.ts'
import { RetryIcon } from '../../ui/controls/icons.tsx'
import type { Entry } from '../state/thread-entries.ts'
import { canRetry, retryMessage } from './message-actions.ts'

/** Offers to send the latest failed message again. */
export function useRetryAction(entries: readonly Entry[]): void {
  const failed = entries.findLast(entry => entry.type === 'message' && canRetry(entry.message))
  const message = failed?.type === 'message' ? failed.message : undefined
  useActions(
    message
      ? [
          {
            id: 'retry',
            label: t.retryFailed,
            group: t.conversation,
            icon: RetryIcon,
            run: () => void retryMessage(message),
          },
        ]
      : [],
  )
}
