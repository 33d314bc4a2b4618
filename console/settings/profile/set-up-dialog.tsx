import { Dialog } from '../../ui/overlays/dialog.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { texts } from './texts.ts'

interface SetUpDialogProps {
  onEnabled: (recoveryCodes: string[]) => Promise<void>
  onClose: () => void
}

export function SetUpDialog({ onEnabled, onClose }: SetUpDialogProps) {
  const enable = async (codes: string[]) => {
    await onEnabled(codes)
    onClose()
  }
  return (
    <Dialog title={texts().setUpTitle} open onClose={onClose}>
      <SetUpForm onEnabled={enable} onCancel={onClose} />
    </Dialog>
  )
}
