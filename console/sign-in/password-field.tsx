import { type ComponentProps, useState } from 'react'
import { t } from '../i18n/i18n.ts'
import { IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { HideIcon, ShowIcon } from '../ui/icons.tsx'

export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false)
  const toggle = (
    <IconButton
      icon={isShown ? HideIcon : ShowIcon}
      label={isShown ? t.hidePassword : t.showPassword}
      onClick={() => setShown(!isShown)}
    />
  )
  return <TextField {...props} type={isShown ? 'text' : 'password'} trailing={toggle} />
}
