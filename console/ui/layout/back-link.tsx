/** The link from one thing to the list that it belongs to; the same on every screen. */
import { Link, type LinkProps } from '@tanstack/react-router'
import buttons from '../controls/button.module.css'
import { ChevronLeftIcon } from '../controls/icons.tsx'
import { classNames } from '../styles/class-names.ts'

export function BackLink({ to, children }: { to: LinkProps['to']; children: string }) {
  return (
    <Link to={to} className={classNames(buttons.button, buttons.plain)}>
      <ChevronLeftIcon className={buttons.glyph} />
      {children}
    </Link>
  )
}
