/** Changes the order in which chatbots are tried. */
import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { Status } from '../ui/controls/badge.tsx'
import { IconButton } from '../ui/controls/button.tsx'
import { ArrowDownIcon, ArrowUpIcon } from '../ui/controls/icons.tsx'
import { describe, Failure, Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { texts } from './texts.ts'
import { fetchWorkflows, setOrder, type Workflow } from './workflow-api.ts'
import { explainRefusals } from './workflow-dialogs.tsx'
import styles from './workflows.module.css'

/** More than a list that is arranged by hand has. */
const maxPages = 5
const pageSize = 200

async function load(): Promise<Workflow[]> {
  const { items } = await fetchWorkflows('chatbot', {}, maxPages, pageSize)
  return items.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
}

export function BotOrder({ onClose }: { onClose: () => void }) {
  const { data, error, reload, set } = useResource('order', load, { isAffected: isChange('chatbot') })
  const [problem, setProblem] = useState<string>()
  const move = async (index: number, by: -1 | 1) => {
    const moved = [...data!]
    const [bot] = moved.splice(index, 1)
    moved.splice(index + by, 0, bot!)
    set(moved)
    setProblem(undefined)
    try {
      await setOrder(moved.map(({ id }) => id))
    } catch (cause) {
      const refused = ApiError.from(cause)
      setProblem(explainRefusals()[refused.code] ?? describe(refused))
      set(data!)
      reload()
    }
  }
  return (
    <Dialog title={texts().orderTitle} open onClose={onClose}>
      <p className={styles.muted}>{texts().orderHint}</p>
      {problem && (
        <p className={styles.warning} role="alert">
          {problem}
        </p>
      )}
      {!data && (error === undefined ? <Loading rows={3} /> : <Failure error={error} onRetry={reload} />)}
      <ol className={styles.order}>
        {data?.map(({ id, name, status }, index) => (
          <li key={id} className={styles.ordered}>
            <span className={styles.name}>{name}</span>
            <Status>{texts().statuses[status]}</Status>
            <IconButton
              icon={ArrowUpIcon}
              label={texts().moveUp(name)}
              disabled={index === 0}
              onClick={() => void move(index, -1)}
            />
            <IconButton
              icon={ArrowDownIcon}
              label={texts().moveDown(name)}
              disabled={index === data.length - 1}
              onClick={() => void move(index, 1)}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
