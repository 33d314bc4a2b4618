/** Shown instead of the screens while the workspace requires a second factor that the user does not have. */
import { useState } from 'react'
import { loadSession, signOut } from '../../api/session.ts'
import { Card } from '../../sign-in/card.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { texts } from './texts.ts'

export function RequiredSecondFactor() {
  const [codes, setCodes] = useState<string[]>()
  return (
    <Card title={texts().requiredTitle}>
      <p>{texts().requiredHint}</p>
      <SetUpForm
        onEnabled={async next => setCodes(next)}
        onCancel={() => void signOut()}
        cancelLabel={texts().signOut}
      />
      {codes && <RecoveryCodes codes={codes} onClose={() => void loadSession()} />}
    </Card>
  )
}
