import { SecretDialog } from '../common/secret-dialog.tsx'
import { texts } from './texts.ts'

/** Shows the recovery codes once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <SecretDialog
      title={texts().recoveryTitle}
      hint={texts().recoveryHint}
      label={texts().recoveryLabel}
      secret={codes.join('\n')}
      onClose={onClose}
    />
  )
}
