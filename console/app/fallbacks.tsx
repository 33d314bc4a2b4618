import { useNavigate, useRouter } from '@tanstack/react-router'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Failure } from '../ui/state-view.tsx'

export function NotFound() {
  const navigate = useNavigate()
  return (
    <Empty title={t.pageNotFound}>
      <Button onClick={() => void navigate({ to: '/inbox' })}>{t.goToInbox}</Button>
    </Empty>
  )
}

const reloadedKey = 'parley.reloaded-for-chunk'

/** A chunk of an older build may be deleted: one reload loads the current build. */
export function ScreenError({ error }: { error: unknown }) {
  const router = useRouter()
  if (/dynamically imported module|Importing a module script/.test(String(error))) {
    if (sessionStorage.getItem(reloadedKey) === null) {
      sessionStorage.setItem(reloadedKey, location.href)
      location.reload()
    }
  }
  return <Failure error={error} onRetry={() => void router.invalidate()} />
}
