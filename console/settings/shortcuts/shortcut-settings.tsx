/** Changes or disables the keys of the actions of all screens. */
import { type KeyboardEvent, useState } from 'react'
import { type ActionId, keysById, type Screen } from '../../actions/default-keys.ts'
import { getChosenKeys, shortcutPreferences, toDigitStroke, toStroke } from '../../actions/shortcuts.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Keys, toKeyLabels } from '../../ui/keys.tsx'
import overlay from '../../ui/overlay.module.css'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import { findCollision, isReserved, listIds, screens } from './collisions.ts'
import { texts } from './texts.ts'
import { listScreenTitles, listTitles } from './titles.ts'

export function ShortcutSettings() {
  const { isEnabled } = useStore(shortcutPreferences)
  const screenTitles = listScreenTitles()
  const titles = listTitles()
  return (
    <Section title={t.shortcuts}>
      <Checkbox
        label={texts().singleKeys}
        checked={isEnabled}
        onChange={event =>
          shortcutPreferences.update(before => ({ ...before, isEnabled: event.target.checked }))
        }
      />
      {screens.map(screen => (
        <section key={screen} aria-label={screenTitles[screen]}>
          <h3>{screenTitles[screen]}</h3>
          <ul className={styles.keys}>
            {listIds(screen).map(id => (
              <ShortcutRow key={id} id={id} screen={screen} title={titles[id]} />
            ))}
          </ul>
        </section>
      ))}
    </Section>
  )
}

function setKeys(id: string, value: string | undefined): void {
  shortcutPreferences.update(before => {
    const { [id]: _removed, ...rest } = before.keys
    return { ...before, keys: value === undefined ? rest : { ...rest, [id]: value } }
  })
}

/** Says why the action cannot have the keys. */
function explainRefusal(id: ActionId, screen: Screen, strokes: readonly string[]): string | undefined {
  const keys = toKeyLabels(strokes[0]!).join(' ')
  if (strokes.some(stroke => isReserved(id, stroke))) return texts().reserved(keys)
  const other = findCollision(id, screen, strokes)
  if (!other) return undefined
  const title = other.id === 'saved-view' ? t.savedViews : listTitles()[other.id]
  return texts().taken(keys, title, listScreenTitles()[other.screen])
}

function ShortcutRow({ id, screen, title }: { id: ActionId; screen: Screen; title: string }) {
  const [isRecording, setRecording] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const isChanged = Object.hasOwn(useStore(shortcutPreferences).keys, id)
  const keys = getChosenKeys({ id })
  /** `value` is stored: undefined stands for the default keys, an empty text for none. */
  const change = (value: string | undefined, strokes: readonly string[]) => {
    const reason = explainRefusal(id, screen, strokes)
    setRefusal(reason)
    if (reason === undefined) setKeys(id, value)
  }
  const record = (event: KeyboardEvent) => {
    if (!isRecording || /^(Shift|Control|Meta|Alt|Tab)$/.test(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    setRecording(false)
    setRefusal(undefined)
    if (event.key === 'Escape') return
    if (event.key === 'Backspace' || event.key === 'Delete') return setKeys(id, '')
    const stroke = toStroke(event.nativeEvent)
    change(stroke, [stroke, toDigitStroke(event.nativeEvent)].filter(Boolean))
  }
  return (
    <li className={styles.key}>
      <span>{title}</span>
      <Button
        onClick={() => setRecording(!isRecording)}
        onKeyDown={record}
        onBlur={() => setRecording(false)}
      >
        <span className={overlay.hidden}>{texts().changeKeyOf(title)}: </span>
        {isRecording ? texts().pressKey : keys ? <Keys keys={keys} /> : common().off}
      </Button>
      <Button
        look="plain"
        disabled={!isChanged}
        aria-label={texts().resetKeyOf(title)}
        onClick={() => change(undefined, [keysById[id]!])}
      >
        {common().reset}
      </Button>
      {refusal && (
        <p className={styles.error} role="alert">
          {refusal}
        </p>
      )}
    </li>
  )
}
