/** Changes or disables the keys of actions. */
import { type KeyboardEvent, useState } from 'react'
import { type Action, actions } from '../actions/registry.ts'
import { getKeys, shortcutPreferences, toStroke } from '../actions/shortcuts.ts'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Keys } from '../ui/keys.tsx'
import overlay from '../ui/overlay.module.css'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { texts } from './texts.ts'

export function ShortcutSettings() {
  const { isEnabled, keys } = useStore(shortcutPreferences)
  const listed = useStore(actions).filter(action => action.keys && !action.keys.startsWith('mod+'))
  return (
    <Section title={t.shortcuts}>
      <Checkbox
        label={texts().singleKeys}
        checked={isEnabled}
        onChange={event =>
          shortcutPreferences.update(before => ({ ...before, isEnabled: event.target.checked }))
        }
      />
      <ul className={styles.keys}>
        {listed.map(action => (
          <ShortcutRow key={action.id} action={action} isChanged={Object.hasOwn(keys, action.id)} />
        ))}
      </ul>
    </Section>
  )
}

function setKeys(id: string, value: string | undefined): void {
  shortcutPreferences.update(before => {
    const { [id]: _removed, ...rest } = before.keys
    return { ...before, keys: value === undefined ? rest : { ...rest, [id]: value } }
  })
}

function ShortcutRow({ action, isChanged }: { action: Action; isChanged: boolean }) {
  const [isRecording, setRecording] = useState(false)
  const keys = getKeys(action)
  const record = (event: KeyboardEvent) => {
    if (!isRecording || /^(Shift|Control|Meta|Alt|Tab)$/.test(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    setRecording(false)
    if (event.key === 'Escape') return
    setKeys(action.id, event.key === 'Backspace' || event.key === 'Delete' ? '' : toStroke(event.nativeEvent))
  }
  return (
    <li className={styles.key}>
      <span>{action.label}</span>
      <Button
        onClick={() => setRecording(!isRecording)}
        onKeyDown={record}
        onBlur={() => setRecording(false)}
      >
        <span className={overlay.hidden}>{texts().changeKeyOf(action.label)}: </span>
        {isRecording ? texts().pressKey : keys ? <Keys keys={keys} /> : texts().off}
      </Button>
      <Button look="plain" disabled={!isChanged} onClick={() => setKeys(action.id, undefined)}>
        {texts().reset}
      </Button>
    </li>
  )
}
