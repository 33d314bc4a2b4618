/** The counts of one node, on the canvas and in the steps. */
import { useSelected } from '../../app/store.ts'
import { classNames } from '../../ui/styles/class-names.ts'
import { useSession } from '../state/session.tsx'
import { texts } from '../texts.ts'
import styles from './numbers.module.css'

interface NodeCountsProps {
  id: string
  kind: string
  className?: string | undefined
}

export function NodeCounts({ id, kind, className }: NodeCountsProps) {
  const { numbers } = useSession()
  const counts = useSelected(numbers, value => value?.get(id))
  if (!counts) return null
  const { entered, waiting, undelivered, failed } = counts
  return (
    <span className={classNames(styles.counts, className)}>
      <span>{kind === 'goal' ? texts().reachedHere(entered) : texts().enteredHere(entered)}</span>
      {waiting > 0 && <span data-tone="accent">{texts().waitingHere(waiting)}</span>}
      {undelivered > 0 && <span data-tone="danger">{texts().undeliveredHere(undelivered)}</span>}
      {failed > 0 && <span data-tone="danger">{texts().failedHere(failed)}</span>}
    </span>
  )
}
