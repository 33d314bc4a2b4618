import type { ComponentProps } from 'react'
import { Button } from '../controls/button.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

/** A button that disappears once it was pressed, such as the one that loads the last page. */
export function LeavingButton(props: ComponentProps<typeof Button>) {
  return <Button {...props} ref={useKeptFocus<HTMLButtonElement>()} />
}
