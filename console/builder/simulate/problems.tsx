/** Why a simulation was refused: each violation with a link to its node. */
import { ApiError } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/state-view.tsx'
import type { Definition } from '../model/definition.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'

interface ProblemsProps {
  error: unknown
  definition: Definition
  select: (nodeId: string) => void
  onRetry: () => void
}

/** Returns the node that a path such as `definition.nodes[3].data.tagId` is in. */
function findNodeId(field: string, definition: Definition): string | undefined {
  const index = /^(?:definition|draft)\.nodes\[(\d+)\]/.exec(field)?.[1]
  return index === undefined ? undefined : definition.nodes[Number(index)]?.id
}

export function Problems({ error, definition, select, onRetry }: ProblemsProps) {
  const { violations } = ApiError.from(error)
  if (violations.length === 0) return <Failure error={error} onRetry={onRetry} />
  return (
    <div role="alert" className={styles.box}>
      <p>{texts().refused}</p>
      <ul className={styles.list}>
        {violations.map(({ field, code, message }) => {
          const nodeId = findNodeId(field, definition)
          return (
            <li key={`${field} ${code}`}>
              {nodeId ? (
                <Button look="plain" onClick={() => select(nodeId)}>
                  {nodeId}
                </Button>
              ) : (
                <code>{field}</code>
              )}{' '}
              {message}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
