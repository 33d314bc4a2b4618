import { TextArea } from '../../../ui/controls/field.tsx'
import { texts } from './texts.ts'

interface OriginsFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** The sites on which the chat is shown, one per line. */
export function OriginsField({ value, error, onChange }: OriginsFieldProps) {
  return (
    <TextArea
      label={texts().origins}
      hint={texts().originsHint}
      rows={3}
      spellCheck={false}
      autoCapitalize="none"
      placeholder="https://shop.example"
      value={value}
      error={error && texts().originsError}
      onChange={event => onChange(event.target.value)}
    />
  )
}

/** Returns the origins; the path of a pasted address is left out. */
export function splitOrigins(value: string): string[] {
  return value
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(address => (URL.canParse(address) ? new URL(address).origin : address))
}
