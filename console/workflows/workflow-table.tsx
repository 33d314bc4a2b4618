/** The rows of a list of journeys or chatbots, each with a menu of what the user may do. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActorName } from '../app/actor-name.ts'
import { formatFull, formatNumber, formatWhen } from '../i18n/format.ts'
import { t } from '../i18n/i18n.ts'
import { attempt, useScopes } from '../settings/common/tasks.ts'
import { Status as StatusWord } from '../ui/controls/badge.tsx'
import { IconButton } from '../ui/controls/button.tsx'
import {
  CopyIcon,
  MoreIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  TrashIcon,
  WarningIcon,
} from '../ui/controls/icons.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import table from '../ui/tables/table.module.css'
import { texts } from './texts.ts'
import {
  activate,
  duplicate,
  type Kind,
  pause,
  type Status,
  toAddress,
  type Workflow,
} from './workflow-api.ts'
import { ActivateDialog, DeleteDialog } from './workflow-dialogs.tsx'
import styles from './workflows.module.css'

const looks = {
  draft: { icon: PencilIcon },
  active: { icon: PlayIcon, tone: 'success' },
  paused: { icon: PauseIcon, tone: 'warning' },
} as const

function StatusBadge({ status }: { status: Status }) {
  return <StatusWord {...looks[status]}>{texts().statuses[status]}</StatusWord>
}

interface TableProps {
  kind: Kind
  label: string
  items: readonly Workflow[]
  onReload: () => void
  /** Shows a change before the service has made it. */
  onChange: (id: string, change: Partial<Workflow>) => void
}

type Open = { dialog: 'activate' | 'delete'; workflow: Workflow }

export function WorkflowTable({ kind, label, items, onReload, onChange }: TableProps) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <table className={table.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{texts().name}</th>
            <th scope="col">{t.status}</th>
            <th scope="col" data-number data-wide>
              {texts().version}
            </th>
            <th scope="col" data-number>
              {texts().entered}
            </th>
            <th scope="col" data-number data-wide>
              {texts().waiting}
            </th>
            <th scope="col" data-wide>
              {texts().updated}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {items.map(workflow => (
            <Row
              key={workflow.id}
              kind={kind}
              workflow={workflow}
              onOpen={setOpen}
              onReload={onReload}
              onChange={onChange}
            />
          ))}
        </tbody>
      </table>
      {open?.dialog === 'activate' && (
        <ActivateDialog kind={kind} workflow={open.workflow} onDone={onReload} onClose={close} />
      )}
      {open?.dialog === 'delete' && (
        <DeleteDialog kind={kind} workflow={open.workflow} onDone={onReload} onClose={close} />
      )}
    </>
  )
}

interface RowProps extends Pick<TableProps, 'kind' | 'onReload' | 'onChange'> {
  workflow: Workflow
  onOpen: (open: Open) => void
}

function Row({ kind, workflow, onOpen, onReload, onChange }: RowProps) {
  const { id, name, status, version, counts, updatedAt, updatedBy, pauseReason } = workflow
  const items = useMenu({ kind, workflow, onOpen, onReload, onChange })
  const editor = useActorName(updatedBy)
  return (
    <tr>
      <th scope="row">
        <Link to={toAddress(kind, id)} className={styles.name}>
          {name}
        </Link>
        {pauseReason && (
          <p className={styles.warning}>
            <WarningIcon />
            {texts().rightsLost}
          </p>
        )}
      </th>
      <td>
        <StatusBadge status={status} />
      </td>
      <td data-number data-wide>
        {version ?? <span className={styles.muted}>{texts().noVersion}</span>}
      </td>
      <td data-number>{formatNumber(counts.entered)}</td>
      <td data-number data-wide>
        {formatNumber(counts.waiting)}
      </td>
      <td data-wide>
        <time dateTime={updatedAt} title={formatFull(updatedAt)}>
          {formatWhen(updatedAt)}
        </time>
        {editor && <span className={styles.muted}> {texts().by(editor)}</span>}
      </td>
      <td data-number>
        {items.length > 0 && (
          <Menu items={items} align="end" label={texts().actionsOf(name)}>
            <IconButton icon={MoreIcon} label={texts().actionsOf(name)} />
          </Menu>
        )}
      </td>
    </tr>
  )
}

function useMenu({ kind, workflow, onOpen, onReload, onChange }: RowProps) {
  const can = useScopes()
  const navigate = useNavigate()
  const { id, name, status, publishedVersionId } = workflow
  const isActive = status === 'active'
  const isPublished = publishedVersionId !== null
  const copy = () =>
    attempt(async () => {
      const created = await duplicate(kind, id)
      showToast({ text: texts().duplicated(created.name) })
      await navigate({ to: toAddress(kind, created.id) })
    })
  const stop = async () => {
    onChange(id, { status: 'paused' })
    const undo = () => void attempt(() => activate(kind, id)).then(onReload)
    if (await attempt(() => pause(kind, id)))
      showToast({ text: texts().paused(name), action: { label: t.undo, run: undo } })
    onReload()
  }
  return [
    can('journey:create') &&
      can('journey:read') && {
        id: 'duplicate',
        label: texts().duplicate,
        icon: CopyIcon,
        onSelect: () => void copy(),
      },
    isActive
      ? can('journey:activate') && {
          id: 'pause',
          label: texts().pause,
          icon: PauseIcon,
          onSelect: () => void stop(),
        }
      : can('journey:activate') &&
        (isPublished || can('journey:publish')) && {
          id: 'activate',
          label: isPublished ? texts().activate : texts().publishAndActivate,
          icon: PlayIcon,
          onSelect: () => onOpen({ dialog: 'activate', workflow }),
        },
    can('journey:delete') &&
      (!isActive || can('journey:activate')) && {
        id: 'delete',
        label: texts().remove,
        icon: TrashIcon,
        danger: true,
        onSelect: () => onOpen({ dialog: 'delete', workflow }),
      },
  ].filter(item => item !== false)
}
