import { type ComponentProps, useState } from 'react'
import { IconButton } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { HideIcon, ShowIcon } from '../ui/controls/icons.tsx'
import { texts } from './texts.ts'

export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false)
  const toggle = (
    <IconButton
      icon={isShown ? HideIcon : ShowIcon}
      label={isShown ? texts().hidePassword : texts().showPassword}
      onClick={() => setShown(!isShown)}
    />
  )
  return <TextField {...props} type={isShown ? 'text' : 'password'} trailing={toggle} />
}
