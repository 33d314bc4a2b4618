/** Replaces a screen that failed, or that does not exist at the address. */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Failure } from '../ui/layout/state-view.tsx'

export function NotFound() {
  const navigate = useNavigate()
  return (
    <Page title={t.pageNotFound} label={t.pageNotFound}>
      <div>
        <Button onClick={() => void navigate({ to: '/inbox' })}>{t.goTo(t.inbox)}</Button>
      </div>
    </Page>
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
  return (
    <Page title={t.screenFailed} label={t.screenFailed}>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </Page>
  )
}
