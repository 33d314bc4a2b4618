/** The filter of the list as chips. Each can be changed or removed; the whole can be saved as a view. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { BookmarkIcon, CloseIcon } from '../../ui/controls/icons.tsx'
import { Picker } from '../../ui/pickers/picker.tsx'
import { SaveView } from '../../views/lazy-dialogs.ts'
import { canChangeView, saveChanges } from '../../views/view-changes.ts'
import { labels } from '../state/labels.ts'
import { type FilterParameter, noFilter, toParameter, toValues } from '../state/lists/filter-search.ts'
import {
  conversationViews,
  type Filter,
  findSavedView,
  isBuiltIn,
  type ListKey,
  toFilter,
} from '../state/views.ts'
import { describeFilter, filterIcons, isMultiple, listParameters, listValues } from './filter-choices.ts'
import styles from './list.module.css'

interface FilterProps {
  view: string
  listKey: ListKey
}

/** Returns the filter that the address changes. */
const toBase = (view: string): Filter =>
  isBuiltIn(view) ? toFilter(view) : (findSavedView(view)?.filter ?? toFilter('all'))

export function useSetFilter(view: string) {
  const navigate = useNavigate()
  return (parameter: FilterParameter, values: readonly string[]) =>
    void navigate({
      to: '.',
      search: before => ({ ...before, [parameter]: toParameter(toBase(view), parameter, values) }),
      replace: true,
    })
}

export function FilterBar({ view, listKey }: FilterProps) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<FilterParameter | 'save'>()
  const setFilter = useSetFilter(view)
  // Names of labels may arrive later.
  useStore(labels)
  const chips = listParameters(view).flatMap(parameter => {
    const text = describeFilter(listKey.filter, parameter)
    return text ? [{ parameter, text }] : []
  })
  const saved = findSavedView(view)
  const isChanged = JSON.stringify(toBase(view)) !== JSON.stringify(listKey.filter)
  if (chips.length === 0 && !isChanged) return null
  const clear = () =>
    void navigate({ to: '.', search: before => ({ ...before, ...noFilter }), replace: true })
  const save = () =>
    saved && void saveChanges(conversationViews, saved, { filter: listKey.filter }).then(clear)
  return (
    <div className={styles.chips}>
      <ul className={styles.chipList} aria-label={t.filter}>
        {chips.map(({ parameter, text }) => (
          <li key={parameter} className={styles.chip}>
            <button type="button" aria-label={t.changeFilter(text)} onClick={() => setOpen(parameter)}>
              {text}
            </button>
            <button type="button" aria-label={t.removeFilter(text)} onClick={() => setFilter(parameter, [])}>
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
      {isChanged && (
        <span className={styles.chipActions}>
          {saved && canChangeView(saved) && (
            <Button look="plain" onClick={save}>
              {t.saveViewChanges}
            </Button>
          )}
          {hasScope('view:create') && (
            <Button look="plain" icon={BookmarkIcon} onClick={() => setOpen('save')}>
              {t.saveView}
            </Button>
          )}
          <Button look="plain" onClick={clear}>
            {t.clearFilter}
          </Button>
        </span>
      )}
      {open === 'save' && (
        <SaveView
          views={conversationViews}
          content={listKey}
          onSaved={id => void navigate({ to: '/inbox', search: { view: id } })}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open && open !== 'save' && (
        <ValuePicker
          parameter={open}
          filter={listKey.filter}
          onChange={values => setFilter(open, values)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

/** Chooses what to filter by, then the value. */
export function FilterPicker({ view, listKey, onClose }: FilterProps & { onClose: () => void }) {
  const [parameter, setParameter] = useState<FilterParameter>()
  const setFilter = useSetFilter(view)
  if (parameter)
    return (
      <ValuePicker
        parameter={parameter}
        filter={listKey.filter}
        onChange={values => setFilter(parameter, values)}
        onClose={onClose}
      />
    )
  const choices = listParameters(view)
    .filter(item => listValues(item).length > 0)
    .map(item => ({
      id: item,
      label: t.filters[item],
      icon: filterIcons[item],
      checked: toValues(listKey.filter, item).length > 0,
      onSelect: () => setParameter(item),
    }))
  // The picker of the values replaces this one.
  return <Picker title={t.filterBy} choices={choices} onClose={onClose} isMultiple />
}

interface ValuePickerProps {
  parameter: FilterParameter
  filter: Filter
  onChange: (values: readonly string[]) => void
  onClose: () => void
}

function ValuePicker({ parameter, filter, onChange, onClose }: ValuePickerProps) {
  const chosen = toValues(filter, parameter)
  const toggle = (value: string) => {
    if (chosen.includes(value)) return chosen.filter(item => item !== value)
    return isMultiple(parameter) ? [...chosen, value] : [value]
  }
  const choices = listValues(parameter).map(([value, label]) => ({
    id: value,
    label,
    icon: filterIcons[parameter],
    checked: chosen.includes(value),
    onSelect: () => onChange(toggle(value)),
  }))
  return (
    <Picker
      key={parameter}
      title={t.filters[parameter]}
      choices={choices}
      onClose={onClose}
      isMultiple={isMultiple(parameter)}
    />
  )
}
