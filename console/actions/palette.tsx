/** The command palette: every action that can run now, and conversations by name. */
import * as Dialog from '@radix-ui/react-dialog'
import { Command } from 'cmdk'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { InboxIcon } from '../ui/icons.tsx'
import { Keys } from '../ui/keys.tsx'
import styles from '../ui/picker.module.css'
import { NothingFound } from '../ui/picker-dialog.tsx'
import { actions } from './registry.ts'
import { getKeys } from './shortcuts.ts'

export interface PaletteProps {
  open: boolean
  onClose: () => void
  onOpenConversation: (id: string) => void
}

export function Palette({ open, onClose, onOpenConversation }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={isOpen => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.backdrop} />
        <Dialog.Content className={styles.palette} aria-describedby={undefined} aria-label={t.palette}>
          <Content onClose={onClose} onOpenConversation={onOpenConversation} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Content({ onClose, onOpenConversation }: Omit<PaletteProps, 'open'>) {
  const [text, setText] = useState('')
  const available = useStore(actions).filter(action => !action.isHidden)
  const found = useConversations(text)
  const choose = (run: () => void) => {
    onClose()
    // After the dialog has returned the focus, so that an action may move it.
    setTimeout(run)
  }
  return (
    <Command label={t.palette} loop>
      <Dialog.Title hidden>{t.palette}</Dialog.Title>
      <Command.Input
        className={styles.input}
        placeholder={t.palettePlaceholder}
        value={text}
        onValueChange={setText}
      />
      <Command.List className={styles.list} label={t.palette}>
        <Command.Empty className={styles.empty}>
          <NothingFound />
        </Command.Empty>
        {[...new Set(available.map(({ group }) => group))].map(group => (
          <Command.Group key={group} heading={group}>
            {available
              .filter(action => action.group === group)
              .map(({ id, label, icon: Glyph, keys, run }) => (
                <Command.Item
                  key={id}
                  value={`${label} ${id}`}
                  className={styles.item}
                  onSelect={() => choose(run)}
                >
                  {Glyph && <Glyph />}
                  <span>{label}</span>
                  <KeysOf id={id} keys={keys} />
                </Command.Item>
              ))}
          </Command.Group>
        ))}
        {found.length > 0 && (
          <Command.Group heading={t.conversations} forceMount>
            {found.map(({ id, name, lastMessagePreview }) => (
              <Command.Item
                key={id}
                value={id}
                forceMount
                className={styles.item}
                onSelect={() => choose(() => onOpenConversation(id))}
              >
                <InboxIcon />
                <span>
                  {name} · {lastMessagePreview}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  )
}

function KeysOf(action: { id: string; keys: string | undefined }) {
  const keys = getKeys(action as { id: string; keys?: string })
  return keys ? <Keys keys={keys} /> : null
}

/** Searches conversations by name; late responses of earlier texts are dropped. */
function useConversations(text: string): Schemas['Conversation'][] {
  const [found, setFound] = useState<Schemas['Conversation'][]>([])
  useEffect(() => {
    const search = text.trim()
    if (search.length < 2) return setFound([])
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const query = { search, pageSize: 5 } as const
      call(api.GET('/conversations', { params: { query }, signal: controller.signal })).then(
        ({ conversations }) => setFound(conversations),
        () => {},
      )
    }, 200)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text])
  return found
}
