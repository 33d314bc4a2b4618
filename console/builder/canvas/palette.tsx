/** The kinds of nodes at the left: found by typing, added by a click or by dragging one to the canvas. */
import { useState } from 'react'
import field from '../../ui/controls/field.module.css'
import { useRovingFocus } from '../../ui/focus/use-roving-focus.ts'
import { texts } from '../texts.ts'
import { useNodeChoices } from './add-picker.tsx'
import styles from './canvas.module.css'

export const dragType = 'application/x-parley-node'

export function Palette({ onAdd }: { onAdd: (type: string) => void }) {
  const [search, setSearch] = useState('')
  const roving = useRovingFocus('vertical')
  const choices = useNodeChoices()
  const words = search.toLowerCase().split(/\s+/)
  const found = choices.filter(({ name, type, summary }) =>
    words.every(word => `${name} ${type} ${summary}`.toLowerCase().includes(word)),
  )
  const groups = [...new Set(found.map(({ group }) => group))]
  return (
    <nav className={styles.palette} aria-label={texts().palette} data-area>
      <input
        type="search"
        className={field.input}
        placeholder={texts().searchNodes}
        aria-label={texts().searchNodes}
        value={search}
        onChange={event => setSearch(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            roving.ref.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
          }
          if (event.key !== 'Enter' || !found[0]) return
          onAdd(found[0].type)
          setSearch('')
        }}
      />
      <div
        role="toolbar"
        aria-orientation="vertical"
        aria-label={texts().kinds}
        className={styles.kinds}
        {...roving}
      >
        {groups.map(group => (
          <div key={group}>
            <h2 className={styles.paletteHeading}>{group}</h2>
            <ul>
              {found
                .filter(choice => choice.group === group)
                .map(({ type, name, icon: Glyph }) => (
                  <li key={type}>
                    <button
                      type="button"
                      className={styles.kindButton}
                      draggable
                      onDragStart={event => {
                        event.dataTransfer.setData(dragType, type)
                        event.dataTransfer.effectAllowed = 'copy'
                      }}
                      onClick={() => onAdd(type)}
                    >
                      <Glyph />
                      {name}
                    </button>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}
