/** The dialog of a picker. */
import * as Dialog from '@radix-ui/react-dialog'
import { Command, defaultFilter } from 'cmdk'
import { useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import { CheckIcon, type Icon } from '../controls/icons.tsx'
import { useChoiceFocus } from '../focus/use-returned-focus.ts'
import overlay from '../overlays/overlay.module.css'
import styles from './picker.module.css'

export interface Choice {
  id: string
  label: string
  /** Shown beside the label, such as a date. */
  hint?: string | undefined
  group?: string | undefined
  icon?: Icon | undefined
  checked?: boolean | undefined
  onSelect: () => void
}

export interface PickerProps {
  title: string
  choices: readonly Choice[]
  onClose: () => void
  /** Stays open after a choice, where several can be chosen. */
  isMultiple?: boolean
  /** Offers to create an option with the typed name. */
  create?: { label: (text: string) => string; run: (text: string) => void } | undefined
}

export function PickerDialog({ title, choices, onClose, isMultiple, create }: PickerProps) {
  const [text, setText] = useState('')
  const groups = listGroups(choices, text)
  const { close, focus } = useChoiceFocus(onClose)
  const run = isMultiple ? (action: () => void) => action() : close
  const name = text.trim()
  const isKnown = choices.some(({ label }) => label.toLowerCase() === name.toLowerCase())
  return (
    <Dialog.Root open onOpenChange={isOpen => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.backdrop} />
        <Dialog.Content className={styles.palette} aria-describedby={undefined} {...focus}>
          <Command label={title} loop>
            <Dialog.Title hidden>{title}</Dialog.Title>
            <Command.Input
              className={styles.input}
              placeholder={title}
              value={text}
              onValueChange={setText}
            />
            <Command.List className={styles.list} label={title}>
              <Command.Empty className={styles.empty}>
                <NothingFound />
              </Command.Empty>
              {groups.map(group => (
                <Command.Group key={group ?? ''} heading={group}>
                  {choices
                    .filter(choice => choice.group === group)
                    .map(choice => (
                      <Item key={choice.id} choice={choice} onSelect={() => run(choice.onSelect)} />
                    ))}
                </Command.Group>
              ))}
              {create && name !== '' && !isKnown && (
                <Command.Item
                  forceMount
                  className={styles.item}
                  onSelect={() => {
                    setText('')
                    run(() => create.run(name))
                  }}
                >
                  <span>{create.label(name)}</span>
                </Command.Item>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const toValue = ({ id, label }: Choice) => `${label} ${id}`

/** The group of the best match is the first, so that Enter runs it. The matches in a group are ordered by Command. */
function listGroups(choices: readonly Choice[], text: string): Choice['group'][] {
  const best = new Map<Choice['group'], number>()
  for (const choice of choices) {
    const score = text === '' ? 0 : defaultFilter(toValue(choice), text)
    best.set(choice.group, Math.max(score, best.get(choice.group) ?? 0))
  }
  return [...best].sort(([, left], [, right]) => right - left).map(([group]) => group)
}

/** A list without an option is invalid for screen readers. */
export function NothingFound({ text = t.noResults }: { text?: string | undefined }) {
  return (
    <div role="option" aria-selected={false} aria-disabled="true" tabIndex={-1}>
      {text}
    </div>
  )
}

function Item({ choice, onSelect }: { choice: Choice; onSelect: () => void }) {
  const { label, hint, icon: Glyph, checked } = choice
  return (
    <Command.Item value={toValue(choice)} className={styles.item} onSelect={onSelect}>
      {Glyph && <Glyph />}
      <span className={styles.label}>
        {label}
        {checked && <span className={overlay.hidden}> ({t.chosen})</span>}
      </span>
      {hint && <span className={styles.hint}>{hint}</span>}
      {checked && <CheckIcon />}
    </Command.Item>
  )
}
