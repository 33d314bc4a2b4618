import { useState } from 'react'
import type { Icon } from '../controls/icons.tsx'
import { UserIcon } from '../controls/icons.tsx'
import styles from '../controls/small.module.css'
import { Tooltip } from '../hints/tooltip.tsx'
import { classNames } from '../styles/class-names.ts'

/** Returns up to two initials, or nothing for numbers and empty names. */
export function toInitials(name: string): string {
  const words = name.split(/\s+/).filter(word => /^\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map(word => (word ? [...word][0]! : ''))
    .join('')
    .toUpperCase()
}

interface AvatarProps {
  name: string
  mark?: Icon
  tiny?: boolean
  /** Shown instead of the initials if it was uploaded here: the page loads nothing from other hosts. */
  url?: string | null | undefined
}

/** Decoration beside a name, so screen readers skip it. */
export function Avatar({ name, mark: Mark, tiny, url }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const isShown = url?.startsWith('/v1/pictures/') && url !== failed
  return (
    // The initials are drawn by the stylesheet: they are not a part of the text of a button.
    <span
      className={classNames(styles.avatar, tiny && styles.tiny)}
      data-initials={isShown ? '' : toInitials(name)}
      aria-hidden="true"
    >
      {isShown ? (
        <img className={styles.photo} src={url!} alt="" draggable={false} onError={() => setFailed(url!)} />
      ) : (
        toInitials(name) === '' && <UserIcon />
      )}
      {Mark && (
        <span className={styles.mark}>
          <Mark />
        </span>
      )}
    </span>
  )
}

const maxShown = 3

/** A few people, such as the colleagues who have the same screen open; the label names all of them. */
export function AvatarGroup({ names, label }: { names: readonly string[]; label: string }) {
  if (names.length === 0) return null
  return (
    <Tooltip label={label}>
      <span className={styles.group} role="img" aria-label={label}>
        {names.slice(0, maxShown).map(name => (
          <Avatar key={name} name={name} tiny />
        ))}
        {names.length > maxShown && <span>+{names.length - maxShown}</span>}
      </span>
    </Tooltip>
  )
}
