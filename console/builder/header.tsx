/** The header of the builder: name, state of saving, views and panels, publishing. */

import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { keysOf } from '../actions/shortcuts.ts'
import { ApiError } from '../api/errors.ts'
import { getSignedIn, hasScope } from '../api/session.ts'
import { setViewed, useParticipants } from '../app/presence.ts'
import { useStore } from '../app/store.ts'
import { Status } from '../ui/controls/badge.tsx'
import { Button, IconButton } from '../ui/controls/button.tsx'
import {
  CheckCircleIcon,
  ChevronLeftIcon,
  ErrorIcon,
  MoreIcon,
  PauseIcon,
  PlayIcon,
  RetryIcon,
} from '../ui/controls/icons.tsx'
import { Menu, type MenuItem } from '../ui/overlays/menu.tsx'
import overlay from '../ui/overlays/overlay.module.css'
import { showToast } from '../ui/overlays/toasts.ts'
import { AvatarGroup } from '../ui/pictures/avatar.tsx'
import styles from './builder.module.css'
import { describeRefusal } from './describe-refusal.ts'
import type { View } from './panel-props.ts'
import { PublishDialog } from './publish-dialog.tsx'
import type { SaveState } from './state/saver.ts'
import { useSession } from './state/session.tsx'
import { setActive } from './state/workflow-api.ts'
import { texts } from './texts.ts'

export function Header({ view }: { view: View }) {
  const { editor, saver } = useSession()
  const state = useStore(saver.state)
  const [isPublishing, setPublishing] = useState(false)
  const isJourney = editor.kind === 'journey'
  return (
    <header className={styles.header} data-area>
      <Link to=".." className={styles.back} aria-label={isJourney ? texts().journeys : texts().chatbots}>
        <ChevronLeftIcon />
      </Link>
      <NameField />
      <WorkflowState state={state} />
      <span className={styles.spacer} />
      <Editors />
      <Views view={view} />
      {hasScope('journey:publish') && (
        <Button look="primary" onClick={() => setPublishing(true)}>
          {texts().publish}
        </Button>
      )}
      <MoreMenu state={state} view={view} />
      {isPublishing && <PublishDialog onClose={() => setPublishing(false)} />}
    </header>
  )
}

function NameField() {
  const { editor } = useSession()
  const name = useStore(editor.name)
  return (
    <>
      <h1 className={overlay.hidden}>{name}</h1>
      <input
        className={styles.name}
        aria-label={texts().name}
        value={name}
        maxLength={200}
        size={Math.max(8, Math.min(40, name.length))}
        readOnly={!editor.canEdit}
        onChange={event => editor.rename(event.target.value)}
      />
    </>
  )
}

/** The colleagues who have this workflow open. */
function Editors() {
  const { workflowId } = useSession().editor
  const participants = useParticipants(workflowId)
  useEffect(() => {
    setViewed('workflow', workflowId)
    return () => setViewed('workflow', undefined)
  }, [workflowId])
  const { users } = getSignedIn()
  const names = participants.map(({ userId }) => users.get(userId)?.name ?? texts().someone)
  return <AvatarGroup names={names} label={texts().editors(names)} />
}

function WorkflowState({ state }: { state: SaveState }) {
  const { editor } = useSession()
  const { workflow, status, problem } = state
  return (
    <>
      <Status
        {...(workflow.status === 'active' ? { tone: 'success' as const, icon: PlayIcon } : {})}
        {...(workflow.status === 'paused' ? { tone: 'warning' as const, icon: PauseIcon } : {})}
      >
        {texts().statuses[workflow.status]}
      </Status>
      <span role="status" className={styles.saveState}>
        {editor.canEdit && <SaveText status={status} problem={problem} />}
      </span>
    </>
  )
}

function SaveText({ status, problem }: Pick<SaveState, 'status' | 'problem'>) {
  if (status === 'saved') return <Status icon={CheckCircleIcon}>{texts().saved}</Status>
  if (status === 'saving') return <Status icon={RetryIcon}>{texts().saving}</Status>
  if (status === 'offline')
    return (
      <Status tone="warning" icon={ErrorIcon}>
        {texts().offline}
      </Status>
    )
  const reason = problem && describeRefusal(problem)
  return (
    <Status tone="danger" icon={ErrorIcon}>
      {texts().notSaved}
      {reason && `: ${reason}`}
    </Status>
  )
}

/** Views and panels as buttons that stay pressed. */
function Views({ view }: { view: View }) {
  const { panel, isSteps, canDraw, hasNumbers, show } = view
  const togglePanel = (name: typeof panel) => show({ panel: panel === name ? undefined : name })
  return (
    <div className={styles.views} role="group" aria-label={texts().view}>
      {canDraw && (
        <Button
          look="plain"
          aria-pressed={isSteps}
          onClick={() => show({ view: isSteps ? undefined : 'steps' })}
        >
          {texts().steps}
        </Button>
      )}
      {canDraw && (
        <Button
          look="plain"
          aria-pressed={hasNumbers}
          onClick={() => show({ numbers: hasNumbers ? undefined : 'on' })}
        >
          {texts().numbers}
        </Button>
      )}
      {(['runs', 'versions', 'simulate'] as const).map(name => (
        <Button key={name} look="plain" aria-pressed={panel === name} onClick={() => togglePanel(name)}>
          {texts()[name]}
        </Button>
      ))}
    </div>
  )
}

function MoreMenu({ state, view }: { state: SaveState; view: View }) {
  const { editor, saver } = useSession()
  const { workflow } = state
  const isActive = workflow.status === 'active'
  const toggle = async () => {
    try {
      await setActive(editor.kind, editor.workflowId, !isActive)
      await saver.refresh()
      showToast({ text: isActive ? texts().pausedNow : texts().activated })
    } catch (error) {
      const problem = ApiError.from(error)
      showToast({ text: describeRefusal(problem), tone: 'danger' })
    }
  }
  const items: MenuItem[] = [
    ...(hasScope('journey:activate')
      ? [
          {
            id: 'toggle',
            label: isActive ? texts().pause : texts().activate,
            icon: isActive ? PauseIcon : PlayIcon,
            disabled: workflow.publishedVersionId === null,
            onSelect: () => void toggle(),
          },
        ]
      : []),
    ...(editor.canEdit
      ? [
          {
            id: 'undo',
            label: texts().undo,
            keys: keysOf('builder-undo'),
            group: true as const,
            onSelect: editor.undo,
          },
          { id: 'redo', label: texts().redo, keys: keysOf('builder-redo'), onSelect: editor.redo },
        ]
      : []),
  ]
  if (!view.canDraw) items.push(toNumbersItem(view))
  if (items.length === 0) return null
  return (
    <Menu items={items} align="end" label={texts().more}>
      <IconButton icon={MoreIcon} label={texts().more} />
    </Menu>
  )
}

/** Narrow screens have no room for one more button. */
const toNumbersItem = ({ hasNumbers, show }: View): MenuItem => ({
  id: 'numbers',
  label: texts().numbers,
  group: true,
  checked: hasNumbers,
  onSelect: () => show({ numbers: hasNumbers ? undefined : 'on' }),
})
