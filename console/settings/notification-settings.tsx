/** Which notifications the user receives, and how this browser shows them. */
import { useRef } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { preferences } from '../app/preferences.ts'
import { useStore } from '../app/store.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { t } from '../i18n/i18n.ts'
import { canNotify, requestPermission, showTest } from '../notifications/alerts.ts'
import { Button } from '../ui/controls/button.tsx'
import { Checkbox } from '../ui/controls/field.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { texts } from './texts.ts'

type Kinds = Schemas['NotificationPreferences']
const kinds = ['mention', 'assignment', 'message'] as const satisfies readonly (keyof Kinds)[]
const path = '/users/me/notification-preferences'

export function NotificationSettings() {
  const { hasSound, hasDesktop } = useStore(preferences)
  const set = (values: { hasSound: boolean } | { hasDesktop: boolean }) =>
    preferences.update(before => ({ ...before, ...values }))
  const setDesktop = async (isOn: boolean) => {
    if (isOn && !canNotify() && !(await requestPermission()))
      showToast({ text: texts().desktopRefused, tone: 'danger' })
    else set({ hasDesktop: isOn })
  }
  return (
    <Section title={t.notificationList}>
      <div className={styles.choices}>
        <KindChoice />
        <Checkbox
          label={texts().desktopNotifications}
          checked={hasDesktop}
          onChange={event => void setDesktop(event.target.checked)}
        />
        <Checkbox
          label={texts().notificationSound}
          checked={hasSound}
          onChange={event => set({ hasSound: event.target.checked })}
        />
      </div>
      {(hasSound || hasDesktop) && (
        <div>
          <Button onClick={showTest}>{texts().tryNotification}</Button>
        </div>
      )}
    </Section>
  )
}

/** Follows the choice in other tabs, except while a choice made here is being saved. */
function KindChoice() {
  const saving = useRef(0)
  const isChosen = isChange('notification_preferences')
  const {
    data: wanted,
    set,
    reload,
  } = useResource('notification-preferences', () => call(api.GET(path)), {
    isAffected: frame => saving.current === 0 && isChosen(frame),
  })
  const save = async (next: Kinds, before: Kinds) => {
    set(next)
    saving.current++
    try {
      await call(api.PUT(path, { body: next }))
    } catch (error) {
      set(before)
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
    saving.current--
    if (saving.current === 0) reload()
  }
  if (!wanted) return null
  return kinds.map(kind => (
    <Checkbox
      key={kind}
      label={texts().notificationKinds[kind]}
      checked={wanted[kind]}
      onChange={event => void save({ ...wanted, [kind]: event.target.checked }, wanted)}
    />
  ))
}
