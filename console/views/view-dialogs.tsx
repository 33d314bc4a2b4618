/** Saves what a list shows as a view, and arranges, renames and deletes views. */
import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { getSignedIn } from '../api/session.ts'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { Status } from '../ui/controls/badge.tsx'
import { Button, IconButton } from '../ui/controls/button.tsx'
import { Checkbox, Select, TextField } from '../ui/controls/field.tsx'
import { ArrowDownIcon, ArrowUpIcon, TrashIcon } from '../ui/controls/icons.tsx'
import { describeRefusal } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import { texts } from './texts.ts'
import { canChangeView, createView, deleteView, moveView, renameView } from './view-changes.ts'
import styles from './views.module.css'
import type { AnyView, Views } from './views.ts'

export interface SaveViewProps {
  views: Views
  /** The state that the view stores. */
  content: Pick<AnyView, 'filter' | 'sort'> & Partial<Pick<AnyView, 'columns'>>
  onSaved: (id: string) => void
  onClose: () => void
}

export function SaveView({ views, content, onSaved, onClose }: SaveViewProps) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<AnyView['scope']>('me')
  const [teamIds, setTeamIds] = useState<readonly string[]>([])
  const [error, setError] = useState<ApiError>()
  const isComplete = name.trim() !== '' && (scope !== 'team' || teamIds.length > 0)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete) return
    const teams = scope === 'team' ? { teamIds: [...teamIds] } : {}
    try {
      const { id } = await createView(views, { name: name.trim(), ...content, scope, ...teams })
      onClose()
      showToast({ text: t.viewSaved(name.trim()) })
      onSaved(id)
    } catch (cause) {
      setError(ApiError.from(cause))
    }
  }
  return (
    <Dialog title={t.saveView} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void submit(event)}>
        <TextField
          label={texts().viewName}
          value={name}
          maxLength={100}
          required
          error={error && describeRefusal(error)}
          onChange={event => setName(event.target.value)}
        />
        {getSignedIn().me.role !== 'agent' && (
          <Select
            label={texts().visibleTo}
            value={scope}
            onChange={event => setScope(event.target.value as AnyView['scope'])}
          >
            {Object.entries(texts().scopes).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
        {scope === 'team' && <TeamChoice value={teamIds} onChange={setTeamIds} />}
        <div className={styles.formActions}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" disabled={!isComplete}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface TeamChoiceProps {
  value: readonly string[]
  onChange: (teamIds: readonly string[]) => void
}

function TeamChoice({ value, onChange }: TeamChoiceProps) {
  return (
    <fieldset className={styles.teams}>
      <legend>{t.teams}</legend>
      {[...getSignedIn().teams.values()].map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={value.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...value, id] : value.filter(item => item !== id))
          }
        />
      ))}
    </fieldset>
  )
}

export interface ManageViewsProps {
  views: Views
  onClose: () => void
}

export function ManageViews({ views, onClose }: ManageViewsProps) {
  const all = useStore(views.store)
  return (
    <Dialog title={t.manageViews} open onClose={onClose}>
      {all.length === 0 && <p>{texts().noSavedViews}</p>}
      <ul className={styles.managed}>
        {all.map((view, position) => (
          <ManagedView
            key={view.id}
            views={views}
            view={view}
            isFirst={position === 0}
            isLast={position === all.length - 1}
          />
        ))}
      </ul>
    </Dialog>
  )
}

interface ManagedViewProps {
  views: Views
  view: AnyView
  isFirst: boolean
  isLast: boolean
}

function ManagedView({ views, view, isFirst, isLast }: ManagedViewProps) {
  const [name, setName] = useState(view.name)
  const canChange = canChangeView(view)
  const rename = () => {
    const wanted = name.trim()
    if (wanted === '') setName(view.name)
    else if (wanted !== view.name) void renameView(views, view, wanted)
  }
  return (
    <li className={styles.managedView}>
      <input
        className={styles.nameField}
        aria-label={texts().nameOfView(view.name)}
        value={name}
        maxLength={100}
        readOnly={!canChange}
        onChange={event => setName(event.target.value)}
        onBlur={rename}
        onKeyDown={event => event.key === 'Enter' && rename()}
      />
      <Status>{texts().scopes[view.scope]}</Status>
      <IconButton
        icon={ArrowUpIcon}
        label={texts().moveUp(view.name)}
        disabled={isFirst}
        onClick={() => void moveView(views, view, -1)}
      />
      <IconButton
        icon={ArrowDownIcon}
        label={texts().moveDown(view.name)}
        disabled={isLast}
        onClick={() => void moveView(views, view, 1)}
      />
      <IconButton
        icon={TrashIcon}
        label={texts().deleteView(view.name)}
        disabled={!canChange}
        onClick={() => void deleteView(views, view)}
      />
    </li>
  )
}
