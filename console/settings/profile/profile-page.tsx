/** The user's own name, password, second factor and sessions. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { getSignedIn, loadSession, session } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { asForm, PictureField } from '../../ui/pictures/picture-field.tsx'
import { Form } from '../common/form.tsx'
import { findViolation } from '../common/tasks.ts'
import { Section } from '../section.tsx'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { SecondFactorSection } from './second-factor-section.tsx'
import { Sessions } from './sessions.tsx'
import { texts } from './texts.ts'

export function Page() {
  const hasPassword = getSignedIn().me.provider === 'password'
  const [sessionsKey, setSessionsKey] = useState(0)
  const reloadSessions = () => setSessionsKey(key => key + 1)
  return (
    <SettingsFrame title={common().pages['/settings/profile']} scope="user:read_self">
      <NameSection />
      {hasPassword ? (
        <>
          <PasswordSection onChanged={reloadSessions} />
          <SecondFactorSection onChanged={reloadSessions} />
        </>
      ) : (
        <p>{texts().external}</p>
      )}
      <Sessions key={sessionsKey} />
    </SettingsFrame>
  )
}

function NameSection() {
  useStore(session)
  const { me } = getSignedIn()
  const [name, setName] = useState(me.name)
  const submit = async () => {
    await call(api.PATCH('/users/me', { body: { name } }))
    showToast({ text: common().saved })
    await loadSession()
  }
  return (
    <Section title={texts().about}>
      <PictureField
        label={texts().picture}
        name={me.name}
        url={me.avatarUrl}
        onUpload={async form => {
          await call(api.PUT('/users/me/avatar', asForm(form)))
          await loadSession()
        }}
        onRemove={async () => {
          await call(api.DELETE('/users/me/avatar'))
          await loadSession()
        }}
      />
      <Form onSubmit={submit} fields={['name']}>
        {problem => (
          <>
            <TextField
              label={common().name}
              required
              maxLength={200}
              autoComplete="name"
              value={name}
              error={findViolation(problem, 'name')}
              onChange={event => setName(event.target.value)}
            />
            <TextField label={texts().email} value={me.email} readOnly />
          </>
        )}
      </Form>
    </Section>
  )
}

function PasswordSection({ onChanged }: { onChanged: () => void }) {
  const [values, setValues] = useState({ current: '', new: '' })
  const submit = async () => {
    await call(api.PUT('/users/me/password', { body: values }))
    setValues({ current: '', new: '' })
    showToast({ text: texts().passwordChanged })
    onChanged()
  }
  return (
    <Section title={texts().password}>
      <Form
        onSubmit={submit}
        fields={['new']}
        explain={{ auth_password_wrong: texts().wrongPassword }}
        submitLabel={texts().changePassword}
      >
        {problem => (
          <>
            <PasswordField
              label={texts().current}
              required
              maxLength={200}
              autoComplete="current-password"
              value={values.current}
              onChange={event => setValues({ ...values, current: event.target.value })}
            />
            <PasswordField
              label={t.newPassword}
              hint={`${t.passwordHint}. ${texts().changeHint}`}
              required
              minLength={10}
              maxLength={200}
              autoComplete="new-password"
              value={values.new}
              error={findViolation(problem, 'new')}
              onChange={event => setValues({ ...values, new: event.target.value })}
            />
          </>
        )}
      </Form>
    </Section>
  )
}
