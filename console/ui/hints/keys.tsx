/** Shows a shortcut such as `mod+k` or `g i` as keys. */
import styles from './tooltip.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const symbols: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  alt: isApple ? '⌥' : 'Alt',
  delete: isApple ? '⌦' : 'Del',
  backspace: '⌫',
}

/** Splits at each + that has a key before and after it: `+` is a key of its own. */
const modifierEnd = /(?<=.)\+(?=.)/

export function toKeyLabels(keys: string): string[] {
  return keys
    .split(' ')
    .flatMap(stroke => stroke.split(modifierEnd).map(key => symbols[key] ?? key.toUpperCase()))
}

export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {toKeyLabels(keys).map((key, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may occur twice, and the list never changes
        <kbd key={position} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
