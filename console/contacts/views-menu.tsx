/** Chooses a saved view of contacts, and saves what the table shows as one. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { hasScope } from '../api/session.ts'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { BookmarkIcon, CheckIcon, SettingsIcon } from '../ui/controls/icons.tsx'
import { Menu, type MenuItem } from '../ui/overlays/menu.tsx'
import { ManageViews, SaveView } from '../views/lazy-dialogs.ts'
import { canChangeView, saveChanges } from '../views/view-changes.ts'
import type { ContactsSearch } from './address.ts'
import { type ContactView, contactViews, isChanged, toContent } from './contact-views.ts'
import { texts } from './texts.ts'

interface ViewsMenuProps {
  view: ContactView | undefined
  shown: ContactsSearch
  columns: readonly string[]
}

export function ViewsMenu({ view, shown, columns }: ViewsMenuProps) {
  const navigate = useNavigate()
  const views = useStore(contactViews.store)
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const show = (id: string | undefined) =>
    void navigate({ to: '/contacts', search: id === undefined ? {} : { view: id } })
  const choices = [{ id: undefined, name: texts().allContacts }, ...views]
  const canCreate = hasScope('view:create')
  useActions([
    ...choices.map(({ id, name }, position) => ({
      id: `contact-view-${id ?? 'all'}`,
      label: t.showView(name),
      group: t.views,
      ...(position < 9 ? { keys: String(position + 1) } : {}),
      run: () => show(id),
    })),
    ...(canCreate
      ? [
          {
            id: 'save-view',
            label: t.saveView,
            group: t.views,
            icon: BookmarkIcon,
            run: () => setDialog('save'),
          },
        ]
      : []),
    {
      id: 'manage-views',
      label: t.manageViews,
      group: t.views,
      icon: SettingsIcon,
      run: () => setDialog('manage'),
    },
  ])
  const save = async (changed: ContactView) => {
    if (await saveChanges(contactViews, changed, toContent(shown))) show(changed.id)
  }
  const items: MenuItem[] = choices.map(({ id, name }, position) => ({
    id: id ?? 'all',
    label: name,
    checked: id === view?.id,
    keys: position < 9 ? String(position + 1) : undefined,
    ...(position === 1 ? { group: t.savedViews } : {}),
    onSelect: () => show(id),
  }))
  const changes: MenuItem[] = []
  if (view && canChangeView(view) && isChanged(shown, view))
    changes.push({
      id: 'changes',
      label: t.saveViewChanges,
      icon: CheckIcon,
      onSelect: () => void save(view),
    })
  if (canCreate)
    changes.push({ id: 'save', label: t.saveView, icon: BookmarkIcon, onSelect: () => setDialog('save') })
  changes.push({
    id: 'manage',
    label: t.manageViews,
    icon: SettingsIcon,
    onSelect: () => setDialog('manage'),
  })
  items.push(...changes.map((item, position) => (position === 0 ? { ...item, group: true as const } : item)))
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu items={items} label={t.allViews}>
        <Button icon={BookmarkIcon}>{view?.name ?? t.views}</Button>
      </Menu>
      {dialog === 'save' && (
        <SaveView views={contactViews} content={toContent(shown, columns)} onSaved={show} onClose={close} />
      )}
      {dialog === 'manage' && <ManageViews views={contactViews} onClose={close} />}
    </>
  )
}
