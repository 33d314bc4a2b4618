import { classNames } from './class-names.ts'
import type { Icon } from './icons.tsx'
import { UserIcon } from './icons.tsx'
import styles from './small.module.css'

/** Returns up to two initials, or nothing for numbers and empty names. */
export function toInitials(name: string): string {
  const words = name.split(/\s+/).filter(word => /^\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map(word => (word ? [...word][0]! : ''))
    .join('')
    .toUpperCase()
}

/** Decoration beside a name, so screen readers skip it. */
export function Avatar({ name, mark: Mark, tiny }: { name: string; mark?: Icon; tiny?: boolean }) {
  return (
    // The initials are drawn by the stylesheet: they are not a part of the text of a button.
    <span
      className={classNames(styles.avatar, tiny && styles.tiny)}
      data-initials={toInitials(name)}
      aria-hidden="true"
    >
      {toInitials(name) === '' && <UserIcon />}
      {Mark && (
        <span className={styles.mark}>
          <Mark />
        </span>
      )}
    </span>
  )
}
