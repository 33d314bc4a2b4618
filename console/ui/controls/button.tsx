/**
 * Buttons. A disabled button keeps the focus and stays readable to screen readers (`aria-disabled`), so that its tooltip
 * can say why it is disabled.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Tooltip } from '../hints/tooltip.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './button.module.css'
import type { Icon } from './icons.tsx'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: 'default' | 'primary' | 'danger' | 'plain'
  icon?: Icon
  wide?: boolean
  disabled?: boolean
  /** Shows a spinner and refuses clicks. */
  busy?: boolean
}

function refuse(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

export function Button({
  look = 'default',
  icon: Glyph,
  wide,
  disabled,
  busy,
  children,
  ...props
}: ButtonProps) {
  const isOff = disabled || busy
  const look_ = look === 'default' ? undefined : styles[look]
  return (
    <button
      type="button"
      {...props}
      className={classNames(styles.button, look_, wide && styles.wide, props.className)}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      onClick={isOff ? refuse : props.onClick}
    >
      {busy ? (
        <span className={styles.spinner} aria-hidden="true" />
      ) : (
        Glyph && <Glyph className={styles.glyph} />
      )}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  icon: Icon
  /** The accessible name, shown as a tooltip. */
  label: string
  /** The key that does the same. */
  keys?: string | undefined
  look?: 'plain' | 'primary'
  disabled?: boolean
  /** Shown over the icon, such as a count. */
  badge?: ReactNode
}

export function IconButton({
  icon: Glyph,
  label,
  keys,
  look = 'plain',
  disabled,
  badge,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip label={label} keys={keys}>
      <button
        type="button"
        {...props}
        aria-label={label}
        aria-disabled={disabled || undefined}
        className={classNames(styles.button, styles[look], look === 'plain' && styles.icon, props.className)}
        onClick={disabled ? refuse : props.onClick}
      >
        <Glyph />
        {badge}
      </button>
    </Tooltip>
  )
}
