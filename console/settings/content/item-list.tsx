/** Lists labels, tags or custom fields, and creates, renames and deletes them. */
import { useState } from 'react'
import { toTitle } from '../../app/field-title.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { IconButton } from '../../ui/controls/button.tsx'
import { PencilIcon, TagIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { CreateButton } from '../common/create-button.tsx'
import { EmptyList } from '../common/empty-list.tsx'
import { Row } from '../common/row.tsx'
import { useScopes } from '../common/tasks.ts'
import { hasItems, Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { ItemDialog } from './item-dialog.tsx'
import { type Item, type KindName, kinds } from './kinds.ts'
import { texts } from './texts.ts'

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; item: Item }

export function ItemList({ kind: kindName, title }: { kind: KindName; title: string }) {
  const can = useScopes()
  const kind = kinds[kindName]
  const state = useLoaded(kind.load, { kinds: [kind.event] })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const words = texts().kinds[kindName]
  const create = can(`${kind.scope}:create`) && (
    <CreateButton label={words.create} onClick={() => setOpen({ kind: 'new' })} />
  )
  return (
    <SettingsFrame title={title} scope={`${kind.scope}:list`} actions={hasItems(state) && create}>
      {hasItems(state) && <p className={styles.muted}>{words.hint}</p>}
      <Loaded state={state}>
        {items =>
          items.length === 0 ? (
            <EmptyList title={words.none} hint={words.hint}>
              {create}
            </EmptyList>
          ) : (
            <ul aria-label={title}>
              {items.map(item => (
                <ItemRow key={item.id} item={item} scope={kind.scope} onOpen={setOpen} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={common().deleteThingQuestion(open.item.name)}
          effects={words.effects}
          confirmLabel={common().remove}
          done={common().deleted(open.item.name)}
          onConfirm={async () => {
            await kind.remove(open.item.id)
            await state.reload()
          }}
          onClose={close}
        />
      )}
      {open && open.kind !== 'delete' && (
        <ItemDialog
          kind={kindName}
          item={open.kind === 'edit' ? open.item : undefined}
          onSaved={state.reload}
          onClose={close}
        />
      )}
    </SettingsFrame>
  )
}

interface ItemRowProps {
  item: Item
  scope: string
  onOpen: (open: Open) => void
}

function ItemRow({ item, scope, onOpen }: ItemRowProps) {
  const can = useScopes()
  const { name, color, type, isPredefined, count } = item
  return (
    <Row>
      {color && (
        <span style={{ color }} aria-hidden="true">
          <TagIcon />
        </span>
      )}
      <p className={`${styles.texts} ${styles.name}`}>
        {isPredefined ? toTitle(name) : name}
        {type && <Status>{texts().types[type]}</Status>}
        {isPredefined && <Status>{name}</Status>}
        {isPredefined && <Status>{texts().predefined}</Status>}
        {count !== undefined && <Status>{texts().contacts(count)}</Status>}
      </p>
      {!isPredefined && can(`${scope}:update`) && (
        <IconButton
          icon={PencilIcon}
          label={common().editThing(name)}
          onClick={() => onOpen({ kind: 'edit', item })}
        />
      )}
      {!isPredefined && can(`${scope}:delete`) && (
        <IconButton
          icon={TrashIcon}
          label={common().deleteThing(name)}
          onClick={() => onOpen({ kind: 'delete', item })}
        />
      )}
    </Row>
  )
}
