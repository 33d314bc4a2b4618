import { useEffect, useRef } from 'react'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import styles from '../composer.module.css'
import type { Suggestions } from './suggestions.ts'

/** The list above the field. The field has the focus and handles the keys. */
export function SuggestionList({ id, suggestions }: { id: string; suggestions: Suggestions }) {
  const { items, selected, choose, label } = suggestions
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <div ref={list} id={id} className={styles.suggestions} role="listbox" aria-label={label}>
      {items.map((item, position) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={item.id}
          id={`${id}-${position}`}
          role="option"
          tabIndex={-1}
          aria-selected={position === selected}
          // The field keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => choose(item)}
        >
          {item.avatar && <Avatar name={item.avatar} tiny />}
          <span className={styles.suggestion}>{item.label}</span>
          {item.hint && <span className={styles.suggestionHint}>{item.hint}</span>}
        </div>
      ))}
    </div>
  )
}
