/** Changes or disables the keys of the actions of all screens. */
import { useState } from 'react'
import { type ActionId, keysById, type Screen } from '../../actions/default-keys.ts'
import { getChosenKeys, shortcutPreferences } from '../../actions/shortcuts.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/field.tsx'
import { Keys, toKeyLabels } from '../../ui/hints/keys.tsx'
import overlay from '../../ui/overlays/overlay.module.css'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import { findCollision, isReserved, listIds, screens } from './collisions.ts'
import { texts } from './texts.ts'
import { listScreenTitles, listTitles } from './titles.ts'
import { type Press, useRecorder } from './use-recorder.ts'

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

const toKeys = (presses: readonly Press[]) => presses.map(({ stroke }) => stroke).join(' ')

/** The names of the keys; the first key may have two. */
function toNames(presses: readonly Press[]): string[] {
  const [first, ...rest] = presses
  const names = [toKeys(presses)]
  if (first?.digitStroke) names.push([first.digitStroke, ...rest.map(({ stroke }) => stroke)].join(' '))
  return names
}

/** Says why the action cannot have the keys. */
function explainRefusal(id: ActionId, screen: Screen, presses: readonly Press[]): string | undefined {
  const reserved = presses.find(({ stroke }) => isReserved(id, stroke))
  if (reserved) return texts().reserved(toKeyLabels(reserved.stroke).join(' '))
  const other = findCollision(id, screen, toNames(presses))
  if (!other) return undefined
  const title = other.id === 'saved-view' ? t.savedViews : listTitles()[other.id]
  const keys = toKeyLabels(toKeys(presses)).join(' ')
  return texts().taken(keys, title, listScreenTitles()[other.screen])
}

const toPresses = (keys: string): Press[] => keys.split(' ').map(stroke => ({ stroke, digitStroke: '' }))

function ShortcutRow({ id, screen, title }: { id: ActionId; screen: Screen; title: string }) {
  const [refusal, setRefusal] = useState<string>()
  const isChanged = Object.hasOwn(useStore(shortcutPreferences).keys, id)
  const keys = getChosenKeys({ id })
  /** `value` is stored: undefined stands for the default keys. */
  const change = (value: string | undefined, presses: readonly Press[]) => {
    const reason = explainRefusal(id, screen, presses)
    setRefusal(reason)
    if (reason === undefined) setKeys(id, value)
  }
  const { presses, button } = useRecorder({
    onRecord: recorded => change(toKeys(recorded), recorded),
    onClear: () => {
      setRefusal(undefined)
      // An empty text stands for no keys.
      setKeys(id, '')
    },
  })
  return (
    <li className={styles.key}>
      <span>{title}</span>
      <Button {...button}>
        <span className={overlay.hidden}>{texts().changeKeyOf(title)}: </span>
        {presses ? <Recorded presses={presses} /> : keys ? <Keys keys={keys} /> : common().off}
      </Button>
      <Button
        look="plain"
        disabled={!isChanged}
        aria-label={texts().resetKeyOf(title)}
        onClick={() => change(undefined, toPresses(keysById[id]!))}
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

function Recorded({ presses }: { presses: readonly Press[] }) {
  return presses.length === 0 ? (
    texts().pressKey
  ) : (
    <>
      <Keys keys={toKeys(presses)} /> {texts().pressNext}
    </>
  )
}
